// Alipay and WeChat Pay over the bridge. The payer's action depends on the terminal: in browsers a code or a page, in
// the merchant's own app or mini program the parameters for the wallet's SDK.
import type { Fields } from '../../../../platform/base/object.ts'
import type { PayerAction, StartRequest } from '../../../contract/channel.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge, redirectTo } from '../bank/charge.ts'

/**
 * Returns the payer's fields for the bridge. Mini programs need the payer's id at the wallet, and phone pages need the
 * payer's IP address.
 */
function toOpen({ terminal, details: { userId, osType, ipAddress } }: StartRequest): Fields {
  return { terminal, userId, osType, ipAddress }
}

export function walletAction(charge: BankCharge): PayerAction | undefined {
  const { qrCode, sdkParams, extra } = charge
  if (extra.terminal === 'APP' || extra.terminal === 'MINI_APP')
    return sdkParams === undefined ? undefined : { kind: 'app', sdkParams }
  // A payer on a phone cannot scan a code on the screen of the same phone.
  const isScanned = qrCode !== undefined && extra.terminal !== 'WAP'
  return isScanned ? { kind: 'qr', qrCode, ...appUrlOf(charge) } : redirectTo(charge)
}

/**
 * Returns the payer's action. WeChat Pay opens its phone page only from a registered domain, so the browser must send
 * our origin as the referrer.
 */
export function wechatAction(charge: BankCharge): PayerAction | undefined {
  const action = walletAction(charge)
  return action?.kind === 'redirect' ? { ...action, referrer: 'origin' } : action
}

export const bridgeAlipay = connectBank({
  method: 'alipay',
  reports: 'exact',
  toOpen,
  actionOf: walletAction,
})

export const bridgeWechat = connectBank({
  method: 'wechat',
  reports: 'exact',
  toOpen,
  actionOf: wechatAction,
})
