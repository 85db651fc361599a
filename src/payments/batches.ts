import { isDeepStrictEqual } from 'node:util'
import { onePerKey } from '../concurrency/one-per-key.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { type Batcher, createBatcher } from '../postgres/batch.ts'
import { type Accepted, acceptPayments } from './accept-payments.ts'
import { type OutcomeReport, type RecordDeps, type Recorded, recordOutcomes } from './record-outcomes.ts'

/** The two durable steps of a payment, each shared by all that wait for it at one moment. */
export type Batches = {
  readonly accept: Batcher<NewPayment, Accepted>
  readonly record: Batcher<OutcomeReport, Recorded>
}

export type BatchObserver = (step: 'accept' | 'record', size: number) => void

// Larger batches bring little more, hold row locks for longer, and leave the program with nothing to do meanwhile.
const MAX_BATCH = 96
const ENOUGH = 24
// A step costs over a millisecond by itself, on each side: at half the load a third of all work.
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
        // What is to be recorded has happened: it is never turned away. The gate before acceptance bounds it.
        maxQueue: Number.POSITIVE_INFINITY,
        flush: (reports) => recordOutcomes(deps, reports),
        observe: (size) => observe('record', size),
      }),
      { keyOf: (report) => report.tradeNo, isSame: isSameReport },
    ),
  }
}

/** A report that may lead on to the next channel is never shared: each caller would go on and call it. */
function isSameReport(one: OutcomeReport, other: OutcomeReport): boolean {
  return (
    one.attemptNo === other.attemptNo &&
    one.keepsOrder === other.keepsOrder &&
    one.next === undefined &&
    other.next === undefined &&
    isDeepStrictEqual(one.outcome, other.outcome)
  )
}
