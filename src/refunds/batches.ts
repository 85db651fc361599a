import { type Batcher, createBatcher } from '../postgres/batch.ts'
import { type AcceptDeps, acceptRefunds } from './accept-refunds.ts'
import { type RecordedRefund, type RefundReport, recordRefunds } from './record-refunds.ts'
import type { Acceptance, Application } from './refund.ts'

/** The two durable steps of a refund, each shared by all that wait for it at one moment. */
export type RefundBatches = {
  readonly accept: Batcher<Application, Acceptance>
  readonly record: Batcher<RefundReport, RecordedRefund>
}

// Larger batches bring little more and hold row locks for longer.
const MAX_BATCH = 256

export function openRefundBatches(
  deps: AcceptDeps,
  maxQueue: number,
  observe: (step: 'refund-accept' | 'refund-record', size: number) => void,
): RefundBatches {
  return {
    accept: createBatcher({
      maxBatch: MAX_BATCH,
      maxQueue,
      flush: (applications) => acceptRefunds(deps, applications),
      observe: (size) => observe('refund-accept', size),
    }),
    record: createBatcher({
      maxBatch: MAX_BATCH,
      // What is to be recorded has happened: it is never turned away. The worker bounds its calls.
      maxQueue: Number.POSITIVE_INFINITY,
      flush: (reports) => recordRefunds(deps.db, reports),
      observe: (size) => observe('refund-record', size),
    }),
  }
}
