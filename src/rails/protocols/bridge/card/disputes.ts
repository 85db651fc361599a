// Parses the issuer's list of disputes. A malformed entry is skipped and raises an alarm, so that an operator records
// the dispute by hand. The operator is needed because the next request starts at the last dispute that was read, and
// the list may not contain the entry again.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../../platform/base/clock.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import type { Dispute, Disputes, Unknown } from '../../../contract/channel.ts'
import { fieldFault, moneyFault, withoutCards } from '../../../contract/counterparty-texts.ts'
import type { Alarms } from '../../../toolkit/alarms.ts'
import { unknown } from '../../../toolkit/outcomes.ts'
import { readTimeMs } from '../../../toolkit/read-time.ts'
import { CLOCK_TOLERANCE_MS } from '../../../toolkit/signature.ts'
import type { Reply, Transport } from '../../../toolkit/transport.ts'

type ReadList = {
  readonly kind: 'read'
  readonly list: readonly Dispute[]
  readonly malformed: readonly unknown[]
}

export function fromChargebacks(reply: Reply, now: Date): ReadList | Unknown {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { body } = reply
  if (reply.status !== 200 || !isObject(body) || !Array.isArray(body.list))
    return unknown(`the issuer responded ${reply.status} without a "list"`)
  const entries: readonly unknown[] = body.list
  return {
    kind: 'read',
    list: entries.flatMap((entry) => toDispute(entry, now) ?? []),
    malformed: entries.filter((entry) => toDispute(entry, now) === undefined),
  }
}

type Poll = { readonly transport: Transport<'chargebacks'>; readonly alarms: Alarms; readonly clock: Clock }

/** Returns a function that requests the disputes since a time. */
export function pollDisputes({ transport, alarms, clock }: Poll) {
  return async (since: Date, signal: AbortSignal): Promise<Disputes> => {
    const reply = await transport('chargebacks', { since: String(since.getTime()) }, signal)
    return takeChargebacks(reply, alarms, clock.now())
  }
}

async function takeChargebacks(reply: Reply, alarms: Alarms, now: Date): Promise<Disputes> {
  const read = fromChargebacks(reply, now)
  if (read.kind === 'unknown') return read
  const { list, malformed } = read
  for (const entry of malformed) await reportMalformed(alarms, entry)
  // If every entry is malformed, the whole list probably has a wrong format.
  if (list.length === 0 && malformed.length > 0) return unknown('the issuer sent malformed disputes only')
  return { kind: 'listed', list }
}

/** Raises an alarm about a malformed dispute, once for each of its stages. */
export async function reportMalformed(alarms: Alarms, entry: unknown): Promise<void> {
  const { id, merchantReference, stage }: Fields = isObject(entry) ? entry : {}
  const [dispute, reference, at] = [shown(id), shown(merchantReference), shown(stage)]
  const what = `the dispute ${dispute || 'without an id'} (${at || 'open'}) cannot be read: ask the acquirer, and record it by hand`
  const isWhole = dispute !== '' && dispute === id
  const key = `dispute ${dispute} ${reference} ${at}`
  await alarms.raise(isWhole ? key : `${key} ${fingerprintOf(entry)}`, { reference, what })
}

/** Returns a hash of the entry. The hash distinguishes entries whose id is missing or cannot be shown unchanged. */
function fingerprintOf(entry: unknown): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)
}

const MAX_SHOWN = 64

/** Returns the value as a short text. Half a surrogate pair is replaced, because the database refuses it. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.slice(0, MAX_SHOWN).toWellFormed() : ''
}

const stages = ['inquiry', 'open', 'won', 'lost'] as const

export function toDispute(entry: unknown, now: Date): Dispute | undefined {
  const dispute = disputeOrFault(entry, now)
  return typeof dispute === 'string' ? undefined : dispute
}

const MS = 'milliseconds since 1970 as a number, such as 1794834000000'

/**
 * Returns the dispute, or a text that says which field is wrong. A time in the future is also wrong: the next request
 * would start at that time and miss all disputes before it, and later stages would count as older. The entry becomes
 * valid once its time has come.
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
