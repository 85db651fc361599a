// The English texts of the pages behind a payment link, and of receipts.

export const enLinks = {
  amount: 'Amount to pay',
  between: (least: string, most: string) => `From ${least} to ${most}`,
  atLeast: (least: string) => `At least ${least}`,
  atMost: (most: string) => `At most ${most}`,
  again: 'Start again',
  cancel: 'Cancel this payment',
  thanks: 'Thank you. You can close this page.',
  missing: {
    heading: 'This payment link does not exist',
    text: 'The link is incomplete. Ask the sender for the whole link.',
  },
  expired: {
    heading: 'This payment link has expired',
    text: (merchant: string) => `Ask ${merchant} for a new one.`,
  },
  off: {
    heading: 'This payment link is no longer active',
    text: (merchant: string) => `Ask ${merchant} for a new one.`,
  },
  paid: {
    heading: 'This payment link was already paid',
    text: 'It can be paid only once. There is nothing more for you to do.',
  },
  unavailable: {
    heading: 'This link cannot be paid right now',
    text: (merchant: string) => `Try again later, or ask ${merchant}. You were not charged.`,
  },
  receipt: {
    title: 'Receipt',
    paidOn: 'Paid on',
    method: 'Paid with',
    refunded: 'Refunded',
    rest: 'Paid after refunds',
    print: 'Print',
    missing: {
      heading: 'This receipt does not exist',
      text: 'The link is incomplete or has expired. Ask the shop for a new one.',
    },
  },
}

export type LinkWords = typeof enLinks
