// The strings that signatures cover. The strings of requests that are signed with MD5 are in sign.ts.

export type Fields = Readonly<Record<string, unknown>>

/** Returns all fields that have a value, except `sign`, sorted by name, as `name=value` joined with `&`. */
export function canonicalString(fields: Fields): string {
  return pairs(fields, (text) => text)
}

/**
 * Returns the string that RSA signs for a request. `%` and `&` in values are escaped, so that a payer's text such as
 * `&amount=1` cannot be read as another field. The gateway always accepts this form.
 */
export function escapedString(fields: Fields): string {
  return `escaped&${pairs(fields, (text) => text.replaceAll('%', '%25').replaceAll('&', '%26'))}`
}

function pairs(fields: Fields, write: (text: string) => string): string {
  return Object.keys(fields)
    .filter((name) => name !== 'sign' && !isEmpty(fields[name]))
    .sort()
    .map((name) => `${name}=${write(textOf(fields[name]))}`)
    .join('&')
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** Returns JSON with the keys sorted at every level and without white space. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
