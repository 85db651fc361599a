// Adds up sums that come in parts, one part from each slice.

/** All columns but `sums` are the key. */
type SumRow = { readonly mer_no: bigint; readonly sums: readonly string[] }

export class AddedSums<Row extends SumRow> {
  readonly #byKey = new Map<string, Row>()

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = Object.values({ ...row, sums: '' }).join(' ')
      const before = this.#byKey.get(key)
      this.#byKey.set(key, before === undefined ? row : { ...row, sums: added(before.sums, row.sums) })
    }
  }

  /** Removes and returns the sums of merchants up to this number. */
  takeUpTo(merNo: number): Row[] {
    const taken = [...this.#byKey].filter(([, row]) => row.mer_no <= merNo)
    for (const [key] of taken) this.#byKey.delete(key)
    return taken.map(([, row]) => row)
  }
}

function added(some: readonly string[], others: readonly string[]): string[] {
  return some.map((sum, at) => (BigInt(sum) + BigInt(others[at] ?? 0)).toString())
}
