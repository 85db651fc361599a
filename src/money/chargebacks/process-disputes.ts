// Stores what channels report about disputes, and applies each report once, despite repeated reports and crashes.
//
// Two steps: a report is stored under the channel's own id, with its stage and time; then one transaction applies it and marks
// it as processed (take-dispute.ts).
import type { Channel, Dispute } from '../channels/contract.ts'
import { CLOCK_TOLERANCE_MS } from '../channels/signature.ts'
import { isolateFailures } from '../concurrency/isolate-failures.ts'
import {
  lastReportedAt,
  type ReportedDispute,
  selectWaiting,
  storeDisputes,
  toReported,
} from './dispute-sql.ts'
import { type DisputeDeps, takeDispute } from './take-dispute.ts'

// Reads overlap by this much, to find disputes that the channel reports with an earlier time.
const OVERLAP_MS = 10 * 60_000
const PAGE = 100

/** Called for a dispute that could not be stored or processed; the others continue. */
export type Failed = (dispute: ReportedDispute, error: unknown) => void

/** Stores the disputes that the channel reports. Returns the reason for a failure, or undefined. */
export async function readDisputes(
  { db, clock }: Pick<DisputeDeps, 'db' | 'clock'>,
  channel: Pick<Channel, 'name' | 'disputes'>,
  failed: Failed,
): Promise<string | undefined> {
  // Earlier versions stored disputes with a time yet to come, which would hide all others until then.
  const until = new Date(clock.now().getTime() + CLOCK_TOLERANCE_MS)
  const last = await lastReportedAt(db, channel.name, until)
  let since = new Date(last === undefined ? 0 : last.getTime() - OVERLAP_MS)
  for (;;) {
    const answer = await channel.disputes?.(since)
    if (answer === undefined) return undefined
    if (answer.kind === 'unknown') return answer.why
    const list = answer.list.map((dispute) => toReported(channel.name, dispute))
    await isolateFailures(list, (some) => storeDisputes(db, some, 'list'), failed)
    const newest = answer.list.at(-1)?.at
    if (newest === undefined || newest <= since) return undefined
    since = newest
  }
}

/** Returns how many chargebacks were opened. A dispute that fails delays no other. */
export async function processDisputes(deps: DisputeDeps, failed: Failed): Promise<number> {
  let opened = 0
  for (let after: ReportedDispute | undefined; ; ) {
    const page = await selectWaiting(deps.db, after, PAGE)
    for (const dispute of page) {
      const taken = await takeDispute(deps, dispute).catch((error: unknown) => failed(dispute, error))
      if (taken === 'opened') opened++
    }
    if (page.length < PAGE) return opened
    after = page.at(-1)
  }
}

/** Stores and applies the disputes of a callback. What is stored and cannot be applied yet is applied by the worker. */
export async function receiveDisputes(
  deps: DisputeDeps,
  channel: string,
  disputes: readonly Dispute[],
  failed: Failed,
): Promise<void> {
  const list = disputes.map((dispute) => toReported(channel, dispute))
  await storeDisputes(deps.db, list, 'callback')
  for (const dispute of list)
    await takeDispute(deps, dispute).catch((error: unknown) => failed(dispute, error))
}
