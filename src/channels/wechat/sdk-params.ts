// The signed parameters for the WeChat SDK in a merchant's app, or for `wx.requestPayment` in a mini program. They are
// deterministic: opening an order again gives the same parameters.
import { createHash, type KeyObject } from 'node:crypto'
import { signRsa } from '../rsa-signature.ts'

export type Prepaid = {
  readonly appid: string
  readonly mchid: string
  readonly prepayId: string
  readonly at: Date
}

export function appParams({ appid, mchid, prepayId, at }: Prepaid, privateKey: KeyObject): string {
  const { timestamp, nonce } = stampOf(prepayId, at)
  return JSON.stringify({
    appid,
    partnerid: mchid,
    prepayid: prepayId,
    package: 'Sign=WXPay',
    noncestr: nonce,
    timestamp,
    sign: signLines([appid, timestamp, nonce, prepayId], privateKey),
  })
}

export function miniProgramParams({ appid, prepayId, at }: Prepaid, privateKey: KeyObject): string {
  const { timestamp, nonce } = stampOf(prepayId, at)
  const prepaid = `prepay_id=${prepayId}`
  return JSON.stringify({
    appId: appid,
    timeStamp: timestamp,
    nonceStr: nonce,
    package: prepaid,
    signType: 'RSA',
    paySign: signLines([appid, timestamp, nonce, prepaid], privateKey),
  })
}

function stampOf(prepayId: string, at: Date) {
  const nonce = createHash('sha256').update(prepayId).digest('hex').slice(0, 32)
  return { timestamp: String(Math.floor(at.getTime() / 1000)), nonce }
}

function signLines(lines: readonly string[], privateKey: KeyObject): string {
  return signRsa(lines.map((line) => `${line}\n`).join(''), privateKey)
}
