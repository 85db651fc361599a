// The table of the pay-in methods of the merchant API. The traits of each method are in the method's own file.
import type { Words } from '../../platform/pages/translations/en.ts'
import { alipay } from './alipay.ts'
import { applePay } from './apple-pay.ts'
import { card } from './card.ts'
import { cashApp } from './cash-app.ts'
import { crypto } from './crypto.ts'
import { gcash } from './gcash.ts'
import { googlePay } from './google-pay.ts'
import { perTransfer } from './per-transfer.ts'
import { pix } from './pix.ts'
import { sepa } from './sepa.ts'
import { spei } from './spei.ts'
import type { MethodTraits } from './traits.ts'
import { unionpay } from './unionpay.ts'
import { vnBank } from './vn-bank.ts'
import { wechat } from './wechat.ts'

const declared = {
  card,
  alipay,
  wechat,
  unionpay,
  apple_pay: applePay,
  google_pay: googlePay,
  cash_app: cashApp,
  gcash,
  pix,
  spei,
  per_transfer: perTransfer,
  sepa,
  vn_bank: vnBank,
  crypto,
} as const satisfies Record<string, MethodTraits>

export type Method = keyof typeof declared

/**
 * The methods that the payer confirms at a wallet. If such a method has no texts of its own, its texts are made from
 * the wallet's name.
 */
type AtWallet = {
  [One in Method]: (typeof declared)[One] extends { readonly confirmedAt: string } ? One : never
}[Method]

/** One value for each method. The value may be missing for methods that the payer confirms at a wallet. */
export type Own<Value> = Readonly<Record<Exclude<Method, AtWallet>, Value> & Partial<Record<Method, Value>>>

export const methods: Readonly<Record<Method, MethodTraits>> = declared

/** Returns the name of a method, and the sentence about the payer's next steps. */
export function wordsOf(method: Method, words: Words): Words['methods']['card'] {
  const own: Own<Words['methods']['card']> = words.methods
  const { confirmedAt: name = '' } = methods[method]
  return own[method] ?? { name, advice: words.redirect.advice(name) }
}

export function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name)
}

export function methodNames(): Method[] {
  return Object.keys(methods).filter(isMethod)
}
