// TypeScript types of field tables, as source text.
import { lengthWorthSaying, ruleWords } from '../../src/interfaces/merchant-api/fields/described-tables.ts'
import type { Field, Table } from '../../src/interfaces/merchant-api/fields/field.ts'

/** The fields that the client fills in. */
const filledIn: readonly string[] = ['merNo', 'sign', 'operationType']

/** Writes types of tables. Collects the types of the objects inside tables, each once, under the name of its field. */
export class TypeWriter {
  readonly #named = new Map<string, string>()

  /** The declarations collected so far. */
  declarations(): string {
    return [...this.#named].map(([text, name]) => `export type ${name} = ${text}\n`).join('\n')
  }

  typeOf({ name, type, oneOf, fields, of }: Field): string {
    switch (type) {
      case 'text':
        return oneOf === undefined ? 'string' : oneOf.map((value) => `'${value}'`).join(' | ')
      case 'integer':
        return oneOf === undefined ? 'number' : oneOf.join(' | ')
      case 'boolean':
        return 'boolean'
      case 'merNo':
        return 'number'
      case 'object':
        return this.#name(name, fields ?? [])
      case 'list':
        return this.#listOf(name, of)
    }
  }

  #listOf(name: string, of: Field | undefined): string {
    if (of === undefined) return 'readonly unknown[]'
    if (of.type === 'object') return `readonly ${this.#name(`${name}-item`, of.fields ?? [])}[]`
    const element = this.typeOf(of)
    return `readonly ${element.includes('|') ? `(${element})` : element}[]`
  }

  #name(field: string, table: Table): string {
    const text = this.objectOf(table)
    const wanted = field.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    const taken = [...this.#named.values()].filter((name) => name.startsWith(wanted)).length
    const name = this.#named.get(text) ?? (taken === 0 ? wanted : `${wanted}${taken + 1}`)
    this.#named.set(text, name)
    return name
  }

  objectOf(table: Table): string {
    if (table.length === 0) return '{}'
    return `{\n${table.map((field) => this.lineOf(field)).join('')}}`
  }

  lineOf(field: Field): string {
    const type = this.typeOf(field)
    const optional = field.required ? `: ${type}` : `?: ${type} | undefined`
    return `${commentOf(field)}  readonly ${field.name}${optional}\n`
  }
}

function commentOf(field: Field): string {
  const { rule, defaultValue } = field
  const facts: string[] = []
  if (rule !== undefined) facts.push(ruleWords[rule])
  const length = lengthWorthSaying(field)
  if (length !== undefined) facts.push(`at most ${length} characters`)
  if (defaultValue !== undefined) facts.push(`\`${defaultValue}\` unless given`)
  return facts.length === 0 ? '' : `  /** ${sentence(facts.join('; '))} */\n`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/**
 * Returns the table without the fields that the client fills in, and without the field `chooser`, whose value chooses
 * the table.
 */
export function givenFields(table: Table, chooser?: string): Table {
  return table.filter(({ name }) => !filledIn.includes(name) && name !== chooser)
}

/** Indents a type, so that the type can be that of a member of another type. */
export function indented(type: string): string {
  return type.replaceAll('\n', '\n  ')
}
