/** The entries from one account of a merchant to another. `sums` has their number and their total amount. */
export type EntrySum = {
  readonly mer_no: bigint
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly sums: readonly string[]
}
