import type { Words } from './en.ts'

export const fr: Words = {
  sandbox: 'Environnement de test : aucun argent ne circule',

  order: {
    items: 'Votre commande',
    total: 'Total',
    number: 'Commande',
    payment: 'Paiement',
    payout: 'Versement',
    beneficiary: 'Bénéficiaire',
    paysYou: (merchant) => `${merchant} vous verse`,
  },

  choose: {
    title: 'Comment souhaitez-vous payer ?',
    oneWay: (method) => `Payer avec ${method}`,
    pay: (amount) => `Payer ${amount}`,
    card: 'Informations de la carte',
    cardBrands: (names) => `Cartes acceptées : ${names}`,
    codeHint: '3 chiffres, 4 pour Amex',
    billing: 'Coordonnées de facturation',
    details: 'Vos coordonnées',
    pick: 'Choisir',
    again: 'Vous pouvez réessayer ou payer autrement.',
    fix: 'Veuillez vérifier les champs signalés.',
    retype: 'Saisissez de nouveau le numéro de carte et le code de sécurité.',
    paying: 'Un instant…',
  },

  methods: {
    card: { name: 'Carte bancaire', advice: '' },
    alipay: { name: 'Alipay', advice: 'Vous confirmez chez Alipay, puis vous revenez ici.' },
    wechat: {
      name: 'WeChat Pay',
      advice:
        'Vous payez dans l’application WeChat : en scannant un code, ou directement sur votre téléphone.',
    },
    unionpay: { name: 'UnionPay', advice: 'Vous confirmez chez UnionPay, puis vous revenez ici.' },
    cash_app: { name: 'Cash App Pay', advice: 'Vous confirmez dans Cash App, puis vous revenez ici.' },
    gcash: { name: 'GCash', advice: 'Vous recevez un code QR Ph à scanner avec GCash.' },
    pix: {
      name: 'Pix',
      advice: 'Vous recevez un code QR et un code à coller dans l’application de votre banque.',
    },
    spei: { name: 'Virement SPEI', advice: 'Vous recevez une CLABE pour faire le virement.' },
    per_transfer: { name: 'Virement au Pérou', advice: 'Vous recevez un CCI pour faire le virement.' },
    sepa: { name: 'Virement SEPA', advice: 'Vous recevez un IBAN pour faire le virement.' },
    vn_bank: {
      name: 'Banque vietnamienne',
      advice: 'Vous payez par VietQR ou sur un compte créé pour cette commande.',
    },
    crypto: { name: 'Crypto', advice: 'Vous recevez une adresse et le montant exact à envoyer.' },
  },

  fields: {
    cardNo: 'Numéro de carte',
    cardExpiry: 'Expiration (MM/AA)',
    cardSecurityCode: 'Code de sécurité',
    billingFirstName: 'Prénom',
    billingLastName: 'Nom',
    billingAddress1: 'Adresse',
    billingCity: 'Ville',
    billingState: 'État ou région',
    billingCountry: 'Pays',
    billingZipCode: 'Code postal',
    billingPhone: 'Téléphone',
    billingEmail: 'E-mail',
    email: 'E-mail',
    name: 'Nom complet',
    socialSecurityNumber: 'CPF ou CNPJ',
    customerIdentificationType: 'Pièce d’identité',
    customerIdentification: 'Numéro de la pièce',
    paymentMethodStr: 'Façon de payer',
    vaBankId: 'Banque',
    coin: 'Monnaie',
    network: 'Réseau',
  },

  choices: {
    'customerIdentificationType.00': 'Carte d’identité (DNI)',
    'customerIdentificationType.01': 'Carte d’étranger (CE)',
    'customerIdentificationType.02': 'Numéro fiscal (RUC)',
    'customerIdentificationType.03': 'Passeport',
    'paymentMethodStr.qrcode': 'Code QR (VietQR)',
    'paymentMethodStr.va': 'Virement sur un compte dédié',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'Un particulier',
    'beneficiaryType.business': 'Une entreprise',
    'accountType.00': 'Compte courant',
    'accountType.01': 'Compte d’épargne',
  },

  problems: {
    missing: 'Veuillez remplir ce champ',
    tooLong: 'C’est trop long, ou certains caractères ne sont pas admis',
    notListed: 'Choisissez dans la liste',
    invalid: 'À vérifier : cela ne semble pas correct',
    cardNumber: 'Vérifiez le numéro de carte : un chiffre est faux ou manque',
    cardBrand: 'Cette boutique n’accepte pas ce type de carte',
    expiry: 'Indiquez le mois et l’année, par exemple 08/29',
    expired: 'Cette carte a expiré',
    securityCode: 'Saisissez les trois chiffres au dos de la carte',
    securityCodeInFront: 'Saisissez les quatre chiffres au recto de la carte',
    email: 'Indiquez une adresse e-mail, par exemple nom@example.com',
    taxNumber: 'Vérifiez le CPF ou CNPJ : un chiffre est faux ou manque',
    document: 'Le numéro ne correspond pas au type de pièce',
    network: 'Cette monnaie n’est pas acceptée sur ce réseau',
    bankCodeMissing: 'Un numéro de compte demande le BIC de sa banque',
    bankCode: 'Ce n’est pas un BIC',
    account: 'Vérifiez le compte : un chiffre est faux ou manque',
  },

  notices: {
    stale: 'Ce paiement s’est poursuivi dans un autre onglet ou une autre fenêtre. Voici où il en est.',
    tooManyAttempts: 'Il y a eu trop d’essais. Attendez quelques minutes ou payez autrement.',
    unavailable: 'Ce moyen de paiement n’est pas disponible pour l’instant. Veuillez en choisir un autre.',
    limit: 'Ce montant ne peut pas être payé ainsi. Veuillez choisir un autre moyen.',
    unreachable: 'La banque est injoignable pour l’instant. Réessayez dans un moment.',
  },

  reasons: {
    declined: 'Votre banque ou portefeuille l’a refusé. Vous n’avez pas été débité.',
    insufficientFunds: 'La provision est insuffisante. Vous n’avez pas été débité.',
    expiredCard: 'La carte a expiré. Vous n’avez pas été débité.',
    securityCode: 'Le code de sécurité n’est pas bon. Vous n’avez pas été débité.',
    notConfirmed: 'Votre banque n’a pas pu confirmer que c’était vous. Vous n’avez pas été débité.',
    cancelled: 'Il a été annulé. Vous n’avez pas été débité.',
    expired: 'Le délai de paiement est écoulé. Vous n’avez pas été débité.',
    unavailable: 'Le paiement n’a pas pu commencer. Vous n’avez pas été débité.',
  },

  challenge: {
    title: 'Confirmez votre paiement',
    heading: 'Votre banque veut s’assurer que c’est bien vous',
    text: 'Confirmez le paiement sur la page de votre banque. Vous reviendrez ensuite ici.',
    button: 'Continuer vers votre banque',
    frame: 'Page de votre banque',
    back: 'Revenir au paiement',
    empty: 'La page de votre banque ne s’affiche pas ?',
    instead: 'L’ouvrir dans cette fenêtre',
    open: {
      heading: 'Votre banque n’a pas encore confirmé le paiement',
      text: 'Le paiement est toujours en cours. Continuez vers votre banque pour le confirmer.',
    },
  },

  redirect: {
    advice: (wallet) => `Vous confirmez avec ${wallet}, puis vous revenez ici.`,
    heading: (method) => `Continuer avec ${method}`,
    text: 'Confirmez le paiement là-bas. Vous reviendrez ensuite ici.',
    button: (method) => `Continuer vers ${method}`,
  },

  qr: {
    title: (method) => `Payer avec ${method}`,
    heading: 'Scannez pour payer',
    picture: 'Code QR de ce paiement',
    scanWith: {
      pix: 'Ouvrez l’application de votre banque, choisissez Pix, puis scannez ou collez le code.',
      gcash: 'Ouvrez GCash, choisissez QR et scannez le code.',
      wechat: 'Ouvrez WeChat, choisissez Scanner et scannez le code.',
      vn_bank: 'Ouvrez l’application de votre banque et scannez le code VietQR.',
      other: 'Ouvrez l’application de votre banque ou portefeuille et scannez le code.',
    },
    openApp: 'Ouvrir l’application',
    copyCode: 'Copier le code',
  },

  transfer: {
    title: 'Faites le virement',
    heading: 'Virement depuis votre banque',
    text: 'Virez exactement ce montant sur ce compte, par application, en ligne ou au guichet.',
    reference: 'Indiquez cette référence dans votre virement : elle nous dit que l’argent vient de vous.',
    scan: 'Ou scannez ceci avec l’application de votre banque',
    leave: 'Vous pouvez fermer cette page. La boutique saura d’elle-même quand l’argent sera arrivé.',
  },

  labels: {
    amount: 'Montant',
    payee: 'Bénéficiaire',
    bank: 'Banque',
    reference: 'Référence',
    account: 'Compte',
    va: 'Numéro de compte',
    address: 'Adresse',
    network: 'Réseau',
    coinAmount: 'Montant à envoyer',
  },

  crypto: {
    title: (coin) => `Payer en ${coin}`,
    heading: (coin) => `Envoyez des ${coin}`,
    warning: (coin, network) =>
      `Envoyez uniquement des ${coin}, et uniquement sur ${network}. Ce qui est envoyé sur un autre réseau ou dans une autre monnaie est perdu.`,
    exact: 'Envoyez exactement ce montant. Votre portefeuille peut y ajouter des frais de réseau.',
    seen: 'Votre transfert a été vu',
    confirmations: (seen, needed) => `${seen} sur ${needed} confirmations`,
  },

  copy: { button: 'Copier', done: 'Copié', named: (label) => `Copier : ${label}` },

  time: {
    left: (time) => `Temps restant : ${time}`,
    until: (moment) => `À payer avant le ${moment}`,
    over: 'Le délai de paiement est écoulé. Si vous avez déjà payé, rien n’est perdu : le résultat s’affichera ici.',
  },

  part: {
    heading: 'Une partie de l’argent est arrivée',
    text: (came, missing) => `${came} reçus, il manque encore ${missing}. Envoyez le reste de la même façon.`,
  },

  waiting: {
    title: 'Paiement en cours',
    heading: 'Nous attendons la réponse',
    text: 'Nous demandons si le paiement a abouti. Cette page se met à jour d’elle-même.',
    leave:
      'Vous pouvez quitter cette page : vous ne serez pas débité deux fois et la boutique saura le résultat.',
    forPayment: 'Nous attendons votre paiement. Cette page se met à jour d’elle-même.',
  },

  done: {
    title: 'Paiement réussi',
    heading: 'Votre paiement a abouti',
    text: 'Merci. Vous pouvez maintenant revenir à la boutique.',
  },

  failed: { title: 'Échec du paiement', heading: 'Votre paiement n’a pas abouti' },

  cancelled: {
    title: 'Paiement annulé',
    heading: 'Ce paiement a été annulé',
    text: 'Vous n’avez pas été débité.',
  },

  expired: {
    title: 'Paiement expiré',
    heading: 'Ce paiement a expiré',
    text: 'Le délai de paiement est écoulé et vous n’avez pas été débité. Si vous avez tout de même envoyé de l’argent, contactez la boutique.',
  },

  ways: {
    another: 'Payer autrement',
    cancel: 'Annuler et revenir à la boutique',
    back: 'Revenir à la boutique',
    backIn: (seconds) => `Retour à la boutique dans ${seconds} s.`,
    stay: 'Rester sur cette page',
    close: 'Fermer',
  },

  cashier: {
    title: 'Paiement',
    go: 'Continuer vers le paiement',
    refused: 'Paiement non commencé',
    retry: 'Revenez à la boutique et réessayez.',
  },

  missing: {
    title: 'Page introuvable',
    heading: 'Cette page de paiement n’existe pas',
    text: 'Le lien est incomplet ou trop ancien. Revenez à la boutique et recommencez le paiement.',
  },

  offline: {
    heading: 'Il n’y avait pas de connexion',
    text: 'Rien n’a été envoyé. Vérifiez votre connexion, puis réessayez.',
    button: 'Réessayer',
  },

  busy: 'Cette page a été chargée trop souvent. Rechargez-la dans une minute : rien n’est perdu.',

  broken: {
    title: 'Un problème est survenu',
    heading: 'Un problème est survenu de notre côté',
    text: 'Rechargez cette page dans un moment. Si vous avez déjà confirmé, la boutique saura le résultat.',
  },

  payout: {
    title: 'Recevez votre argent',
    heading: 'Où l’argent doit-il aller ?',
    button: (amount) => `Recevoir ${amount}`,
    kinds: {
      card: 'Carte',
      bank_account: 'Compte bancaire',
      pix: 'Pix',
      per_transfer: 'Compte bancaire au Pérou',
      spei: 'Compte bancaire au Mexique',
    },
    accounts: {
      card: 'Numéro de carte',
      bank_account: 'IBAN ou numéro de compte',
      pix: 'Clé Pix',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC (code SWIFT)',
      beneficiaryType: 'Le compte appartient à',
      addressLine: 'Adresse',
      city: 'Ville',
      countryCode: 'Pays',
      accountType: 'Type de compte',
    },
    hints: {
      bankCode: 'Inutile avec un IBAN',
      pix: 'CPF, CNPJ, e-mail, téléphone ou clé aléatoire',
      per_transfer: '20 chiffres',
      spei: '18 chiffres',
    },
    way: { title: 'En chemin', heading: 'Votre argent est en chemin' },
    wayTo: (end) => `Il va sur le compte qui se termine par ${end}. Cette page se met à jour d’elle-même.`,
    leave: 'Vous pouvez quitter cette page : vous n’avez plus rien à faire.',
    sent: { title: 'Versé', heading: 'Votre argent a été envoyé' },
    sentTo: (end) => `Il est allé sur le compte qui se termine par ${end}.`,
    failed: { title: 'Non versé', heading: 'L’argent n’a pas pu être envoyé' },
    sendAgain: (merchant) => `${merchant} en est informé et peut l’envoyer de nouveau.`,
    goTo: (merchant) => `Aller chez ${merchant}`,
    missing: {
      title: 'Page introuvable',
      heading: 'Cette page de versement n’existe pas',
      text: 'Le lien est incomplet ou trop ancien. Demandez-en un nouveau à la personne qui l’a envoyé.',
    },
    broken: 'Rechargez cette page dans un moment. Vous n’êtes jamais payé sur deux comptes, ni deux fois.',
  },
  links: {
    amount: 'Montant à payer',
    between: (least, most) => `De ${least} à ${most}`,
    atLeast: (least) => `Au moins ${least}`,
    atMost: (most) => `Au plus ${most}`,
    again: 'Recommencer',
    cancel: 'Annuler ce paiement',
    thanks: 'Merci. Vous pouvez fermer cette page.',
    missing: {
      heading: 'Ce lien de paiement n’existe pas',
      text: 'Le lien est incomplet. Demandez le lien complet à l’expéditeur.',
    },
    expired: {
      heading: 'Ce lien de paiement a expiré',
      text: (merchant) => `Demandez-en un nouveau à ${merchant}.`,
    },
    off: {
      heading: 'Ce lien de paiement n’est plus actif',
      text: (merchant) => `Demandez-en un nouveau à ${merchant}.`,
    },
    paid: {
      heading: 'Ce lien de paiement a déjà été payé',
      text: 'Il ne peut être payé qu’une fois. Vous n’avez plus rien à faire.',
    },
    unavailable: {
      heading: 'Ce lien ne peut pas être payé pour le moment',
      text: (merchant) => `Réessayez plus tard ou contactez ${merchant}. Vous n’avez pas été débité.`,
    },
    receipt: {
      title: 'Reçu',
      paidOn: 'Payé le',
      method: 'Payé avec',
      refunded: 'Remboursé',
      rest: 'Payé après remboursements',
      print: 'Imprimer',
      missing: {
        heading: 'Ce reçu n’existe pas',
        text: 'Le lien est incomplet ou a expiré. Demandez-en un nouveau à la boutique.',
      },
    },
  },
}
