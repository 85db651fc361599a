/**
 * The sums of all entries with the same merchant, debited account, credited account and currency. `sums` contains the
 * number of these entries and their total amount.
 */
export type EntrySum = {
  readonly mer_no: bigint
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly sums: readonly string[]
}
