// Reads the parts that the banks' answers about outgoing Pix have in common.
import { parseDecimal } from '../../../../platform/base/money.ts'
import { isObject } from '../../../../platform/base/object.ts'
import { theirReason } from '../../../contract/counterparty-texts.ts'
import type { PayoutFailed, PayoutOutcome } from '../../../contract/payout-outcome.ts'
import type { Reply } from '../../../toolkit/transport.ts'

const BRL = 'BRL'

export const absent = { kind: 'absent' } as const

export function unknown(why: string): PayoutOutcome {
  return { kind: 'unknown', why }
}

export function failed(cause: PayoutFailed['cause'], message: string): PayoutFailed {
  return { kind: 'failed', cause, message }
}

/** Returns a failure if this request certainly sent no Pix: the request did not arrive, or the bank refused it. */
export function notSent(reply: Reply): PayoutFailed | undefined {
  if (reply.kind === 'unsent') return failed('unreachable', 'The bank could not be reached')
  // An answer that is not JSON may come from a proxy after the bank has accepted the Pix, so it decides nothing.
  if (reply.kind !== 'answer' || !isObject(reply.body)) return undefined
  if (reply.status === 401 || reply.status === 403)
    return failed('unauthorised', 'The bank refused our credentials')
  const isRefused = reply.status === 400 || reply.status === 422
  return isRefused ? failed('refused', detailOf(reply.body)) : undefined
}

function detailOf(body: unknown): string {
  const { detail, mensagem } = isObject(body) ? body : {}
  return theirReason(detail || mensagem, 'The bank refused the Pix')
}

export function returned(amount: bigint | undefined): PayoutOutcome {
  const money = amount === undefined ? undefined : { amount, currency: BRL }
  return { kind: 'returned', message: "The beneficiary's bank sent the Pix back", money }
}

/** Returns the amount in centavos; undefined if it is malformed. Banks write amounts as text or as JSON numbers. */
export function amountIn(valor: unknown): bigint | undefined {
  return typeof valor === 'string' || typeof valor === 'number' ? parseDecimal(String(valor), BRL) : undefined
}

export function succeeded(valor: unknown, railRef: string): PayoutOutcome {
  const amount = amountIn(valor)
  return amount === undefined
    ? unknown("the bank's answer has no amount")
    : { kind: 'succeeded', money: { amount, currency: BRL }, railRef }
}
