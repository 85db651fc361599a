// Counts by merchant. The largest count is always known: counts change by one, so no search is needed.

export class MerchantCounts {
  readonly #counts = new Map<number, number>()
  /** At index n: how many merchants have the count n. */
  readonly #merchantsWith: number[] = []
  #largest = 0
  #total = 0

  get total(): number {
    return this.#total
  }

  get largest(): number {
    return this.#largest
  }

  of(merNo: number): number {
    return this.#counts.get(merNo) ?? 0
  }

  add(merNo: number): void {
    this.#change(merNo, 1)
  }

  remove(merNo: number): void {
    this.#change(merNo, -1)
  }

  #change(merNo: number, by: 1 | -1): void {
    const from = this.of(merNo)
    const to = from + by
    this.#total += by
    if (to === 0) this.#counts.delete(merNo)
    else this.#counts.set(merNo, to)
    this.#merchantsWith[from] = (this.#merchantsWith[from] ?? 0) - 1
    this.#merchantsWith[to] = (this.#merchantsWith[to] ?? 0) + 1
    const isNoLonger = from === this.#largest && this.#merchantsWith[from] === 0
    if (to > this.#largest || isNoLonger) this.#largest = to
  }
}
