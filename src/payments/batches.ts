import { isDeepStrictEqual } from 'node:util'
import type { NewPayment } from '../orders/new-order.ts'
import { type Batcher, createBatcher, onePerKey } from '../postgres/batch.ts'
import { type Accepted, acceptPayments } from './accept-payments.ts'
import { type OutcomeReport, type RecordDeps, type Recorded, recordOutcomes } from './record-outcomes.ts'

/** The two durable steps of a payment. Concurrent payments share a batch. */
export type Batches = {
  readonly accept: Batcher<NewPayment, Accepted>
  readonly record: Batcher<OutcomeReport, Recorded>
}

export type BatchObserver = (step: 'accept' | 'record', size: number) => void

// Larger batches gain little, hold row locks for longer, and leave the process idle meanwhile.
const MAX_BATCH = 96
const ENOUGH = 24
// A batch has a fixed cost of over a millisecond on each side: at half the load, a third of all work.
const EVERY_MS = 8

export function openBatches(deps: RecordDeps, maxQueue: number, observe: BatchObserver): Batches {
  return {
    accept: createBatcher({
      maxBatch: MAX_BATCH,
      enough: ENOUGH,
      everyMs: EVERY_MS,
      maxQueue,
      flush: (payments) => acceptPayments(deps.db, payments),
      observe: (size) => observe('accept', size),
    }),
    record: onePerKey(
      createBatcher({
        maxBatch: MAX_BATCH,
        enough: ENOUGH,
        everyMs: EVERY_MS,
        // An outcome has already happened, so its report is never refused. The gate before acceptance bounds the number.
        maxQueue: Number.POSITIVE_INFINITY,
        flush: (reports) => recordOutcomes(deps, reports),
        observe: (size) => observe('record', size),
      }),
      { keyOf: (report) => report.tradeNo, isSame: isSameReport },
    ),
  }
}

/** A report that may lead to the next channel is never shared, because each caller would call that channel. */
function isSameReport(one: OutcomeReport, other: OutcomeReport): boolean {
  return (
    one.attemptNo === other.attemptNo &&
    one.keepsOrder === other.keepsOrder &&
    one.cancels === other.cancels &&
    one.next === undefined &&
    other.next === undefined &&
    isDeepStrictEqual(one.outcome, other.outcome)
  )
}
