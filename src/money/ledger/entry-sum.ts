/** One row for all entries that agree in these columns: `sums` are their number and their amount. */
export type EntrySum = {
  readonly mer_no: bigint
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly sums: readonly string[]
}
