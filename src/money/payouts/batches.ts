import { type AcceptBatches, type AcceptDeps, openAcceptBatches } from './accept-payouts.ts'
import { type ChangeBatch, openChangeBatch } from './change-payouts.ts'

/**
 * The batchers for accepting payouts and for recording their events. Payouts that wait at the same moment share one
 * transaction.
 */
export type PayoutBatches = { readonly accept: AcceptBatches; readonly record: ChangeBatch }

export function openPayoutBatches(deps: AcceptDeps, changed: () => void = () => {}): PayoutBatches {
  return { accept: openAcceptBatches(deps), record: openChangeBatch(deps.db, changed) }
}
