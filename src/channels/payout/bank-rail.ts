// The payout rail of the payout bank. Only `tokenise` sees the card number; `send` and `ask` use the reference, so they work
// after a restart.
import { withDeadline } from '../deadline.ts'
import type { Reply, Transport } from '../transport.ts'
import {
  type AccountKind,
  accountKinds,
  type PayoutOutcome,
  type PayoutRail,
  type PayoutRequest,
  type Tokenised,
} from './contract.ts'
import { fromPayout, fromSend, fromTokenise, isAbsent, toSend } from './wire.ts'

export type BankOperation = 'tokenise' | 'send' | 'lookup'

export type BankRailOptions = {
  readonly name?: string
  readonly kinds?: readonly AccountKind[]
  readonly transport: Transport<BankOperation>
  readonly timeoutMs: number
}

export function createBankRail(options: BankRailOptions): PayoutRail {
  const { name = 'payout-bank', kinds = accountKinds, transport, timeoutMs } = options
  const call = (operation: BankOperation, body: Readonly<Record<string, unknown>>): Promise<Reply> =>
    withDeadline(timeoutMs, (signal) => transport(operation, body, signal))
  return {
    name,
    kinds,
    currencies: 'any',
    timeoutMs,
    async tokenise(number): Promise<Tokenised> {
      return fromTokenise(await call('tokenise', { number }))
    },
    async send(request: PayoutRequest): Promise<PayoutOutcome> {
      return fromSend(await call('send', toSend(request)), request.reference)
    },
    async ask(reference) {
      const reply = await call('lookup', { reference })
      return isAbsent(reply) ? { kind: 'absent' } : fromPayout(reply, reference)
    },
  }
}
