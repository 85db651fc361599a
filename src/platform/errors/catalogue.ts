// The error catalogue: the only source of the merchant interface's codes and of their messages, to which a refusal may
// add a detail. Tests compare the documents with this file.

export const catalogue = {
  '00000': 'SUCCESS',
  '10000': 'Payment method is empty',
  '10001': 'Payment method does not exist',
  '10002': 'A required parameter is empty',
  '10003': 'The same order was submitted again too soon',
  '10004': 'Merchant number does not exist',
  '10005': 'Merchant is not active',
  '10006': 'Referer is empty',
  '10007': 'Referer is not an http or https address',
  '10008': "Referer's website is not registered for this merchant",
  '10009': 'Duplicate merchant order number',
  '10010': 'Merchant has no transaction currency',
  '10011': 'Channel is not open for this merchant and method',
  '10012': 'Card type is not enabled for this merchant',
  '10013': 'Bank does not exist',
  '10014': 'No conversion rate',
  '10015': 'Signature error',
  '10016': "The platform's daily limit for this method is exceeded",
  '10017': "The platform's monthly limit for this method is exceeded",
  '10018': 'Currency is empty',
  '10019': 'Currency is not open for this merchant or method',
  '10020': 'Merchant has no single limit configured',
  '10021': 'Merchant has no daily limit configured',
  '10022': 'Merchant has no monthly limit configured',
  '10023': "The merchant's single limit is reached",
  '10024': "The merchant's daily limit is reached",
  '10025': "The merchant's monthly limit is reached",
  '10026': 'Transaction not found, or it does not match the original',
  '10101': 'Refund exceeds what is left to refund',
  '10102': "The order's state does not allow this",
  '10103': 'This method cannot be refunded',
  '10104': 'Balance is too low',
  '10105': "Beneficiary's account is not valid",
  '10106': 'File refused',
  '10107': 'Too many requests',
  '10108': 'Page or date range is out of bounds',
  '10109': 'Version is not supported',
  '99995': 'Channel did not answer; nothing was charged',
  '99996': 'Not JSON, or a parameter has the wrong type',
  '99997': 'A parameter breaks a restriction',
  '99998': 'Channel refused to open the payment',
  '99999': 'System error',
} as const

export type Code = keyof typeof catalogue
export type RefusalCode = Exclude<Code, '00000'>

type RetryAdvice = { readonly retryAfterSeconds?: number }

/** An expected refusal. The caller gets the code and the message, and nothing is logged as an error. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /**
   * The number of seconds after which the same request may succeed. Set only for refusals that limit the rate of
   * requests.
   */
  readonly retryAfterSeconds: number | undefined
  constructor(code: RefusalCode, detail?: string, { retryAfterSeconds }: RetryAdvice = {}) {
    super(detail === undefined ? catalogue[code] : `${catalogue[code]}: ${detail}`)
    this.name = 'Refusal'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A setting is wrong, so the program cannot start. The message names the setting and the broken rule. */
export class SettingError extends Error {}

/** An operator's change is refused, and nothing was changed. The message says why in one sentence. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal'
  /** The field at which a form shows the message, if the refusal is about one field. */
  readonly field: string | undefined
  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

/** Returns the result of `read`. If `read` throws an OperatorRefusal, throws the same refusal for this field. */
export function aboutField<Value>(field: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof OperatorRefusal ? new OperatorRefusal(error.message, field) : error
  }
}

/** Throws if the condition is false, which is a bug. `invariant` says what must be true. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${invariant}`)
}
