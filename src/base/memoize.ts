/**
 * A pure function whose answers are remembered, for texts that come again and again. Others choose the texts, so what is
 * remembered is bounded: when it is full, it begins anew.
 */
export function remember<Value>(most: number, work: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (text) => {
    const held = known.get(text)
    if (held !== undefined) return held.value
    const value = work(text)
    if (known.size >= most) known.clear()
    known.set(text, { value })
    return value
  }
}
