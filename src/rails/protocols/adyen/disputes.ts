// Disputes through all their stages. Webhooks may come twice and in any order, and their date is not signed: whoever changed it
// could apply an old event again. So the event itself, which is signed, says how far a dispute is, and each one counts once.
import type { Dispute } from '../contract.ts'
import { readTime } from '../read-time.ts'
import type { ChannelStore } from '../store.ts'
import type { Item } from './webhook.ts'

export type Stage = NonNullable<Dispute['stage']>

/**
 * What each event says about the money, in the order of a dispute's life. Between a win and a later loss the money is ours, so a
 * question about it is an inquiry.
 */
export const stages: ReadonlyMap<string, Stage> = new Map([
  ['REQUEST_FOR_INFORMATION', 'inquiry'],
  ['NOTIFICATION_OF_CHARGEBACK', 'inquiry'],
  ['CHARGEBACK', 'open'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ['CHARGEBACK_REVERSED', 'won'],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won'],
  ['PREARBITRATION_OPEN', 'inquiry'],
  ['PREARBITRATION_DECLINED', 'inquiry'],
  ['SECOND_CHARGEBACK', 'open'],
  ['PREARBITRATION_ACCEPTED', 'lost'],
  ['PREARBITRATION_LOST', 'lost'],
  ['PREARBITRATION_ISSUER_WITHDRAWN', 'won'],
  ['PREARBITRATION_WON', 'won'],
  ['SCHEME_ARBITRATION', 'inquiry'],
  ['SCHEME_ARBITRATION_LOST', 'lost'],
  ['SCHEME_ARBITRATION_WON', 'won'],
])

const life = [...stages.keys()]

const DISPUTE = 'dispute'
const MAX_REASON = 64

/** Undefined when a later event is known already. The same event again is the same report. */
export async function readDispute(
  store: ChannelStore,
  item: Item,
  now: Date,
): Promise<Dispute | 'unreadable' | undefined> {
  const key = { kind: DISPUTE, key: item.psp }
  const { event, at: knownAt } = (await store.find(key))?.body ?? {}
  const latest = typeof event === 'string' ? life.indexOf(event) : -1
  const known = readTime(knownAt) ?? new Date(0)
  const isAgain = event === item.event
  // Reports of one dispute are told apart, and ordered, by their times.
  const at = isAgain ? known : new Date(Math.max(now.getTime(), known.getTime() + 1))
  const dispute = toDispute(item, at)
  if (dispute === undefined) return 'unreadable'
  if (life.indexOf(item.event) < latest) return undefined
  if (!isAgain) await store.write([{ put: { ...key, body: { at: at.toISOString(), event: item.event } } }])
  return dispute
}

export function toDispute({ event, psp, reference, money, data }: Item, at: Date): Dispute | undefined {
  const stage = stages.get(event)
  if (stage === undefined || money === undefined || psp === '') return undefined
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
