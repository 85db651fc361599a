import type { PayoutWords } from './en.ts'

export const frPayouts: PayoutWords = {
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
}
