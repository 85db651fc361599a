// The payout rail of dLocal. Our reference is the payout's external_id, which dLocal accepts once.
import { withDeadline } from '../deadline.ts'
import type { AccountKind, PayoutOutcome, PayoutRail, PayoutRequest } from '../payout/contract.ts'
import type { Reply } from '../transport.ts'
import type { PayoutApi } from './payout-api.ts'
import { fromPayout, payoutCurrencies, payoutFailed, toPayout } from './payout-wire.ts'

export type DlocalRailOptions = {
  readonly name: string
  readonly kinds: readonly AccountKind[]
  readonly api: PayoutApi
  /** Why the money is sent, in dLocal's words. */
  readonly purpose: string
  readonly timeoutMs: number
}

export type DlocalRail = Omit<PayoutRail, 'readCallback'>

export function createDlocalRail({ name, kinds, api, purpose, timeoutMs }: DlocalRailOptions): DlocalRail {
  const query = (reference: string, signal: AbortSignal) =>
    api('GET', `/payouts/v3?external_id=${encodeURIComponent(reference)}`, '', signal)

  async function send(request: PayoutRequest, signal: AbortSignal): Promise<PayoutOutcome> {
    const body = toPayout(request, purpose)
    if (body === undefined) return payoutFailed('refused')
    const reply = await api('POST', '/payouts/v3', body, signal)
    if (reply.kind === 'unsent') return payoutFailed('unreachable')
    if (hasStatus(reply, [401, 403])) return payoutFailed('unauthorised')
    if (!hasStatus(reply, [400])) return fromPayout(reply, request.reference)
    // An earlier call may have sent it: dLocal then says that the id is taken.
    const found = await query(request.reference, signal)
    return hasStatus(found, [404]) ? payoutFailed('refused') : fromPayout(found, request.reference)
  }

  return {
    name,
    kinds,
    currencies: payoutCurrencies(kinds),
    timeoutMs,
    tokenise: async () => payoutFailed('refused'),
    send: (request) => withDeadline(timeoutMs, (signal) => send(request, signal)),
    ask: (reference) =>
      withDeadline(timeoutMs, async (signal) => {
        const reply = await query(reference, signal)
        return hasStatus(reply, [404]) ? { kind: 'absent' } : fromPayout(reply, reference)
      }),
  }
}

function hasStatus(reply: Reply, statuses: readonly number[]): boolean {
  return reply.kind === 'answer' && statuses.includes(reply.status)
}
