// The records about refunds in the channel's memory.

/** Adyen's reference of a refund as key, with ours. */
export const REFUND = 'refund'
/** Adyen's reference of a refund as key, with what a webhook said of it, under the reference in that webhook. */
export const RESULT = 'refund-result'
/** Our reference as key, with the amount and the time when the refund may first have reached Adyen, under the payment's reference. */
export const FIRST_SENT = 'refund-sent'
/** Adyen keeps keys for at least seven days; one less, in case the clocks differ. */
export const KEYS_KEPT_MS = 6 * 86_400_000
