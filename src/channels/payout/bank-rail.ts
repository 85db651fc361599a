// The payout rail of the payout bank. Only `tokenise` sees the card number; `send` and `ask` use the reference, so they work
// after a restart.
import { withDeadline } from '../../concurrency/deadline.ts'
import type { Reply, Transport } from '../transport.ts'
import type { PayoutOutcome, PayoutRail, PayoutRequest, Tokenised } from './contract.ts'
import { fromPayout, fromSend, fromTokenise, isAbsent, toSend } from './wire.ts'

export type BankOperation = 'tokenise' | 'send' | 'lookup'

export type BankRailOptions = {
  readonly transport: Transport<BankOperation>
  readonly timeoutMs: number
}

export function createBankRail({ transport, timeoutMs }: BankRailOptions): PayoutRail {
  const call = (operation: BankOperation, body: Readonly<Record<string, unknown>>): Promise<Reply> =>
    withDeadline(timeoutMs, (signal) => transport(operation, body, signal))
  return {
    name: 'payout-bank',
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
