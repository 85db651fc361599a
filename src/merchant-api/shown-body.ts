// What the request log may show of a request and its response. Of a request only values of fields that the interface knows
// and that are not secret are shown: a name that nobody has thought of may hold a card number. Names are always shown,
// because a misspelt one is what a developer looks for.
import { isObject } from '../base/object.ts'
import type { Code } from '../errors/catalogue.ts'
import { type Endpoint, type EndpointPath, endpoints, tableOfNoChoice } from './endpoints.ts'
import type { Envelope } from './envelope.ts'
import type { Field, Table } from './fields/field.ts'
import type { Body } from './fields/read-fields.ts'

/** ASCII: with any other character V8 stores the whole text with two bytes per character, which takes twice the time. */
export const MASK = '***'
export const MOST_CHARACTERS = 8_192
const CUT = '…'

/** Stored encrypted elsewhere, or worth as much as a key. */
const alsoHidden: readonly string[] = ['sign', 'sing', 'info']

const tables = Object.values(endpoints).flatMap((endpoint: Endpoint) => [
  ...[...endpoint.choices.values()].map(({ table }) => table),
  tableOfNoChoice(endpoint),
])

function allFields(table: Table): readonly Field[] {
  return table.flatMap((one) => [one, ...allFields(one.fields ?? []), ...allFields(one.of?.fields ?? [])])
}

function namesOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, aliases = [] }) => [name, ...aliases])
}

const fields = tables.flatMap(allFields)
const hidden = new Set([
  ...alsoHidden,
  ...namesOf(fields.filter(({ secrecy }) => secrecy !== undefined)),
  ...namesOf(allFields(fields.filter(({ name }) => alsoHidden.includes(name)))),
])
const shown: ReadonlySet<string> = new Set(
  [...namesOf(fields), 'paymentMode', 'withdrawType'].filter((name) => name !== '' && !hidden.has(name)),
)

/** As JSON, with all other values masked. */
export function shownBody(body: Body): string {
  return cut(JSON.stringify(maskedObject(body)))
}

/** The object itself if there is nothing to mask. */
function maskedObject(given: Body): Body {
  let copy: Record<string, unknown> | undefined
  for (const name in given) {
    const value = given[name]
    const kept = shown.has(name) ? masked(value) : MASK
    if (kept === value) continue
    // A copy keeps the order of names, and is four times as fast as adding them one by one.
    copy ??= { ...given }
    copy[name] = kept
  }
  return copy ?? given
}

function masked(value: unknown): unknown {
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(masked)
  return isObject(value) ? maskedObject(value) : value
}

/** `text` is the response as it was sent, if it is an envelope. */
export function shownAnswer(path: EndpointPath, envelope: Envelope, text: string | undefined): string {
  const { code, sign } = envelope
  if (code === '10015') return JSON.stringify({ ...envelope, message: shownMessage(code, envelope.message) })
  const whole = text ?? JSON.stringify(envelope)
  const unsigned = sign === undefined ? whole : whole.replaceAll(sign, MASK)
  // With this link the beneficiary names the account that the money goes to.
  return cut(path === '/payout' ? unsigned.replace(/"payUrl":"[^"]*"/, `"payUrl":"${MASK}"`) : unsigned)
}

/** In sandbox the message of a wrong signature ends with the string to sign, which may contain the card. */
export function shownMessage(code: Code, message: string): string {
  return code === '10015' ? message.replace(/, of .*$/s, '') : message
}

/** A copy: a part of a long text would keep the whole in memory. */
function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  return Buffer.from(text.slice(0, MOST_CHARACTERS) + CUT).toString()
}
