// The protocols that a channel may name. A new one is a folder and a line here.
import { adyen } from './adyen/adyen.ts'
import { connectAlipay } from './alipay/connect.ts'
import { connectApplePay } from './apple-pay/connect.ts'
import { bridge } from './bridge/bridge.ts'
import { dlocal } from './dlocal/dlocal.ts'
import { evm } from './evm/evm.ts'
import { connectGooglePay } from './google-pay/connect.ts'
import type { Method } from './method.ts'
import { pix } from './pix/pix.ts'
import type { Protocol } from './protocol.ts'
import { sepaFiles } from './sepa-files/connect.ts'
import { singleMethod } from './single-method.ts'
import { stp } from './stp/stp.ts'
import { stripe } from './stripe/stripe.ts'
import { connectWechat } from './wechat/connect.ts'

export const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['bridge', bridge],
  ['adyen', adyen],
  ['alipay', singleMethod('alipay', connectAlipay)],
  ['wechat', singleMethod('wechat', connectWechat)],
  ['apple_pay', singleMethod('apple_pay', connectApplePay)],
  ['google_pay', singleMethod('google_pay', connectGooglePay)],
  ['pix', pix],
  ['stp', stp],
  ['stripe', stripe],
  ['dlocal', dlocal],
  ['sepa-files', sepaFiles],
  ['evm', evm],
])

/** For entries without a protocol: a method's own one, else the bridge. */
export function defaultProtocol(method: Method): string {
  return protocols.has(method) ? method : 'bridge'
}
