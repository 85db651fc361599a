export type Counter = {
  add(name: string, by?: number): void
  readonly byName: ReadonlyMap<string, number>
  total(): number
}

export function createCounter(): Counter {
  const byName = new Map<string, number>()
  return {
    byName,
    add: (name, by = 1) => void byName.set(name, (byName.get(name) ?? 0) + by),
    total: () => [...byName.values()].reduce((sum, count) => sum + count, 0),
  }
}
