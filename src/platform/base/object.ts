/** A JSON object whose fields are unchecked. */
export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the text in the field, or '' for any other value. */
export function textIn(fields: Fields | undefined, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}

export function objectsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
