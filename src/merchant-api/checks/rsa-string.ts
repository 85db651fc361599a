// What the RSA signature of a request covers: every field of its body, as a string that can be read in one way only.
//
// The plain form joins `name=value` with `&` and leaves values as they are. It counts unless text inside a value could be
// taken for a field of the interface: `&name=`, where the name is one that any endpoint reads.
// The escaped form begins with `escaped&` and writes `%` and `&` in values as `%25` and `%26`; it always counts.
//
// Why no field of the interface can be read in two ways: names hold neither `&` nor `=`. Take two readings of a plain string,
// and the first place where one begins a field and the other goes on with a value. The name there is none of the
// interface's, because a value that holds `&` + such a name + `=` is refused. So all that two readings can differ in is where
// a text ends before a name that nobody reads; amounts, currencies and numbers hold no `&` at all.
// In the escaped form every `&` begins a field. A plain string has `=` before its first `&`, an escaped one has not.
// Whoever signs text that payers choose, and does not look into it, is safe with the escaped form alone.
import { Refusal } from '../../errors/catalogue.ts'
import { isSigned, NotSignable, written } from '../../merchants/sign-fields.ts'
import type { Endpoint } from '../endpoints.ts'
import type { Body } from '../fields/check-types.ts'
import { identifierNames, interfaceNames, isForeignToPayouts } from '../fields/field-names.ts'

export type SignedField = { readonly name: string; readonly text: string }

const NAME = /^[A-Za-z0-9_]{1,64}$/

// Both of what follows run before anybody is known, over up to 1 MiB that a stranger chose: one native search, and one
// pass over bytes. A match or a replacement for each "&" costs a hundred times as much.

/** A signature is never part of the string, so no field can be made of it. */
const FIELD_IN_TEXT = new RegExp(
  `&(?:${[...interfaceNames].filter((name) => isSigned(name, true)).join('|')})=`,
)

/** What is signed, in the order of the string. Throws a Refusal for a body that no string can stand for. */
export function signedFields(body: Body): readonly SignedField[] {
  const fields: SignedField[] = []
  for (const name of Object.keys(body).sort()) {
    if (!NAME.test(name))
      throw new Refusal(
        '10015',
        'names in a body signed with RSA are 1 to 64 letters, digits and underscores',
      )
    const value = body[name]
    if (isSigned(name, value)) fields.push({ name, text: textOf(name, value) })
  }
  return fields
}

function textOf(name: string, value: unknown): string {
  const text = writtenOrRefused(value)
  if (identifierNames.has(name) && text.includes('&'))
    throw new Refusal('10015', `${name} must not hold "&" in a body signed with RSA`)
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
  const room = Buffer.allocUnsafe(bytes.length * 3)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === PERCENT || byte === AMPERSAND) {
      room[end++] = PERCENT
      room[end++] = 0x32
      room[end++] = byte === PERCENT ? 0x35 : 0x36
    } else {
      room[end++] = byte
    }
  }
  return room.toString('utf8', 0, end)
}

/** Why the plain form does not count for this body; undefined when it does. */
export function plainProblem(fields: readonly SignedField[], { does }: Endpoint): string | undefined {
  const holder = ambiguousField(fields)
  if (holder !== undefined) return `${holder} holds "&", a field's name and "=", so ${REMEDY}`
  // A payment that a payer's text was signed into must not become a payout: the fields it needs could come out of that text.
  const foreign = does === 'payout' ? fields.find(({ name }) => isForeignToPayouts(name)) : undefined
  return foreign && `${foreign.name} is no field of a payout, so ${REMEDY}`
}

const REMEDY =
  'only the escaped form counts here: sign "escaped&" and then the string with % and & inside values written %25 and %26'

function ambiguousField(fields: readonly SignedField[]): string | undefined {
  return fields.find(({ text }) => FIELD_IN_TEXT.test(text))?.name
}

/** What to sign: the plain form where it counts. */
export function stringToSign(fields: readonly SignedField[], endpoint: Endpoint): string {
  return plainProblem(fields, endpoint) === undefined ? plainString(fields) : escapedString(fields)
}
