// The traits of each method that the rules need.

export type Method =
  | 'card'
  | 'alipay'
  | 'wechat'
  | 'unionpay'
  | 'apple_pay'
  | 'google_pay'
  | 'cash_app'
  | 'gcash'
  | 'pix'
  | 'spei'
  | 'per_transfer'
  | 'sepa'
  | 'vn_bank'
  | 'crypto'

type Traits = {
  /** The currencies that the method takes; undefined for all. */
  readonly currencies?: readonly string[]
  /** True if the payer transfers the money, perhaps in parts, too much or too late. */
  readonly byTransfer?: true
  readonly noRefunds?: true
  /** The minutes that a payer has for an attempt. */
  readonly minutes: number
}

const HALF_AN_HOUR = 30
const THREE_DAYS = 3 * 24 * 60

const traits: Readonly<Record<Method, Traits>> = {
  card: { minutes: HALF_AN_HOUR },
  alipay: { currencies: ['USD', 'EUR'], minutes: HALF_AN_HOUR },
  wechat: { currencies: ['USD', 'EUR'], minutes: HALF_AN_HOUR },
  unionpay: { currencies: ['USD', 'EUR'], noRefunds: true, minutes: HALF_AN_HOUR },
  apple_pay: { minutes: HALF_AN_HOUR },
  google_pay: { minutes: HALF_AN_HOUR },
  cash_app: { currencies: ['USD'], noRefunds: true, minutes: HALF_AN_HOUR },
  gcash: { currencies: ['PHP'], minutes: HALF_AN_HOUR },
  pix: { currencies: ['BRL'], minutes: HALF_AN_HOUR },
  spei: { currencies: ['MXN'], byTransfer: true, minutes: THREE_DAYS },
  per_transfer: { currencies: ['PEN'], byTransfer: true, noRefunds: true, minutes: THREE_DAYS },
  sepa: { currencies: ['EUR'], byTransfer: true, minutes: THREE_DAYS },
  vn_bank: { currencies: ['VND'], byTransfer: true, minutes: THREE_DAYS },
  crypto: { byTransfer: true, minutes: 60 },
}

export const methodNames = Object.keys(traits).filter((name): name is Method => name in traits)

export function takes(method: Method, currency: string): boolean {
  return traits[method].currencies?.includes(currency) ?? true
}

export function isByTransfer(method: string): boolean {
  return find(method)?.byTransfer === true
}

export function mayRefund(method: string): boolean {
  return find(method)?.noRefunds !== true
}

export function payersTimeMs(method: string): number {
  return (find(method)?.minutes ?? HALF_AN_HOUR) * 60_000
}

/** Returns undefined for `checkout`, which stands for a method that the payer has not chosen yet. */
function find(method: string): Traits | undefined {
  const known = methodNames.find((name) => name === method)
  return known && traits[known]
}
