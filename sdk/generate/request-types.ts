// Writes the types of request bodies. An endpoint with several tables gets one type for the fields that all tables
// share. Each table gets a type with the remaining fields.
import {
  type DescribedTable,
  sharedFields,
} from '../../src/interfaces/merchant-api/fields/described-tables.ts'
import type { Field, Table } from '../../src/interfaces/merchant-api/fields/field.ts'
import { givenFields, indented, type TypeWriter } from './field-types.ts'

export function requestType(writer: TypeWriter, name: string, table: Table): string {
  return `export type ${name} = ${writer.objectOf(givenFields(table))}\n`
}

/** `chooser` is the name of the field whose value chooses the table. */
export function requestTypes(
  writer: TypeWriter,
  name: string,
  tables: ReadonlyMap<string, DescribedTable>,
  chooser: string,
): string {
  const given = [...tables].map(([key, { table, currencies }]) => ({
    key,
    currencies,
    table: givenFields(table, chooser),
  }))
  const base = sharedFields(given.map(({ table }) => table))
  const members = given.map(({ key, table, currencies }) => {
    const said = currencies === undefined ? '' : `  /** ${currencies.join(', ')} only. */\n`
    return `${said}  readonly ${key}: ${indented(typeOf(writer, `${name}Base`, base, table))}\n`
  })
  return [
    `export type ${name}Base = ${writer.objectOf(base)}\n`,
    `export type ${name} = {\n${members.join('')}}\n`,
  ].join('\n')
}

function typeOf(writer: TypeWriter, baseName: string, base: Table, table: Table): string {
  const isIn = (field: Field) => base.some(({ name }) => name === field.name)
  const needed = table.filter(
    (field) => field.required && base.some(({ name, required }) => name === field.name && !required),
  )
  const names = needed.map(({ name }) => `'${name}'`).join(' | ')
  const more = table.filter((field) => !isIn(field))
  const parts = [
    needed.length === 0 ? baseName : `Needs<${baseName}, ${names}>`,
    ...(more.length === 0 ? [] : [writer.objectOf(more)]),
  ]
  return parts.join(' & ')
}
