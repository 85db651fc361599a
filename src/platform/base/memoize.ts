/** Caches results by text. Clients choose the texts, so the cache is bounded: a full cache is cleared. */
export function memoize<Value>(most: number, work: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (text) => {
    const cached = known.get(text)
    if (cached !== undefined) return cached.value
    const value = work(text)
    if (known.size >= most) known.clear()
    known.set(text, { value })
    return value
  }
}

/** Does the work at the first call, and shares its result. If the work fails, the next call does it again. */
export function onceDone<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
