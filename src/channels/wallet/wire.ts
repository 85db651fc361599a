// Our words to the acquirer that charges a wallet's card, and to the wallet's own sheet; pure.
import { createHmac } from 'node:crypto'
import type { Money } from '../../base/money.ts'
import type { Fields } from '../../base/object.ts'
import { isSame } from '../../base/secret.ts'
import type { BankCharge } from '../bank/charge.ts'
import { browserOf } from '../card/browser.ts'
import type { StartRequest } from '../contract.ts'
import type { Method } from '../method.ts'
import type { DeviceCard } from './opened-token.ts'

/** What is charged with a token, and for whom. */
export type TokenPayment = {
  readonly reference: string
  readonly merNo: number
  readonly money: Money
  /** What the merchant's request told of the payer's device, where it is still at hand. */
  readonly request?: StartRequest
}

export function toAuthorise(
  { reference, money, request }: TokenPayment,
  { number, expiryMonth, expiryYear, cryptogram, eci }: DeviceCard,
  wallet: Method,
  now: Date,
): Fields {
  return {
    merchantReference: reference,
    amount: money.amount.toString(),
    currency: money.currency,
    card: { number, expiryMonth, expiryYear, wallet, cryptogram, eci },
    ...(request && {
      browser: browserOf(request.details, now),
      notificationUrl: request.completeUrl,
      callbackUrl: request.callbackUrl,
    }),
  }
}

/** What the sheet keeps for us and tells back: the shop that the token is for, and our seal upon it all. */
export function toSheet({ reference, merNo, money }: TokenPayment, secret: string): Fields {
  return { merNo: String(merNo), seal: sealOf({ reference, merNo, money }, secret) }
}

/** What the sheet says was approved; undefined unless it is just what we asked for. */
export function paymentOf(charge: BankCharge, secret: string): TokenPayment | undefined {
  const { reference, money, extra } = charge
  const merNo = Number(extra.merNo)
  if (money === undefined || !Number.isSafeInteger(merNo) || typeof extra.seal !== 'string') return undefined
  const payment = { reference, merNo, money }
  return isSame(extra.seal, sealOf(payment, secret)) ? payment : undefined
}

function sealOf({ reference, merNo, money }: TokenPayment, secret: string): string {
  const text = `sheet\n${reference}\n${merNo}\n${money.amount}\n${money.currency}`
  return createHmac('sha256', secret).update(text).digest('base64url')
}
