// The string that an RSA signature covers: every field of the body, in a form that can be read in only one way.
//
// The plain form joins `name=value` with `&` and does not change the values. If a value contains `&name=` with a field
// name of any endpoint, that part could be read as a field. The plain form is then refused. The escaped form, which is
// always accepted, begins with `escaped&` and writes `%` and `&` in values as `%25` and `%26`.
//
// Proof that two readings cannot differ in a field of the interface: Names contain neither `&` nor `=`. Take the first
// place where one reading begins a field and the other continues a value. The name at this place is not a field of the
// interface, because a value that contains `&`, such a name and `=` is refused. Therefore the readings differ only in
// whether a text ends before a name that the gateway ignores. Amounts, currencies and numbers contain no `&`. In the
// escaped form every `&` begins a field. A plain string has `=` before its first `&`, and an escaped string does not.
// Therefore no string is both plain and escaped. A merchant who signs payers' texts without checking them is safe only
// with the escaped form.
import { isSigned, NotSignable, written } from '../../../money/merchants/sign-fields.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { allTablesOf, type Endpoint, endpoints } from '../endpoints.ts'
import { namesOf } from '../fields/field.ts'
import type { Body } from '../fields/read-fields.ts'

export type SignedField = { readonly name: string; readonly text: string }

const NAME = /^[A-Za-z0-9_]{1,64}$/

// The sets of names are computed from the tables, so that a new field or endpoint is included automatically.

const all: readonly Endpoint[] = Object.values(endpoints)

const fields = all.flatMap(allTablesOf).flat()
const choosing = all.flatMap(({ chosenBy }) => (chosenBy === undefined ? [] : [chosenBy.name]))

export const interfaceNames: ReadonlySet<string> = new Set([...fields.flatMap(namesOf), ...choosing])

export const identifierNames: ReadonlySet<string> = new Set(
  fields.filter(({ identifier }) => identifier).flatMap(namesOf),
)

const payoutNames: ReadonlySet<string> = namesIn('payout')

function namesIn(does: Endpoint['does']): ReadonlySet<string> {
  return new Set(
    all
      .filter((endpoint) => endpoint.does === does)
      .flatMap(allTablesOf)
      .flat()
      .flatMap(namesOf),
  )
}

function isForeignToPayouts(name: string): boolean {
  return interfaceNames.has(name) && !payoutNames.has(name)
}

// The code below runs on up to 1 MiB of unauthenticated input. Therefore it uses one native search, and one pass over
// the bytes. A separate match or replacement for each "&" would cost a hundred times as much.

/**
 * Finds a field of the interface inside a text. The names of the signature's own field are left out, because the string
 * never contains the signature.
 */
const FIELD_IN_TEXT = new RegExp(
  `&(?:${[...interfaceNames].filter((name) => isSigned(name, true)).join('|')})=`,
)

export function signedFields(body: Body): readonly SignedField[] {
  const fields: SignedField[] = []
  for (const name of Object.keys(body).sort()) {
    if (!NAME.test(name))
      throw new Refusal(
        '10015',
        'field names in a body signed with RSA must be 1 to 64 letters, digits and underscores',
      )
    const value = body[name]
    if (isSigned(name, value)) fields.push({ name, text: textOf(name, value) })
  }
  return fields
}

function textOf(name: string, value: unknown): string {
  const text = writtenOrRefused(value)
  if (identifierNames.has(name) && text.includes('&'))
    throw new Refusal('10015', `${name} must not contain "&" in a body signed with RSA`)
  return text
}

function writtenOrRefused(value: unknown): string {
  try {
    return written(value)
  } catch (error) {
    if (error instanceof NotSignable) throw new Refusal('10015', error.message)
    throw error
  }
}

export function plainString(fields: readonly SignedField[]): string {
  return fields.map(({ name, text }) => `${name}=${text}`).join('&')
}

export function escapedString(fields: readonly SignedField[]): string {
  return `escaped&${fields.map(({ name, text }) => `${name}=${escaped(text)}`).join('&')}`
}

const PERCENT = 0x25
const AMPERSAND = 0x26

function escaped(text: string): string {
  if (!/[%&]/.test(text)) return text
  const bytes = Buffer.from(text)
  const target = Buffer.allocUnsafe(bytes.length * 3)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === PERCENT || byte === AMPERSAND) {
      target[end++] = PERCENT
      target[end++] = 0x32
      target[end++] = byte === PERCENT ? 0x35 : 0x36
    } else {
      target[end++] = byte
    }
  }
  return target.toString('utf8', 0, end)
}

/** Returns why this body must be signed in the escaped form. Undefined if the plain form is accepted. */
export function plainProblem(fields: readonly SignedField[], { does }: Endpoint): string | undefined {
  const holder = ambiguousField(fields)
  if (holder !== undefined) return `${holder} contains "&", a field name and "=": ${REMEDY}`
  // A signed payment may contain a payer's text. The payment's signature must not be valid for a payout that is made of
  // parts of this text.
  const foreign = does === 'payout' ? fields.find(({ name }) => isForeignToPayouts(name)) : undefined
  return foreign && `${foreign.name} is not a payout field: ${REMEDY}`
}

const REMEDY =
  'sign the escaped form, which is "escaped&" followed by the string with % and & inside values written as %25 and %26'

function ambiguousField(fields: readonly SignedField[]): string | undefined {
  return fields.find(({ text }) => FIELD_IN_TEXT.test(text))?.name
}

export function stringToSign(fields: readonly SignedField[], endpoint: Endpoint): string {
  return plainProblem(fields, endpoint) === undefined ? plainString(fields) : escapedString(fields)
}
