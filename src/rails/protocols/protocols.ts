// The protocols that an entry of the channels file may name. A new protocol needs a folder and a line here.

import type { Protocol } from '../contract/protocol.ts'
import type { Connect } from '../contract/settings.ts'
import type { Method } from '../methods/methods.ts'
import { checkByAsking } from '../toolkit/check-connection.ts'
import { checkServed } from '../toolkit/settings/check-served.ts'
import { adyen } from './adyen/adyen.ts'
import { connectAlipay } from './alipay/channel.ts'
import { connectApplePay } from './apple-pay/apple-pay.ts'
import { bridge } from './bridge/bridge.ts'
import { dlocal } from './dlocal/dlocal.ts'
import { evm } from './evm/evm.ts'
import { connectGooglePay } from './google-pay/google-pay.ts'
import { pix } from './pix/pix.ts'
import { sepaFiles } from './sepa-files/sepa-files.ts'
import { stp } from './stp/stp.ts'
import { stripe } from './stripe/stripe.ts'
import { connectWechat } from './wechat/channel.ts'

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

/**
 * Returns the protocol of an entry without `protocol`: the protocol with the method's name, or bridge if there is none.
 */
export function defaultProtocol(method: Method): string {
  return protocols.has(method) ? method : 'bridge'
}

/** Returns a protocol that serves only one method and no payouts. */
function singleMethod(method: Method, connect: Connect): Protocol {
  return (settings, tools) => {
    checkServed(settings, [method])
    const channel = connect(settings, tools)
    return { channels: [channel], check: () => checkByAsking(channel, undefined) }
  }
}
