type Row = Readonly<Record<string, unknown>> & { readonly method: string }

export type ChangedTerm = {
  readonly method: string
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns the changed terms. Undefined if the values are not lists of terms by method. */
export function changedTerms(before: unknown, after: unknown): readonly ChangedTerm[] | undefined {
  if (!isTerms(before) || !isTerms(after)) return undefined
  const methods = [...new Set([...before, ...after].map(({ method }) => method))]
  return methods.flatMap((method) => {
    const [then, now] = [before, after].map((rows) => rows.find((row) => row.method === method))
    const names = Object.keys({ ...then, ...now }).filter((name) => name !== 'method')
    return names
      .filter((name) => then?.[name] !== now?.[name])
      .map((name) => ({ method, name, before: then?.[name], after: now?.[name] }))
  })
}

function isTerms(value: unknown): value is readonly Row[] {
  return (
    Array.isArray(value) &&
    value.every((row) => typeof row === 'object' && row !== null && 'method' in row && 'feeBps' in row)
  )
}
