import type { LinkWords } from './en.ts'

export const frLinks: LinkWords = {
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
}
