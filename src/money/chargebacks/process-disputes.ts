// Stores the channels' reports about disputes and applies each report once, even if reports are repeated or the process
// crashes. A report is first stored under the channel's own id, with its stage and time. Then one transaction applies
// the report and marks it as processed (take-dispute.ts).

import { isolateFailures, isTransientFailure } from '../../platform/concurrency/isolate-failures.ts'
import type { Channel, Dispute } from '../../rails/contract/channel.ts'
import { CLOCK_TOLERANCE_MS } from '../../rails/toolkit/signature.ts'
import {
  lastReportedAt,
  type ReportedDispute,
  selectWaiting,
  storeDisputes,
  toReported,
} from './dispute-sql.ts'
import { type DisputeDeps, type Taken, takeDispute } from './take-dispute.ts'

// Each read starts this long before the latest stored report, to find reports that the channel lists late.
const OVERLAP_MS = 10 * 60_000
const PAGE = 100

/** Called with a dispute that could not be stored or processed. The other disputes are still processed. */
export type Failed = (dispute: ReportedDispute, error: unknown) => void

/** Stores the disputes that the channel lists. Returns a reason if the channel could not be read. */
export async function readDisputes(
  { db, clock }: Pick<DisputeDeps, 'db' | 'clock'>,
  channel: Pick<Channel, 'name' | 'disputes'>,
  failed: Failed,
): Promise<string | undefined> {
  // The start of a read ignores stored reports with a time in the future, which earlier versions accepted. A read that
  // started at such a time would miss all disputes before it.
  const until = new Date(clock.now().getTime() + CLOCK_TOLERANCE_MS)
  const last = await lastReportedAt(db, channel.name, until)
  let since = new Date(last === undefined ? 0 : last.getTime() - OVERLAP_MS)
  for (;;) {
    const answer = await channel.disputes?.(since)
    if (answer === undefined) return undefined
    if (answer.kind === 'unknown') return answer.why
    const list = answer.list.map((dispute) => toReported(channel.name, dispute))
    await isolateFailures(list, (some) => storeDisputes(db, some, { from: 'list', at: clock.now() }), failed)
    const newest = answer.list.at(-1)?.at
    if (newest === undefined || newest <= since) return undefined
    since = newest
  }
}

/**
 * Applies all reports that are not processed yet, and returns how many chargebacks were opened. If a report fails, the
 * other reports are still applied. An outage of the database is thrown and ends the round.
 */
export async function processDisputes(deps: DisputeDeps, failed: Failed): Promise<number> {
  let opened = 0
  for (let after: ReportedDispute | undefined; ; ) {
    const page = await selectWaiting(deps.db, after, PAGE)
    for (const dispute of page) {
      const taken = await takeOrReport(deps, dispute, failed)
      if (taken === 'opened') opened++
    }
    if (page.length < PAGE) return opened
    after = page.at(-1)
  }
}

/**
 * Stores and applies the disputes of a callback. If a dispute cannot be applied yet, the worker applies it later. An
 * outage of the database is thrown, so that the channel repeats the callback.
 */
export async function receiveDisputes(
  deps: DisputeDeps,
  channel: string,
  disputes: readonly Dispute[],
  failed: Failed,
): Promise<void> {
  const list = disputes.map((dispute) => toReported(channel, dispute))
  await storeDisputes(deps.db, list, { from: 'callback', at: deps.clock.now() })
  for (const dispute of list) await takeOrReport(deps, dispute, failed)
}

/** Applies a dispute, or reports its failure. An outage of the database is thrown: the dispute is not its cause. */
async function takeOrReport(
  deps: DisputeDeps,
  dispute: ReportedDispute,
  failed: Failed,
): Promise<Taken | undefined> {
  try {
    return await takeDispute(deps, dispute)
  } catch (error) {
    if (isTransientFailure(error)) throw error
    failed(dispute, error)
    return undefined
  }
}
