// What is not yet as test/tidy.test.ts wants it. A line that is no longer needed fails there, so the lists only shrink.

/** Imports that are there today and should not be. */
export const tolerated: readonly string[] = []

/** Files that import each other in a circle today, each circle in order of names. */
export const circles: readonly string[] = [
  'src/merchant-api/checks/check-request.ts, src/merchant-api/frame.ts',
  'src/payments/change-paid-orders.ts, src/payments/paid-sql.ts',
  'src/payments/ending.ts, src/payments/payment.ts',
  'src/payments/payout-orders.ts, src/payments/payout-sql.ts',
]

/** Reads of another domain's table. */
export const foreignReads: readonly string[] = [
  'src/payments/list-sql.ts reads chargebacks',
  'src/reconciliation/listed-sql.ts reads deposit_owners',
  'src/reconciliation/listed-sql.ts reads deposits',
]

/** Files with SQL that belongs elsewhere. */
export const straySql: readonly string[] = [
  'src/ledger/fold.ts',
  'src/payments/dues.ts',
  'src/payments/find-payment.ts',
  'src/payments/lock-orders.ts',
  'src/payments/milestones.ts',
  'src/payments/order-details.ts',
  'src/payments/receive-callback.ts',
  'src/payments/totals-query.ts',
  'src/payments/totals.ts',
  'src/payments/usage.ts',
  'src/payments/use-token.ts',
  'src/payments/worker.ts',
]

/** Files whose statements still take lists in another way than postgres/lists.ts. */
export const otherLists: readonly string[] = [
  'src/payments/deposit-sql.ts',
  'src/payments/dues.ts',
  'src/payments/explain-sql.ts',
  'src/payments/find-payment.ts',
  'src/payments/list-sql.ts',
  'src/payments/order-keys.ts',
  'src/payments/paid-sql.ts',
  'src/payments/payout-sql.ts',
  'src/payments/review-sql.ts',
  'src/payments/totals-query.ts',
]
