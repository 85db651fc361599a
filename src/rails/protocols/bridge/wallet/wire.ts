// Maps our types to the messages of the acquirer that charges a wallet's card, and of the payment sheet.
import { createHmac } from 'node:crypto'
import type { Money } from '../../../../platform/base/money.ts'
import type { Fields } from '../../../../platform/base/object.ts'
import { isEqualSecret } from '../../../../platform/base/secret.ts'
import type { StartRequest } from '../../../contract/channel.ts'
import type { Method } from '../../../methods/methods.ts'
import { browserOf } from '../../../toolkit/three-d-secure.ts'
import type { DeviceCard, SealedCard } from '../../../toolkit/wallet-token.ts'
import type { BankCharge } from '../bank/charge.ts'
import { holderOf } from '../card/wire.ts'

export type TokenPayment = {
  readonly reference: string
  readonly merNo: number
  readonly money: Money
  /**
   * The merchant's request, which describes the payer and the payer's device. Unset if the request is no longer in
   * memory.
   */
  readonly request?: StartRequest
}

export function toAuthorise(
  { reference, money, request }: TokenPayment,
  card: DeviceCard | SealedCard,
  wallet: Method,
  now: Date,
): Fields {
  return {
    merchantReference: reference,
    amount: money.amount.toString(),
    currency: money.currency,
    card: toCard(card, wallet),
    ...(request && {
      browser: browserOf(request.details, now),
      holder: holderOf(request.details),
      notificationUrl: request.completeUrl,
      callbackUrl: request.callbackUrl,
    }),
  }
}

function toCard(card: DeviceCard | SealedCard, wallet: Method): Fields {
  if ('token' in card) return { wallet, token: card.token }
  const { number, expiryMonth, expiryYear, cryptogram, eci } = card
  return { number, expiryMonth, expiryYear, wallet, cryptogram, eci }
}

/** Returns the fields that the sheet stores and sends back: the merchant number, and our MAC over the payment. */
export function toSheet({ reference, merNo, money }: TokenPayment, secret: string): Fields {
  return { merNo: String(merNo), seal: sealOf({ reference, merNo, money }, secret) }
}

/** Reads the payment that the sheet reports. Undefined if our MAC does not match the payment. */
export function paymentOf(charge: BankCharge, secret: string): TokenPayment | undefined {
  const { reference, money, extra } = charge
  const merNo = Number(extra.merNo)
  if (money === undefined || !Number.isSafeInteger(merNo) || typeof extra.seal !== 'string') return undefined
  const payment = { reference, merNo, money }
  return isEqualSecret(extra.seal, sealOf(payment, secret)) ? payment : undefined
}

function sealOf({ reference, merNo, money }: TokenPayment, secret: string): string {
  const text = `sheet\n${reference}\n${merNo}\n${money.amount}\n${money.currency}`
  return createHmac('sha256', secret).update(text).digest('base64url')
}
