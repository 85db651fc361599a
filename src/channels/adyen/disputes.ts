// Disputes through all their stages. Webhooks may come in any order: the one with the latest date counts.
import type { Dispute } from '../contract.ts'
import { readTime } from '../read-time.ts'
import type { ChannelStore } from '../store.ts'
import type { Item } from './webhook.ts'

export type Stage = NonNullable<Dispute['stage']>

/** What each event says about the money. Between a win and a later loss it is ours, so a question about it is an inquiry. */
export const stages: ReadonlyMap<string, Stage> = new Map([
  ['REQUEST_FOR_INFORMATION', 'inquiry'],
  ['NOTIFICATION_OF_CHARGEBACK', 'inquiry'],
  ['CHARGEBACK', 'open'],
  ['SECOND_CHARGEBACK', 'open'],
  ['CHARGEBACK_REVERSED', 'won'],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ['PREARBITRATION_OPEN', 'inquiry'],
  ['PREARBITRATION_DECLINED', 'inquiry'],
  ['PREARBITRATION_ACCEPTED', 'lost'],
  ['PREARBITRATION_ISSUER_WITHDRAWN', 'won'],
  ['PREARBITRATION_WON', 'won'],
  ['PREARBITRATION_LOST', 'lost'],
  ['SCHEME_ARBITRATION', 'inquiry'],
  ['SCHEME_ARBITRATION_WON', 'won'],
  ['SCHEME_ARBITRATION_LOST', 'lost'],
])

const DISPUTE = 'dispute'
const MAX_REASON = 64

/** Undefined when a later event is known already, or when the item cannot be read. */
export async function readDispute(store: ChannelStore, item: Item): Promise<Dispute | undefined> {
  const dispute = toDispute(item)
  if (dispute === undefined) return undefined
  const key = { kind: DISPUTE, key: dispute.disputeRef }
  const latest = readTime((await store.find(key))?.body.at)
  if (latest !== undefined && latest > dispute.at) return undefined
  await store.write([{ put: { ...key, body: { at: dispute.at.toISOString(), event: item.event } } }])
  return dispute
}

export function toDispute({ event, psp, reference, money, at, data }: Item): Dispute | undefined {
  const stage = stages.get(event)
  if (stage === undefined || money === undefined || psp === '' || reference === '') return undefined
  const { chargebackReasonCode: reason, defensePeriodEndsAt } = data
  const respondBy = readTime(defensePeriodEndsAt)
  return {
    disputeRef: psp,
    reference,
    money,
    reason: typeof reason === 'string' ? reason.slice(0, MAX_REASON) : '',
    at,
    stage,
    ...(respondBy !== undefined && { respondBy }),
  }
}
