/** The entries between two accounts of a merchant. `sums` has their number and their total amount. */
export type EntrySum = {
  readonly mer_no: bigint
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly sums: readonly string[]
}
