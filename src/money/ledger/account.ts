// The name of an account is unique within a merchant. The platform's own accounts also exist once for each merchant, so
// that no row is shared by all merchants. The first part of a name is the kind of account. Money that we owe is on the
// credit side.

/** The merchant's money that can be paid out. */
export const AVAILABLE = 'merchant:available'
/** The margin of the merchant's payments, which is withheld for some time (a rolling reserve). */
export const MARGIN = 'merchant:margin'
/** The merchant's money from payments that are not settled yet. */
export const UNSETTLED = 'merchant:unsettled'
/** The platform's side of conversions, per currency. Rounding differences stay here. */
export const EXCHANGE = 'platform:exchange'
/** The platform's income from this merchant. */
export const FEES = 'platform:fees'
/** Money that arrived late, short, in surplus or in another currency for an order, or for no known order. */
export const SUSPENSE = 'suspense'
/** The account through which the money of a chargeback passes to the channel and to the fees. */
export const DISPUTED = 'transit:disputed'
/** Payouts, with their fees, whose outcome is not known yet. */
export const PAYOUTS_IN_FLIGHT = 'transit:payouts'
/** Refunds whose outcome is not known yet. */
export const REFUNDS_IN_FLIGHT = 'transit:refunds'
/** The part of a returned refund or payout that the channel kept. The merchant bears this part. */
export const RETURN_COSTS = 'transit:return-costs'
/** The money of payments in review. */
export const REVIEW = 'transit:review'

/** The account for the money that a channel owes us. */
export function channelAccount(channel: string): string {
  return `rail:${channel}`
}

/** The step of all correcting entries. Every correction has its own subject, so the step needs no number. */
export const CORRECTION = 'correction'

const correctable: readonly string[] = [AVAILABLE, EXCHANGE, FEES]

/** True if an operator may correct the balance. Other balances are sums of orders, refunds, payouts and suspense. */
export function isCorrectable(account: string): boolean {
  return correctable.includes(account) || /^rail:[\w-]+$/.test(account)
}

export const correctableAccounts = `${correctable.join(', ')} or rail:CHANNEL`
