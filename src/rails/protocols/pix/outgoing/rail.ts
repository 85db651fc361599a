// Outgoing Pix. The central bank has no standard for it, so each bank has its own form; the setting "outgoing" names it.
import type { Money } from '../../../base/money.ts'
import type { Callback, CallbackResult } from '../../contract.ts'
import { withDeadline } from '../../deadline.ts'
import type { PayoutOutcome, PayoutRail } from '../../payout/contract.ts'
import type { ReadPaid } from '../../payout/paid-payouts.ts'

export type OutgoingPix = {
  readonly reference: string
  readonly money: Money
  /** The beneficiary's Pix key. */
  readonly key: string
}

/** How one bank sends a Pix. */
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

export type PixRailOptions = {
  readonly name: string
  readonly form: OutgoingForm
  readonly timeoutMs: number
  /** Called before a Pix is sent. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>
  /** Set for banks that report sent Pix. */
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
