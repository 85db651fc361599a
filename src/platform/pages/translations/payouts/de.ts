import type { PayoutWords } from './en.ts'

export const dePayouts: PayoutWords = {
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
}
