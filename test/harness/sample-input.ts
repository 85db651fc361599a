// Input that a route's schemas accept, made from the schemas themselves, with the given values for fields of the same
// name.

type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
}

export type Values = Readonly<Record<string, unknown>>

/** Returns a sample. Optional fields are left out, unless their value is given. */
export function sampleOf(schema: Schema, values: Values, name = ''): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {}, values)
  if (schema.type === 'object') return objectOf(schema, values)
  if (schema.type === 'array') return [sampleOf(schema.items ?? {}, values)]
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return textOf(schema)
}

function objectOf({ properties = {}, required = [] }: Schema, values: Values): unknown {
  const wanted = Object.entries(properties).filter(
    ([name]) => required.includes(name) || Object.hasOwn(values, name),
  )
  return Object.fromEntries(wanted.map(([name, schema]) => [name, sampleOf(schema, values, name)]))
}

function textOf({ format, pattern, maxLength = 8 }: Schema): string {
  if (format === 'date-time') return new Date().toISOString()
  if (pattern?.startsWith('^\\d{4}')) return '2026-11-01'
  return 'abcdefgh'.slice(0, maxLength)
}
