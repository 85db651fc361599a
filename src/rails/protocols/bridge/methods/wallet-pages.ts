// Alipay and WeChat Pay over the bridge. What the payer gets depends on the terminal: a code or a page in browsers, parameters
// for the wallet's SDK in the merchant's own app or mini program.
import type { Fields } from '../../base/object.ts'
import { alipay } from '../alipay/method.ts'
import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import { connectBank } from '../bank/connect.ts'
import { redirectTo } from '../bank/redirect.ts'
import type { PayerAction, StartRequest } from '../contract.ts'
import { wechat } from '../wechat/method.ts'

/** Mini programs need the payer's id at the wallet, phone pages the payer's address. */
function toOpen({ terminal, details: { userId, osType, ipAddress } }: StartRequest): Fields {
  return { terminal, userId, osType, ipAddress }
}

export function walletAction(charge: BankCharge): PayerAction | undefined {
  const { qrCode, sdkParams, extra } = charge
  if (extra.terminal === 'APP' || extra.terminal === 'MINI_APP')
    return sdkParams === undefined ? undefined : { kind: 'app', sdkParams }
  // Nobody can scan the screen of the phone in their hand.
  const isScanned = qrCode !== undefined && extra.terminal !== 'WAP'
  return isScanned ? { kind: 'qr', qrCode, ...appUrlOf(charge) } : redirectTo(charge)
}

/** WeChat Pay opens its phone page only for payers who come from a registered domain. */
export function wechatAction(charge: BankCharge): PayerAction | undefined {
  const action = walletAction(charge)
  return action?.kind === 'redirect' ? { ...action, referrer: 'origin' } : action
}

export const bridgeAlipay = connectBank({
  method: 'alipay',
  traits: alipay,
  reports: 'exact',
  toOpen,
  actionOf: walletAction,
})

export const bridgeWechat = connectBank({
  method: 'wechat',
  traits: wechat,
  reports: 'exact',
  toOpen,
  actionOf: wechatAction,
})
