// The payout rail of a bridge. Only `tokenise` sees a card number. `send` gets the card's token, and `ask` needs only
// the reference, so both work after a restart.
import { type Clock, systemClock } from '../../../../platform/base/clock.ts'
import type { Callback } from '../../../contract/channel.ts'
import type { PayoutOutcome } from '../../../contract/payout-outcome.ts'
import {
  type AccountKind,
  accountKinds,
  type PayoutRail,
  type PayoutRequest,
  type Tokenised,
} from '../../../contract/payout-rail.ts'
import { withDeadline } from '../../../toolkit/deadline.ts'
import type { Reply, Transport } from '../../../toolkit/transport.ts'
import { readSignedCallback } from '../callback.ts'
import { isAbsent } from '../replies.ts'
import { fromPayout, fromSend, fromTokenise, payoutRefused, toSend } from './wire.ts'

export type BankOperation = 'tokenise' | 'send' | 'lookup'

export type BankRailOptions = {
  readonly name?: string
  readonly kinds?: readonly AccountKind[]
  readonly transport: Transport<BankOperation>
  /** The secret that signs callbacks. If it is unset, callbacks are not accepted. */
  readonly secret?: string
  /** The address to which the bridge sends callbacks. If it is unset, the bridge sends none. */
  readonly callbackUrl?: string
  readonly timeoutMs: number
  readonly clock?: Clock
}

export function createBankRail(options: BankRailOptions): PayoutRail {
  const { name = 'payout-bank', kinds = accountKinds, transport, secret, callbackUrl, timeoutMs } = options
  const { clock = systemClock } = options
  const call = (operation: BankOperation, body: Readonly<Record<string, unknown>>): Promise<Reply> =>
    withDeadline(timeoutMs, (signal) => transport(operation, body, signal))
  return {
    name,
    kinds,
    currencies: 'any',
    timeoutMs,
    async tokenise(number): Promise<Tokenised> {
      if (!kinds.includes('card')) return { ...payoutRefused, isLocal: true }
      return fromTokenise(await call('tokenise', { number }))
    },
    async send(request: PayoutRequest): Promise<PayoutOutcome> {
      return fromSend(await call('send', toSend(request, callbackUrl)), request.reference)
    },
    async ask(reference) {
      const reply = await call('lookup', { reference })
      return isAbsent(reply) ? { kind: 'absent' } : fromPayout(reply, reference)
    },
    ...(secret !== undefined && {
      readCallback: (callback: Callback) => readSignedCallback(callback, { secret, now: clock.now() }),
    }),
  }
}
