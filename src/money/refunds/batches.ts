import { type AcceptBatch, type AcceptDeps, openAcceptBatch } from './accept-refunds.ts'
import { openRecordBatch, type RecordBatch } from './record-refunds.ts'

/**
 * The batchers for accepting refunds and for recording their outcomes. Requests that wait at the same moment share one
 * batch.
 */
export type RefundBatches = { readonly accept: AcceptBatch; readonly record: RecordBatch }

export function openRefundBatches(
  deps: AcceptDeps,
  maxQueue: number,
  observe: (step: 'refund-accept' | 'refund-record', size: number) => void,
): RefundBatches {
  return {
    accept: openAcceptBatch(deps, { maxQueue, observe: (size) => observe('refund-accept', size) }),
    record: openRecordBatch(deps.db, { observe: (size) => observe('refund-record', size) }),
  }
}
