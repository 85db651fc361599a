// The JSON Schemas of field tables.
import { lengthWorthSaying, ruleWords, sharedFields } from '../fields/described-tables.ts'
import type { Field, RuleName, Table } from '../fields/field.ts'

export type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json }
export type Schema = { readonly [keyword: string]: Json }

const formats: Readonly<Partial<Record<RuleName, string>>> = {
  url: 'uri',
  notifyUrl: 'uri',
  email: 'email',
  day: 'date',
}

export function objectSchema(table: Table): Schema {
  const required = table.filter((field) => field.required).map(({ name }) => name)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(table.map((field) => [field.name, schemaOf(field)])),
  }
}

/** Returns a schema of the fields that all tables share, and for each table a schema of its other fields. */
export function splitSchemas(tables: ReadonlyMap<string, Table>): {
  readonly base: Schema
  readonly rest: ReadonlyMap<string, Schema>
} {
  const base = sharedFields([...tables.values()])
  const rest = [...tables].map(([name, table]) => {
    const own = table.filter((field) => {
      const shared = base.find((one) => one.name === field.name)
      return shared === undefined || shared.required !== field.required
    })
    return [name, objectSchema(own)] as const
  })
  return { base: objectSchema(base), rest: new Map(rest) }
}

function schemaOf(field: Field): Schema {
  return { ...typeSchema(field), description: descriptionOf(field) }
}

function descriptionOf({ type, rule, meaning }: Field): string {
  const more = type === 'merNo' ? 'a string of digits is accepted, too' : rule && ruleWords[rule]
  return more === undefined ? sentence(meaning) : `${sentence(meaning)} ${sentence(more)}`
}

function typeSchema(field: Field): Schema {
  switch (field.type) {
    case 'text':
      return textSchema(field)
    case 'integer':
      return { type: 'integer', ...(field.oneOf && { enum: field.oneOf.map(Number) }) }
    case 'boolean':
      return { type: 'boolean' }
    case 'merNo':
      return { type: 'integer' }
    case 'object':
      return {
        ...objectSchema(field.fields ?? []),
        ...(field.closed && { additionalProperties: false }),
      }
    case 'list':
      return listSchema(field)
  }
}

function textSchema(field: Field): Schema {
  const { rule, required, oneOf, defaultValue } = field
  const format = rule && formats[rule]
  const maxLength = lengthWorthSaying(field)
  return {
    type: 'string',
    ...(format && { format }),
    ...(required && maxLength !== undefined && { minLength: 1 }),
    ...(maxLength !== undefined && { maxLength }),
    ...(oneOf && { enum: oneOf }),
    ...(defaultValue !== undefined && { default: defaultValue }),
  }
}

function listSchema({ required, maxLength, of }: Field): Schema {
  const isBounded = maxLength !== undefined && maxLength < Number.MAX_SAFE_INTEGER
  return {
    type: 'array',
    items: of === undefined ? {} : typeSchema(of),
    ...(required && isBounded && { minItems: 1 }),
    ...(isBounded && { maxItems: maxLength }),
  }
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
