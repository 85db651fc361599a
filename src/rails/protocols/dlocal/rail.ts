// The payout rail of dLocal. Our reference is the payout's external_id, which dLocal accepts once.
//
// dLocal says REJECTED of a payout that a bank refused, and of one that a bank sent back after it was paid. So the rail
// remembers the payouts that were paid.
import type { Clock } from '../../base/clock.ts'
import { withDeadline } from '../deadline.ts'
import type { AccountKind, PayoutOutcome, PayoutRail, PayoutRequest } from '../payout/contract.ts'
import { readPaid } from '../payout/paid-payouts.ts'
import { sendOnRecord } from '../payout/sent-before.ts'
import type { ChannelStore } from '../store.ts'
import type { Reply } from '../transport.ts'
import type { PayoutApi } from './payout-api.ts'
import { fromPayout, type PayoutTerms, payoutCurrencies, payoutFailed, toPayout } from './payout-wire.ts'
import { isDuplicate, isRefusal } from './wire.ts'

export type DlocalRailOptions = {
  readonly name: string
  readonly kinds: readonly AccountKind[]
  readonly api: PayoutApi
  readonly store: ChannelStore
  readonly clock: Clock
  readonly terms: PayoutTerms
  readonly timeoutMs: number
}

export type DlocalRail = Omit<PayoutRail, 'readCallback'>

export function createDlocalRail(options: DlocalRailOptions): DlocalRail {
  const { name, kinds, api, store, clock, terms, timeoutMs } = options
  const read = readPaid({ store, clock, kind: 'payout-paid' })
  const query = (reference: string, signal: AbortSignal) =>
    api('GET', `/payouts/v3?external_id=${encodeURIComponent(reference)}`, '', signal)

  async function send(request: PayoutRequest, signal: AbortSignal): Promise<PayoutOutcome> {
    const body = toPayout(request, terms)
    if (typeof body !== 'string') return body
    const reply = await api('POST', '/payouts/v3', body, signal)
    if (reply.kind === 'unsent') return payoutFailed('unreachable')
    if (isRefusal(reply, [401, 403])) return payoutFailed('unauthorised')
    if (!isRefusal(reply, [400])) return outcomeOf(reply, request.reference)
    // An earlier call may have sent it: dLocal then says that the id is taken.
    const found = await ask(request.reference, signal)
    if (found.kind !== 'absent') return found
    // It has the payout, and will return it a moment later.
    return isDuplicate(reply)
      ? { kind: 'unknown', why: 'dLocal says that it has the payout, but does not return it' }
      : payoutFailed('refused')
  }

  async function ask(
    reference: string,
    signal: AbortSignal,
  ): Promise<PayoutOutcome | { readonly kind: 'absent' }> {
    const reply = await query(reference, signal)
    return isRefusal(reply, [404]) ? { kind: 'absent' } : outcomeOf(reply, reference)
  }

  const outcomeOf = (reply: Reply, reference: string) => read(reference, fromPayout(reply, reference))

  return {
    name,
    kinds,
    currencies: payoutCurrencies(kinds),
    timeoutMs,
    tokenise: async () => ({ ...payoutFailed('refused'), isLocal: true }),
    send: (request) =>
      withDeadline(timeoutMs, (signal) =>
        sendOnRecord(store, request.reference, () => send(request, signal)),
      ),
    ask: (reference) => withDeadline(timeoutMs, (signal) => ask(reference, signal)),
  }
}
