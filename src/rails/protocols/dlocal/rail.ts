// Payouts by dLocal. Our reference is the payout's external_id. dLocal accepts each external_id only once. dLocal
// reports REJECTED both for a payout that a bank refused and for a paid payout that a bank returned. Paid payouts are
// recorded, so that a later REJECTED is recognised as a return.
import type { Clock } from '../../../platform/base/clock.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { AccountKind, PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { readPaid } from '../../toolkit/records/paid-payouts.ts'
import { sendOnRecord } from '../../toolkit/records/sent-before.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { PayoutApi } from './api.ts'
import { fromPayout, type PayoutTerms, payoutCurrencies, payoutFailed, toPayout } from './payout-wire.ts'
import { isDuplicate, isRefusal } from './wire.ts'

type DlocalRailOptions = {
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
    // An earlier call may have sent the payout, so that dLocal refuses the id as a duplicate. A query shows that.
    const found = await ask(request.reference, signal)
    if (found.kind !== 'absent') return found
    // The refusal of a duplicate proves that dLocal has the payout, so a later query will find it.
    return isDuplicate(reply)
      ? unknown('dLocal says that it has the payout, but does not return it')
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
