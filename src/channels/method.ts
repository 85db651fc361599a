// The pay-in methods of the interface. Each method's folder declares its traits.

import { alipay } from './alipay/method.ts'
import { applePay } from './apple-pay/method.ts'
import { card } from './card/method.ts'
import { cashApp } from './cash-app/method.ts'
import { crypto } from './crypto/method.ts'
import { gcash } from './gcash/method.ts'
import { googlePay } from './google-pay/method.ts'
import { perTransfer } from './per-transfer/method.ts'
import { pix } from './pix/method.ts'
import { sepa } from './sepa/method.ts'
import { spei } from './spei/method.ts'
import type { MethodTraits } from './traits.ts'
import { unionpay } from './unionpay/method.ts'
import { vnBank } from './vn-bank/method.ts'
import { wechat } from './wechat/method.ts'

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

export const methods: Readonly<Record<Method, MethodTraits>> = declared

export function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name)
}

export function methodNames(): Method[] {
  return Object.keys(methods).filter(isMethod)
}
