// Counts by merchant. The largest count is always known: counts change by one, so no search is needed. Halved counts forget
// the past little by little.

export class MerchantCounts {
  readonly #counts = new Map<number, number>()
  /** At index n: how many merchants have the count n. */
  #merchantsWith: number[] = []
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

  halve(): void {
    const counts = [...this.#counts]
    this.#counts.clear()
    this.#merchantsWith = []
    this.#largest = 0
    this.#total = 0
    for (const [merNo, count] of counts) if (count > 1) this.#set(merNo, 0, count >> 1)
  }

  #change(merNo: number, by: 1 | -1): void {
    const from = this.of(merNo)
    this.#set(merNo, from, from + by)
  }

  #set(merNo: number, from: number, to: number): void {
    this.#total += to - from
    if (to === 0) this.#counts.delete(merNo)
    else this.#counts.set(merNo, to)
    this.#merchantsWith[from] = (this.#merchantsWith[from] ?? 0) - 1
    this.#merchantsWith[to] = (this.#merchantsWith[to] ?? 0) + 1
    const isNoLonger = from === this.#largest && this.#merchantsWith[from] === 0
    if (to > this.#largest || isNoLonger) this.#largest = to
  }
}
