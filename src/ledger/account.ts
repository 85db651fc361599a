// Accounts are names; every account belongs to a merchant, the platform's own included, so no row is hot for all.
// The first part of a name is the owner of the money. Money that we owe is on the credit side.

/** The merchant's money that may be paid out. */
export const AVAILABLE = 'merchant:available'
/** The rolling reserve. */
export const MARGIN = 'merchant:margin'
/** The merchant's money that is not settled yet. */
export const UNSETTLED = 'merchant:unsettled'
/** The platform's side of conversions, one a currency. What rounding leaves stays here. */
export const EXCHANGE = 'platform:exchange'
/** The platform's income from this merchant. */
export const FEES = 'platform:fees'
/** Money that came late, short, in surplus, or for no known merchant. */
export const SUSPENSE = 'suspense'
/** What a chargeback takes passes through here to the channel and the fees. */
export const DISPUTED = 'transit:disputed'
/** Payouts, with their fees, that the channel has not answered yet. */
export const PAYOUTS_IN_FLIGHT = 'transit:payouts'
/** Refunds that the channel has not answered yet. */
export const REFUNDS_IN_FLIGHT = 'transit:refunds'
/** Payments that are reviewed before they count as paid. */
export const REVIEW = 'transit:review'

/** What a channel owes us, one account a channel. */
export function channelAccount(channel: string): string {
  return `rail:${channel}`
}
