// What all banks' answers to an outgoing Pix have in common.
import { parseDecimal } from '../../../base/money.ts'
import { isObject } from '../../../base/object.ts'
import type { PayoutFailed, PayoutOutcome } from '../../payout/contract.ts'
import { theirReason } from '../../their-reason.ts'
import type { Reply } from '../../transport.ts'

const BRL = 'BRL'

export const absent = { kind: 'absent' } as const

export function unknown(why: string): PayoutOutcome {
  return { kind: 'unknown', why }
}

export function failed(cause: PayoutFailed['cause'], message: string): PayoutFailed {
  return { kind: 'failed', cause, message }
}

/** Before the bank has seen it, or because it accepts no such Pix. */
export function notSent(reply: Reply): PayoutFailed | undefined {
  if (reply.kind === 'unsent') return failed('unreachable', 'The bank could not be reached')
  // A foreign page may be that of a proxy, after the bank has taken the Pix.
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

export function returned(): PayoutOutcome {
  return { kind: 'returned', message: "The beneficiary's bank sent the Pix back" }
}

/** Banks write amounts as text, or as a number that may leave out decimals. */
export function amountIn(valor: unknown): bigint | undefined {
  return typeof valor === 'string' || typeof valor === 'number' ? parseDecimal(String(valor), BRL) : undefined
}

export function succeeded(valor: unknown, railRef: string): PayoutOutcome {
  const amount = amountIn(valor)
  return amount === undefined
    ? unknown("the bank's answer has no amount")
    : { kind: 'succeeded', money: { amount, currency: BRL }, railRef }
}
