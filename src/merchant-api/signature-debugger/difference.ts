// Where the string that a caller says it signed first differs from the right one.

export type Difference = {
  /** Counted from 0, in characters. */
  readonly at: number
  /** The field that stands there in the right string; '' behind the last one. */
  readonly field: string
  /** What stands there, and what the caller has: some characters each, '' at the end. */
  readonly right: string
  readonly given: string
}

const SHOWN = 12
const KEY = '<KEY>'

/**
 * Undefined when they are equal. `form` is '' for values without names and a key behind them, '&' for pairs, else the whole
 * right string.
 */
export function firstDifference(
  fields: readonly { readonly name: string; readonly value: string }[],
  form: string,
  given: string,
  keys: readonly string[],
): Difference | undefined {
  const parts = fields.map(({ name, value }) => (form === '' ? value : `${name}=${value}`))
  const right = form === '' ? parts.join('') + KEY : form === '&' ? parts.join('&') : form
  const compared = form === '' ? withKeyHidden(given, keys) : given
  if (compared === right) return undefined
  const at = commonLength(right, compared)
  return {
    at,
    field: fieldAt(fields, parts, form === '' ? 0 : 1, at),
    right: right.slice(at, at + SHOWN),
    given: compared.slice(at, at + SHOWN),
  }
}

/** A key of the merchant counts as <KEY>, which the caller may also have written. */
function withKeyHidden(given: string, keys: readonly string[]): string {
  const key = keys.find((one) => given.endsWith(one))
  return key === undefined ? given : given.slice(0, -key.length) + KEY
}

function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function fieldAt(
  fields: readonly { readonly name: string }[],
  parts: readonly string[],
  separatorLength: number,
  at: number,
): string {
  let end = 0
  for (const [index, part] of parts.entries()) {
    end += part.length + separatorLength
    if (at < end) return fields[index]?.name ?? ''
  }
  return ''
}
