import type { LinkWords } from './en.ts'

export const deLinks: LinkWords = {
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
}
