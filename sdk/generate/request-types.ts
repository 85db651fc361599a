// The types of request bodies. An endpoint with several tables gets one type for what they share, and for each table the rest.
import type { Field, Table } from '../../src/merchant-api/fields/field.ts'
import { givenFields, indented, type TypeWriter } from './field-types.ts'

export type Tables = ReadonlyMap<string, { readonly table: Table; readonly comment?: string | undefined }>

export function requestType(writer: TypeWriter, name: string, table: Table): string {
  return `export type ${name} = ${writer.objectOf(givenFields(table))}\n`
}

/** `chooser` is the field whose value chooses the table. */
export function requestTypes(writer: TypeWriter, name: string, tables: Tables, chooser: string): string {
  const given = [...tables].map(([key, { table, comment }]) => ({
    key,
    comment,
    table: givenFields(table, chooser),
  }))
  const base = sharedBy(
    writer,
    given.map(({ table }) => table),
  )
  const members = given.map(({ key, table, comment }) => {
    const said = comment === undefined ? '' : `  /** ${comment} */\n`
    return `${said}  readonly ${key}: ${indented(typeOf(writer, `${name}Base`, base, table))}\n`
  })
  return [
    `export type ${name}Base = ${writer.objectOf(base)}\n`,
    `export type ${name} = {\n${members.join('')}}\n`,
  ].join('\n')
}

/** The fields that all tables have with the same type. Required only if all require them. */
function sharedBy(writer: TypeWriter, tables: readonly Table[]): Table {
  const [first = [], ...others] = tables
  return first.flatMap((field) => {
    const same = others.map((table) => table.find(({ name }) => name === field.name))
    const isShared = same.every((one) => one !== undefined && writer.typeOf(one) === writer.typeOf(field))
    return isShared ? [{ ...field, required: [field, ...same].every((one) => one?.required === true) }] : []
  })
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
