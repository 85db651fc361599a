// Payouts by Pix. The central bank's API does not cover outgoing Pix, so each bank has its own API. The setting
// "outgoing" names the bank.
import type { Money } from '../../../../platform/base/money.ts'
import type { Callback, CallbackResult } from '../../../contract/channel.ts'
import type { PayoutOutcome } from '../../../contract/payout-outcome.ts'
import type { PayoutRail } from '../../../contract/payout-rail.ts'
import { withDeadline } from '../../../toolkit/deadline.ts'
import type { ReadPaid } from '../../../toolkit/records/paid-payouts.ts'

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
  /** Reads the bank's webhooks about sent Pix. Undefined if the bank sends none. */
  readonly readCallback?: (callback: Callback) => Promise<CallbackResult>
}

export function createPixRail(options: PixRailOptions): PayoutRail {
  const { name, form, timeoutMs, prepare, readCallback } = options
  return {
    name,
    kinds: ['pix'],
    currencies: ['BRL'],
    timeoutMs,
    async tokenise() {
      return { kind: 'failed', cause: 'refused', isLocal: true, message: 'Pix pays to keys, not to cards' }
    },
    send: ({ reference, money, beneficiary: { account: key } }) =>
      withDeadline(timeoutMs, async (signal) => {
        await prepare?.(signal)
        return form.send({ reference, money, key }, signal)
      }),
    ask: (reference) => withDeadline(timeoutMs, (signal) => form.ask(reference, signal)),
    ...(readCallback !== undefined && { readCallback }),
  }
}
