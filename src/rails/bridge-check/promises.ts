// The promises of every connection to a rail. The contract tests of our own protocols and `tollgate bridge check` both
// test these promises. A test compares both with this list.
export const promises = {
  paid: 'reports success with the amount and its own reference',
  declined: 'reports a decline with a reason, consistently',
  once: 'charges once, however often the same reference is started',
  many: 'starts a hundred concurrent attempts, each with its own reference',
  refused: 'reports failed if the counterparty refuses to open the payment',
  neverSeen:
    'reports failed for a reference that the counterparty never saw, which then can never be charged',
  cancelUnstarted: 'cancels an attempt that was never started, permanently',
  cancelWaiting: 'cancels an attempt that waits for its payer; later money is reported as late',
  cancelPaid: 'reports success when a paid attempt is cancelled too late',
  transfers:
    'reports all transfers: too little, then the rest, then too much; or accepts only the exact amount',
  refunds: 'refunds in parts up to the payment, or reports that refunds are not supported',
  refundOnce: 'refunds once, however often the same refund is requested',
  payoutPaid: 'pays, and reports the amount and its own reference, consistently',
  payoutOnce: 'pays once, however often the same reference is sent',
  payoutAbsent: 'reports absent for a reference that the counterparty never saw, which may then be sent',
  payoutRefused: 'fails a payout that the counterparty does not accept',
  payoutReturned: 'reports a paid payout whose money came back as returned, and stays with it',
  payoutTokens: 'exchanges a card number for a token without it, or reports that it pays to no cards',
} as const
