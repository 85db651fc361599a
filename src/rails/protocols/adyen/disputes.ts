// Disputes and chargebacks. Webhooks may come twice and in any order. Their date is not signed, so somebody could
// replay an old event with another date. Therefore only the event code, which is signed, decides the stage.
import type { Dispute } from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { readTime } from '../../toolkit/read-time.ts'
import type { Item } from './signature.ts'

type Stage = NonNullable<Dispute['stage']>

/**
 * The stage after each event. The events are in the order in which a dispute passes through them. An open arbitration
 * has the stage `inquiry`, which moves no money. After a win, only a second chargeback or a lost or accepted
 * arbitration takes the money again.
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

/**
 * Records an event of a dispute. Returns undefined if an event of a later stage is already recorded. A repeated event
 * gives the same dispute again.
 */
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
  // The gateway identifies and orders reports by their times, so each new report gets a later time.
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
