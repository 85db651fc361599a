// Parses the issuer's list of disputes. A malformed entry is set aside and brings an operator, who opens its chargeback by hand:
// the list is asked for from the last dispute that was read, so it may not be listed again.
import { createHash } from 'node:crypto'
import { type Fields, isObject } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import type { Dispute, Disputes, Unknown } from '../contract.ts'
import { fieldFault, moneyFault } from '../field-faults.ts'
import { readTimeMs } from '../read-time.ts'
import { CLOCK_TOLERANCE_MS } from '../signature.ts'
import { withoutCards } from '../their-reason.ts'
import type { Reply } from '../transport.ts'

type ReadList = {
  readonly kind: 'read'
  readonly list: readonly Dispute[]
  readonly malformed: readonly unknown[]
}

export function fromChargebacks(reply: Reply, now: Date): ReadList | Unknown {
  if (reply.kind !== 'answer') return { kind: 'unknown', why: reply.why }
  const { body } = reply
  if (reply.status !== 200 || !isObject(body) || !Array.isArray(body.list))
    return { kind: 'unknown', why: `the issuer responded ${reply.status} without a "list"` }
  const entries: readonly unknown[] = body.list
  return {
    kind: 'read',
    list: entries.flatMap((entry) => toDispute(entry, now) ?? []),
    malformed: entries.filter((entry) => toDispute(entry, now) === undefined),
  }
}

export async function takeChargebacks(reply: Reply, alarms: Alarms, now: Date): Promise<Disputes> {
  const read = fromChargebacks(reply, now)
  if (read.kind === 'unknown') return read
  const { list, malformed } = read
  for (const entry of malformed) await reportMalformed(alarms, entry)
  // Then the form of the list is wrong, rather than that of an entry.
  if (list.length === 0 && malformed.length > 0)
    return { kind: 'unknown', why: 'the issuer sent malformed disputes only' }
  return { kind: 'listed', list }
}

/** Once for each stage, whether it was listed or came by a callback. */
export async function reportMalformed(alarms: Alarms, entry: unknown): Promise<void> {
  const { id, merchantReference, stage }: Fields = isObject(entry) ? entry : {}
  const [dispute, reference, at] = [shown(id), shown(merchantReference), shown(stage)]
  const what = `the dispute ${dispute || 'without an id'} (${at || 'open'}) cannot be read: ask the acquirer, and record it by hand`
  const isWhole = dispute !== '' && dispute === id
  const key = `dispute ${dispute} ${reference} ${at}`
  await alarms.raise(isWhole ? key : `${key} ${fingerprintOf(entry)}`, { reference, what })
}

/** Tells entries apart that have no id, or not one that is shown as it is. */
function fingerprintOf(entry: unknown): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)
}

const MAX_SHOWN = 64

/** The database takes no half of a character. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.slice(0, MAX_SHOWN).toWellFormed() : ''
}

const stages = ['inquiry', 'open', 'won', 'lost'] as const

/** Undefined when any field is malformed. */
export function toDispute(entry: unknown, now: Date): Dispute | undefined {
  const dispute = disputeOrFault(entry, now)
  return typeof dispute === 'string' ? undefined : dispute
}

const MS = 'milliseconds since 1970 as a number, such as 1794834000000'

/**
 * A text says which field is wrong. So is a stage that is yet to come: the list would be read from its time on, without the
 * disputes until then, and stages after it would count as older. It is taken once its time has come.
 */
export function disputeOrFault(entry: unknown, now: Date): Dispute | string {
  if (!isObject(entry)) return 'it is no object'
  const { id, merchantReference, amount, currency, reasonCode, disputedAt, respondBy } = entry
  if (typeof id !== 'string' || id === '') return fieldFault('id', id, 'a text')
  if (typeof merchantReference !== 'string')
    return fieldFault('merchantReference', merchantReference, 'the reference of the payment')
  const fault = moneyFault(entry)
  if (fault !== undefined) return fault
  const at = readTimeMs(disputedAt)
  const stage = stages.find((one) => one === entry.stage)
  const until = readTimeMs(respondBy)
  if (at === undefined) return fieldFault('disputedAt', disputedAt, MS)
  if (at.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    return `"disputedAt" is ${at.toISOString()}, which is yet to come`
  if (stage === undefined && entry.stage !== undefined)
    return fieldFault('stage', entry.stage, `one of ${stages.join(', ')}`)
  if (until === undefined && respondBy !== undefined) return fieldFault('respondBy', respondBy, MS)
  return {
    disputeRef: id,
    reference: merchantReference,
    money: { amount: BigInt(String(amount)), currency: String(currency) },
    reason: typeof reasonCode === 'string' ? withoutCards(reasonCode) : '',
    at,
    ...(stage !== undefined && { stage }),
    ...(until !== undefined && { respondBy: until }),
  }
}
