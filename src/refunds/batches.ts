import { isDeepStrictEqual } from 'node:util'
import { type Batcher, createBatcher, onePerKey } from '../postgres/batch.ts'
import { type AcceptDeps, acceptRefunds } from './accept-refunds.ts'
import { type RecordedRefund, type RefundReport, recordRefunds } from './record-refunds.ts'
import type { Acceptance, Application } from './refund.ts'

/** The two steps of a refund that are stored. Requests that wait at the same moment share one transaction. */
export type RefundBatches = {
  readonly accept: Batcher<Application, Acceptance>
  readonly record: Batcher<RefundReport, RecordedRefund>
}

// Larger batches gain little and hold row locks for longer.
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
    record: onePerKey(
      createBatcher({
        maxBatch: MAX_BATCH,
        // An outcome has already happened, so its report is never refused. The worker bounds its calls.
        maxQueue: Number.POSITIVE_INFINITY,
        flush: (reports) => recordRefunds(deps.db, reports),
        observe: (size) => observe('refund-record', size),
      }),
      { keyOf: ({ refundNo }) => refundNo, isSame: isSameReport },
    ),
  }
}

function isSameReport(one: RefundReport, other: RefundReport): boolean {
  const isAlike = one.ifState === other.ifState && one.asks === other.asks
  return isAlike && isDeepStrictEqual(one.outcome, other.outcome)
}
