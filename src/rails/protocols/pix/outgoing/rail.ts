// Payouts by Pix. The central bank's API does not cover outgoing Pix, so each bank has its own API. The setting
// "outgoing" names the bank.
import { type Money, parseDecimal } from '../../../../platform/base/money.ts'
import { isObject } from '../../../../platform/base/object.ts'
import type { Callback, CallbackResult } from '../../../contract/channel.ts'
import { theirReason } from '../../../contract/counterparty-texts.ts'
import type { PayoutFailed, PayoutOutcome } from '../../../contract/payout-outcome.ts'
import type { PayoutRail } from '../../../contract/payout-rail.ts'
import { withDeadline } from '../../../toolkit/deadline.ts'
import { failed, notSent, unknown } from '../../../toolkit/outcomes.ts'
import type { ReadPaid } from '../../../toolkit/records/paid-payouts.ts'
import type { Reply } from '../../../toolkit/transport.ts'

export type OutgoingPix = {
  readonly reference: string
  readonly money: Money
  /** The beneficiary's Pix key. */
  readonly key: string
}

/** The outgoing API of one bank. */
export type OutgoingForm = {
  send(pix: OutgoingPix, signal: AbortSignal): Promise<PayoutOutcome>
  ask(reference: string, signal: AbortSignal): Promise<PayoutOutcome | { readonly kind: 'absent' }>
}

export function rememberPaid(form: OutgoingForm, read: ReadPaid): OutgoingForm {
  return {
    send: async (pix, signal) => read(pix.reference, await form.send(pix, signal)),
    async ask(reference, signal) {
      const outcome = await form.ask(reference, signal)
      return outcome.kind === 'absent' ? outcome : read(reference, outcome)
    },
  }
}

type PixRailOptions = {
  readonly name: string
  readonly form: OutgoingForm
  readonly timeoutMs: number
  readonly prepare?: (signal: AbortSignal) => Promise<void>
  /** Reads the bank's webhooks about sent Pix. Set only if the bank sends them. */
  readonly readCallback?: (callback: Callback) => Promise<CallbackResult>
}

export function createPixRail(options: PixRailOptions): PayoutRail {
  const { name, form, timeoutMs, prepare, readCallback } = options
  return {
    name,
    kinds: ['pix'],
    currencies: ['BRL'],
    timeoutMs,
    tokenise: async () => notSent('Pix pays to keys, not to cards'),
    send: ({ reference, money, beneficiary: { account: key } }) =>
      withDeadline(timeoutMs, async (signal) => {
        await prepare?.(signal)
        return form.send({ reference, money, key }, signal)
      }),
    ask: (reference) => withDeadline(timeoutMs, (signal) => form.ask(reference, signal)),
    ...(readCallback !== undefined && { readCallback }),
  }
}

// The parts that the answers of all banks about outgoing Pix have in common.

const BRL = 'BRL'

export const absent = { kind: 'absent' } as const

/** Returns a failure if this request certainly sent no Pix, because it did not arrive or the bank refused it. */
export function refusalIn(reply: Reply): PayoutFailed | undefined {
  if (reply.kind === 'unsent') return failed('unreachable', 'The bank could not be reached')
  // An answer that is not JSON proves nothing, because it may come from a proxy after the bank has accepted the Pix.
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

/**
 * Returns the amount in centavos. Undefined if the amount is malformed. Banks write amounts as texts or as JSON
 * numbers.
 */
export function amountIn(valor: unknown): bigint | undefined {
  return typeof valor === 'string' || typeof valor === 'number' ? parseDecimal(String(valor), BRL) : undefined
}

export function succeeded(valor: unknown, railRef: string): PayoutOutcome {
  const amount = amountIn(valor)
  return amount === undefined
    ? unknown("the bank's answer has no amount")
    : { kind: 'succeeded', money: { amount, currency: BRL }, railRef }
}
