// Lists the fields of a table for readers.

import { type Html, html } from '../../../platform/pages/page.ts'
import { lengthWorthSaying, ruleWords } from '../../merchant-api/fields/described-tables.ts'
import type { Field, Table } from '../../merchant-api/fields/field.ts'

/** A field with its place in the body, such as `productInfoList[].sku`. */
export type PlacedField = { readonly place: string; readonly field: Field }

/** Returns all fields of a table, including the fields of objects and of list elements. */
export function placedFields(table: Table, parent = ''): PlacedField[] {
  return table.flatMap((field) => {
    const place = parent + field.name
    return [{ place, field }, ...placedFields(field.fields ?? [], `${place}.`), ...elementsOf(field, place)]
  })
}

function elementsOf({ of }: Field, place: string): PlacedField[] {
  return placedFields(of?.fields ?? [], `${place}[].`)
}

/**
 * Returns the list of the fields of a request to the gateway (`received`) or of a message from the gateway (`sent`).
 */
export function fieldList(table: Table, direction: 'received' | 'sent'): Html {
  return html`<dl class="fields">${placedFields(table).map((placed) => fieldEntry(placed, direction))}</dl>
`
}

function fieldEntry({ place, field }: PlacedField, direction: 'received' | 'sent'): Html {
  const always = direction === 'sent' ? 'always there' : 'required'
  return html`<div><dt><code>${place}</code> <span class="soft">${typeInWords(field)}</span>${
    field.required && html` <span class="required">${always}</span>`
  }</dt><dd>${field.meaning}.${restrictions(field)}</dd></div>
`
}

const typeNames: Readonly<Record<Field['type'], string>> = {
  text: 'string',
  integer: 'integer',
  boolean: 'boolean',
  merNo: 'integer',
  object: 'object',
  list: 'list',
}

function typeInWords(field: Field): string {
  const length = lengthWorthSaying(field)
  const of = field.of === undefined ? '' : ` of ${typeNames[field.of.type]}s`
  return `${typeNames[field.type]}${of}${length === undefined ? '' : `, up to ${length}`}`
}

function restrictions(field: Field): Html {
  const { rule, defaultValue, aliases } = field
  const values = field.oneOf ?? field.of?.oneOf
  const also = aliases?.map((alias) => html`<code>${alias}</code>`)
  return html`${rule && html` Must be ${withCode(ruleWords[rule])}.`}${
    values && html` One of ${joined(values.map((value) => html`<code>${value}</code>`))}.`
  }${defaultValue !== undefined && html` The default is <code>${defaultValue}</code>.`}${
    also && html` Also accepted as ${joined(also)}.`
  }`
}

export function withCode(text: string): Html {
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
  return html`${parts}`
}

export function joined(parts: readonly Html[]): Html {
  return { html: parts.map((part) => part.html).join(', ') }
}
