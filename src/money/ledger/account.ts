// Accounts are names; every account belongs to a merchant, the platform's own included, so no row is hot for all.
// The first part of a name is the owner of the money. Money that we owe is on the credit side.

/** The merchant's money that can be paid out. */
export const AVAILABLE = 'merchant:available'
/** The rolling reserve. */
export const MARGIN = 'merchant:margin'
/** The merchant's money that is not settled yet. */
export const UNSETTLED = 'merchant:unsettled'
/** The platform's side of conversions, per currency. Rounding differences stay here. */
export const EXCHANGE = 'platform:exchange'
/** The platform's income from this merchant. */
export const FEES = 'platform:fees'
/** Money that came late, short, in surplus, or for no known merchant. */
export const SUSPENSE = 'suspense'
/** Chargebacks pass through this account to the channel and the fees. */
export const DISPUTED = 'transit:disputed'
/** Payouts, with their fees, whose outcome is not known yet. */
export const PAYOUTS_IN_FLIGHT = 'transit:payouts'
/** Refunds whose outcome is not known yet. */
export const REFUNDS_IN_FLIGHT = 'transit:refunds'
/** The money of payments in review. */
export const REVIEW = 'transit:review'

/** What a channel owes us. */
export function channelAccount(channel: string): string {
  return `rail:${channel}`
}

/** The step of a correcting entry; its subject is its own. */
export const CORRECTION = 'correction'

const correctable: readonly string[] = [AVAILABLE, EXCHANGE, FEES]

/** Accounts whose balance no other row explains. The sums of orders, refunds, payouts and suspense cannot be corrected. */
export function isCorrectable(account: string): boolean {
  return correctable.includes(account) || /^rail:[\w-]+$/.test(account)
}

export const correctableAccounts = `${correctable.join(', ')} or rail:CHANNEL`
