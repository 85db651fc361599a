import type { Words } from './en.ts'

export const de: Words = {
  sandbox: 'Testumgebung: Es fließt kein Geld',

  order: {
    items: 'Ihre Bestellung',
    total: 'Gesamt',
    number: 'Bestellung',
    payment: 'Zahlung',
    payout: 'Auszahlung',
    beneficiary: 'An',
    paysYou: (merchant) => `${merchant} zahlt Ihnen`,
  },

  choose: {
    title: 'Wie möchten Sie bezahlen?',
    oneWay: (method) => `Bezahlen mit ${method}`,
    pay: (amount) => `${amount} bezahlen`,
    card: 'Kartendaten',
    cardBrands: (names) => `Akzeptierte Karten: ${names}`,
    codeHint: '3 Ziffern, bei Amex 4',
    billing: 'Rechnungsdaten',
    details: 'Ihre Angaben',
    pick: 'Bitte wählen',
    again: 'Sie können es noch einmal versuchen oder anders bezahlen.',
    fix: 'Bitte prüfen Sie die markierten Felder.',
    retype: 'Geben Sie Kartennummer und Prüfziffer bitte noch einmal ein.',
    paying: 'Einen Moment …',
  },

  methods: {
    card: { name: 'Karte', advice: '' },
    alipay: { name: 'Alipay', advice: 'Sie bestätigen bei Alipay und kommen hierher zurück.' },
    wechat: {
      name: 'WeChat Pay',
      advice: 'Sie zahlen in der WeChat-App: mit einem Code zum Scannen oder direkt auf dem Handy.',
    },
    unionpay: { name: 'UnionPay', advice: 'Sie bestätigen bei UnionPay und kommen hierher zurück.' },
    cash_app: { name: 'Cash App Pay', advice: 'Sie bestätigen in der Cash App und kommen hierher zurück.' },
    gcash: { name: 'GCash', advice: 'Sie bekommen einen QR-Ph-Code, den Sie mit GCash scannen.' },
    pix: {
      name: 'Pix',
      advice: 'Sie bekommen einen QR-Code und einen Code zum Einfügen in Ihrer Banking-App.',
    },
    spei: { name: 'SPEI-Überweisung', advice: 'Sie bekommen eine CLABE, an die Sie überweisen.' },
    per_transfer: { name: 'Überweisung in Peru', advice: 'Sie bekommen eine CCI, an die Sie überweisen.' },
    sepa: { name: 'SEPA-Überweisung', advice: 'Sie bekommen eine IBAN, an die Sie überweisen.' },
    vn_bank: {
      name: 'Vietnamesische Bank',
      advice: 'Sie zahlen per VietQR oder auf ein Konto eigens für diese Bestellung.',
    },
    crypto: { name: 'Krypto', advice: 'Sie bekommen eine Adresse und den genauen Betrag.' },
  },

  fields: {
    cardNo: 'Kartennummer',
    cardExpiry: 'Gültig bis (MM/JJ)',
    cardSecurityCode: 'Prüfziffer',
    billingFirstName: 'Vorname',
    billingLastName: 'Nachname',
    billingAddress1: 'Straße und Hausnummer',
    billingCity: 'Ort',
    billingState: 'Bundesland oder Region',
    billingCountry: 'Land',
    billingZipCode: 'Postleitzahl',
    billingPhone: 'Telefon',
    billingEmail: 'E-Mail',
    email: 'E-Mail',
    name: 'Vor- und Nachname',
    socialSecurityNumber: 'CPF oder CNPJ',
    customerIdentificationType: 'Ausweis',
    customerIdentification: 'Ausweisnummer',
    paymentMethodStr: 'Zahlungsweg',
    vaBankId: 'Bank',
    coin: 'Währung',
    network: 'Netzwerk',
  },

  choices: {
    'customerIdentificationType.00': 'Personalausweis (DNI)',
    'customerIdentificationType.01': 'Ausländerausweis (CE)',
    'customerIdentificationType.02': 'Steuernummer (RUC)',
    'customerIdentificationType.03': 'Reisepass',
    'paymentMethodStr.qrcode': 'QR-Code (VietQR)',
    'paymentMethodStr.va': 'Überweisung auf ein eigenes Konto',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'Einer Person',
    'beneficiaryType.business': 'Einem Unternehmen',
    'accountType.00': 'Girokonto',
    'accountType.01': 'Sparkonto',
  },

  problems: {
    missing: 'Bitte ausfüllen',
    tooLong: 'Zu lang, oder es enthält unzulässige Zeichen',
    notListed: 'Bitte aus der Liste wählen',
    invalid: 'Bitte prüfen: Das sieht nicht richtig aus',
    cardNumber: 'Bitte prüfen: Eine Ziffer der Kartennummer fehlt oder ist falsch',
    cardBrand: 'Dieser Shop nimmt diese Art von Karte nicht an',
    expiry: 'Bitte Monat und Jahr angeben, etwa 08/29',
    expired: 'Diese Karte ist abgelaufen',
    securityCode: 'Bitte die drei Ziffern von der Rückseite der Karte eingeben',
    securityCodeInFront: 'Bitte die vier Ziffern von der Vorderseite der Karte eingeben',
    email: 'Bitte eine E-Mail-Adresse angeben, etwa name@example.com',
    taxNumber: 'Bitte prüfen: Eine Stelle von CPF oder CNPJ fehlt oder ist falsch',
    document: 'Die Nummer passt nicht zur Art des Ausweises',
    network: 'Diese Währung wird in diesem Netzwerk nicht angenommen',
    bankCodeMissing: 'Zu einer Kontonummer gehört der BIC der Bank',
    bankCode: 'Das ist kein BIC',
    account: 'Bitte das Konto prüfen: Eine Stelle fehlt oder ist falsch',
  },

  notices: {
    stale: 'Diese Zahlung lief in einem anderen Tab oder Fenster weiter. So steht sie jetzt.',
    tooManyAttempts: 'Das waren zu viele Versuche. Warten Sie ein paar Minuten oder bezahlen Sie anders.',
    unavailable: 'Dieser Zahlungsweg ist gerade nicht verfügbar. Bitte wählen Sie einen anderen.',
    limit: 'Dieser Betrag kann so nicht bezahlt werden. Bitte wählen Sie einen anderen Weg.',
    unreachable: 'Die Bank ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  },

  reasons: {
    declined: 'Ihre Bank oder Ihr Zahlungsdienst hat sie abgelehnt. Es wurde nichts abgebucht.',
    insufficientFunds: 'Das Guthaben reicht nicht aus. Es wurde nichts abgebucht.',
    expiredCard: 'Die Karte ist abgelaufen. Es wurde nichts abgebucht.',
    securityCode: 'Die Prüfziffer stimmt nicht. Es wurde nichts abgebucht.',
    notConfirmed: 'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Es wurde nichts abgebucht.',
    cancelled: 'Sie wurde abgebrochen. Es wurde nichts abgebucht.',
    expired: 'Die Zeit zum Bezahlen ist abgelaufen. Es wurde nichts abgebucht.',
    unavailable: 'Die Zahlung konnte nicht begonnen werden. Es wurde nichts abgebucht.',
  },

  challenge: {
    title: 'Zahlung bestätigen',
    heading: 'Ihre Bank möchte sicher sein, dass Sie es sind',
    text: 'Bestätigen Sie die Zahlung auf der Seite Ihrer Bank. Danach kommen Sie hierher zurück.',
    button: 'Weiter zu Ihrer Bank',
    frame: 'Seite Ihrer Bank',
    back: 'Zurück zur Zahlung',
    empty: 'Die Seite Ihrer Bank erscheint nicht?',
    instead: 'In diesem Fenster öffnen',
    open: {
      heading: 'Ihre Bank hat die Zahlung noch nicht bestätigt',
      text: 'Die Zahlung ist noch offen. Gehen Sie weiter zu Ihrer Bank, um sie zu bestätigen.',
    },
  },

  redirect: {
    advice: (wallet) => `Sie bestätigen mit ${wallet} und kommen hierher zurück.`,
    heading: (method) => `Weiter mit ${method}`,
    text: 'Bestätigen Sie die Zahlung dort. Danach kommen Sie hierher zurück.',
    button: (method) => `Weiter zu ${method}`,
  },

  qr: {
    title: (method) => `Bezahlen mit ${method}`,
    heading: 'Zum Bezahlen scannen',
    picture: 'QR-Code dieser Zahlung',
    scanWith: {
      pix: 'Öffnen Sie Ihre Banking-App, wählen Sie Pix und scannen Sie den Code oder fügen Sie ihn ein.',
      gcash: 'Öffnen Sie GCash, wählen Sie QR und scannen Sie den Code.',
      wechat: 'Öffnen Sie WeChat, wählen Sie Scannen und scannen Sie den Code.',
      vn_bank: 'Öffnen Sie Ihre Banking-App und scannen Sie den VietQR-Code.',
      other: 'Öffnen Sie Ihre Banking- oder Bezahl-App und scannen Sie den Code.',
    },
    openApp: 'App öffnen',
    copyCode: 'Code kopieren',
  },

  transfer: {
    title: 'Geld überweisen',
    heading: 'Von Ihrer Bank überweisen',
    text: 'Überweisen Sie genau diesen Betrag auf dieses Konto: per App, online oder am Schalter.',
    reference: 'Geben Sie diesen Verwendungszweck an: Daran erkennen wir Ihr Geld.',
    scan: 'Oder scannen Sie dies mit Ihrer Banking-App',
    leave: 'Sie können diese Seite schließen. Der Shop erfährt von selbst, wenn das Geld da ist.',
  },

  labels: {
    amount: 'Betrag',
    payee: 'Empfänger',
    bank: 'Bank',
    reference: 'Verwendungszweck',
    account: 'Konto',
    va: 'Kontonummer',
    address: 'Adresse',
    network: 'Netzwerk',
    coinAmount: 'Zu sendender Betrag',
  },

  crypto: {
    title: (coin) => `Bezahlen mit ${coin}`,
    heading: (coin) => `${coin} senden`,
    warning: (coin, network) =>
      `Senden Sie nur ${coin} und nur über ${network}. Was in einem anderen Netzwerk oder einer anderen Währung gesendet wird, ist verloren.`,
    exact: 'Senden Sie genau diesen Betrag. Ihre Wallet rechnet eventuell eine Netzwerkgebühr hinzu.',
    seen: 'Ihre Zahlung ist im Netzwerk zu sehen',
    confirmations: (seen, needed) => `${seen} von ${needed} Bestätigungen`,
  },

  copy: { button: 'Kopieren', done: 'Kopiert', named: (label) => `Kopieren: ${label}` },

  time: {
    left: (time) => `Noch ${time}`,
    until: (moment) => `Zu bezahlen bis ${moment}`,
    over: 'Die Zeit zum Bezahlen ist um. Haben Sie schon bezahlt, geht nichts verloren: Das Ergebnis erscheint hier.',
  },

  part: {
    heading: 'Ein Teil des Geldes ist da',
    text: (came, missing) =>
      `${came} sind angekommen, ${missing} fehlen noch. Senden Sie den Rest auf demselben Weg.`,
  },

  waiting: {
    title: 'Zahlung läuft',
    heading: 'Wir warten auf die Antwort',
    text: 'Wir fragen, ob die Zahlung geklappt hat. Diese Seite ändert sich von selbst.',
    leave:
      'Sie können die Seite verlassen: Es wird nicht doppelt abgebucht, und der Shop erfährt das Ergebnis.',
    forPayment: 'Wir warten auf Ihre Zahlung. Diese Seite ändert sich von selbst.',
  },

  done: {
    title: 'Zahlung erfolgreich',
    heading: 'Ihre Zahlung hat geklappt',
    text: 'Vielen Dank. Sie können jetzt zum Shop zurückkehren.',
  },

  failed: { title: 'Zahlung fehlgeschlagen', heading: 'Ihre Zahlung hat nicht geklappt' },

  cancelled: {
    title: 'Zahlung abgebrochen',
    heading: 'Diese Zahlung wurde abgebrochen',
    text: 'Es wurde nichts abgebucht.',
  },

  expired: {
    title: 'Zahlung abgelaufen',
    heading: 'Diese Zahlung ist abgelaufen',
    text: 'Die Zeit zum Bezahlen ist vorbei, es wurde nichts abgebucht. Falls Sie trotzdem Geld gesendet haben, fragen Sie beim Shop nach.',
  },

  ways: {
    another: 'Anders bezahlen',
    cancel: 'Abbrechen und zurück zum Shop',
    back: 'Zurück zum Shop',
    backIn: (seconds) => `In ${seconds} s geht es zurück zum Shop.`,
    stay: 'Auf dieser Seite bleiben',
    close: 'Schließen',
  },

  cashier: {
    title: 'Zahlung',
    go: 'Weiter zur Zahlung',
    refused: 'Zahlung nicht begonnen',
    retry: 'Gehen Sie zum Shop zurück und versuchen Sie es noch einmal.',
  },

  missing: {
    title: 'Seite nicht gefunden',
    heading: 'Diese Zahlungsseite gibt es nicht',
    text: 'Der Link ist unvollständig oder zu alt. Gehen Sie zum Shop zurück und beginnen Sie die Zahlung neu.',
  },

  offline: {
    heading: 'Es gab keine Verbindung',
    text: 'Es wurde nichts gesendet. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    button: 'Noch einmal versuchen',
  },

  busy: 'Diese Seite wurde zu oft geladen. Laden Sie sie in einer Minute noch einmal: Es geht nichts verloren.',

  broken: {
    title: 'Etwas ist schiefgegangen',
    heading: 'Bei uns ist etwas schiefgegangen',
    text: 'Laden Sie die Seite gleich noch einmal. Haben Sie schon bestätigt, erfährt der Shop das Ergebnis.',
  },

  payout: {
    title: 'Geld erhalten',
    heading: 'Wohin soll das Geld gehen?',
    button: (amount) => `${amount} erhalten`,
    kinds: {
      card: 'Karte',
      bank_account: 'Bankkonto',
      pix: 'Pix',
      per_transfer: 'Bankkonto in Peru',
      spei: 'Bankkonto in Mexiko',
    },
    accounts: {
      card: 'Kartennummer',
      bank_account: 'IBAN oder Kontonummer',
      pix: 'Pix-Schlüssel',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC (SWIFT-Code)',
      beneficiaryType: 'Das Konto gehört',
      addressLine: 'Straße und Hausnummer',
      city: 'Ort',
      countryCode: 'Land',
      accountType: 'Art des Kontos',
    },
    hints: {
      bankCode: 'Mit einer IBAN nicht nötig',
      pix: 'CPF, CNPJ, E-Mail, Telefon oder Zufallsschlüssel',
      per_transfer: '20 Ziffern',
      spei: '18 Ziffern',
    },
    way: { title: 'Unterwegs', heading: 'Ihr Geld ist unterwegs' },
    wayTo: (end) => `Es geht auf das Konto mit der Endung ${end}. Diese Seite ändert sich von selbst.`,
    leave: 'Sie können die Seite verlassen: Sie müssen nichts weiter tun.',
    sent: { title: 'Ausgezahlt', heading: 'Ihr Geld wurde gesendet' },
    sentTo: (end) => `Es ging auf das Konto mit der Endung ${end}.`,
    failed: { title: 'Nicht ausgezahlt', heading: 'Das Geld konnte nicht gesendet werden' },
    sendAgain: (merchant) => `${merchant} weiß Bescheid und kann es erneut senden.`,
    goTo: (merchant) => `Zu ${merchant}`,
    missing: {
      title: 'Seite nicht gefunden',
      heading: 'Diese Auszahlungsseite gibt es nicht',
      text: 'Der Link ist unvollständig oder zu alt. Bitten Sie den Absender um einen neuen.',
    },
    broken:
      'Laden Sie die Seite gleich noch einmal. Sie werden nie auf zwei Konten und nie doppelt ausgezahlt.',
  },
  links: {
    amount: 'Zu zahlender Betrag',
    between: (least, most) => `Von ${least} bis ${most}`,
    atLeast: (least) => `Mindestens ${least}`,
    atMost: (most) => `Höchstens ${most}`,
    again: 'Neu beginnen',
    cancel: 'Diese Zahlung abbrechen',
    thanks: 'Vielen Dank. Sie können diese Seite schließen.',
    missing: {
      heading: 'Diesen Zahlungslink gibt es nicht',
      text: 'Der Link ist unvollständig. Bitten Sie den Absender um den ganzen Link.',
    },
    expired: {
      heading: 'Dieser Zahlungslink ist abgelaufen',
      text: (merchant) => `Bitten Sie ${merchant} um einen neuen.`,
    },
    off: {
      heading: 'Dieser Zahlungslink ist nicht mehr aktiv',
      text: (merchant) => `Bitten Sie ${merchant} um einen neuen.`,
    },
    paid: {
      heading: 'Dieser Zahlungslink wurde schon bezahlt',
      text: 'Er kann nur einmal bezahlt werden. Sie müssen nichts weiter tun.',
    },
    unavailable: {
      heading: 'Dieser Link kann gerade nicht bezahlt werden',
      text: (merchant) =>
        `Versuchen Sie es später noch einmal, oder fragen Sie ${merchant}. Es wurde nichts abgebucht.`,
    },
    receipt: {
      title: 'Quittung',
      paidOn: 'Bezahlt am',
      method: 'Bezahlt mit',
      refunded: 'Erstattet',
      rest: 'Bezahlt nach Erstattungen',
      print: 'Drucken',
      missing: {
        heading: 'Diese Quittung gibt es nicht',
        text: 'Der Link ist unvollständig oder abgelaufen. Bitten Sie den Shop um einen neuen.',
      },
    },
  },
}
