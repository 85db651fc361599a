// Accounts are names; every account belongs to a merchant, the platform's own included, so no row is hot for all.
// Money we owe the merchant stands on the credit side.

/** What a channel owes us, one account a channel. */
export function channelAccount(channel: string): string {
  return `channel:${channel}`
}

/** The merchant's money that is not settled yet. */
export const UNSETTLED = 'unsettled'
/** The merchant's money that may be paid out. */
export const AVAILABLE = 'available'
/** The rolling reserve. */
export const MARGIN = 'margin'
/** The platform's income from this merchant. */
export const FEES = 'fees'
