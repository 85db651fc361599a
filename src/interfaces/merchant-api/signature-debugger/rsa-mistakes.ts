// Mistakes that developers make when they sign with RSA. A mistake lists the strings that a developer may have signed,
// or reads the signature in another spelling. If the signature then verifies, the mistake is found.
import { constants, type KeyObject, verify } from 'node:crypto'
import { isSigned, written } from '../../../money/merchants/sign-fields.ts'
import { escapedString, plainString, type SignedField } from '../checks/rsa-string.ts'
import type { Body } from '../fields/read-fields.ts'

export type RsaCase = {
  readonly fields: readonly SignedField[]
  readonly body: Body
  readonly text: string
  /** The string that an MD5 signature would cover, without the key. */
  readonly md5String: string
  readonly keys: readonly string[]
}

export type RsaMistake = {
  readonly code: string
  readonly says: string
  readonly strings: (one: RsaCase) => readonly string[]
}

export const rsaMistakes: readonly RsaMistake[] = [
  {
    code: 'rsa-needs-escape',
    says: 'A value contains "&", a field name and "=". Sign the escaped form, which is shown above.',
    strings: ({ fields }) => [plainString(fields), escapedString(fields).replace(/^escaped&/, '')],
  },
  {
    code: 'rsa-order',
    says: 'The fields are not sorted by name in ASCII order, where upper-case letters come before lower-case ones.',
    strings: ({ fields, body }) => {
      const sent = Object.keys(body).flatMap((name) => fields.filter((one) => one.name === name))
      const byAlphabet = fields.toSorted((one, other) =>
        one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1,
      )
      return [sent, byAlphabet].map(plainString)
    },
  },
  {
    code: 'rsa-empty-fields',
    says: 'Fields without a value are in the string. Leave them out.',
    strings: ({ body }) =>
      ['', 'null'].map((empty) => {
        const names = Object.keys(body).filter((name) => name !== 'sign' && name !== 'sing')
        const pairs = names.map((name) => `${name}=${textOf(body[name], empty)}`)
        return pairs.toSorted().join('&')
      }),
  },
  {
    code: 'rsa-nested',
    says: 'Objects and lists are written differently. Write them as JSON with sorted names and no white space.',
    strings: ({ body }) =>
      [(value: unknown) => JSON.stringify(value), spaced].map((write) => withNested(body, write)),
  },
  {
    code: 'rsa-sign-included',
    says: 'The field sign is in the string. Leave it out.',
    strings: ({ body, fields }) => [
      `${plainString(fields)}&sign=`,
      plainString(sortedWithSign(fields, body)),
    ],
  },
  {
    code: 'rsa-md5-string',
    says: 'The string of an MD5 signature was signed. An RSA signature covers all fields, as name=value.',
    strings: ({ md5String, keys }) => [md5String, ...keys.map((key) => md5String + key)],
  },
  {
    code: 'rsa-key-appended',
    says: 'The merchant key is appended to the string. RSA signs with your private key only.',
    strings: ({ fields, keys }) =>
      keys.flatMap((key) => [`${plainString(fields)}${key}`, `${plainString(fields)}&key=${key}`]),
  },
  {
    code: 'rsa-whole-body',
    says: 'The JSON text of the body was signed. Sign the sorted name=value pairs.',
    strings: ({ body, text }) => {
      const { sign: _, ...rest } = body
      return [text, JSON.stringify(rest), JSON.stringify(body)]
    },
  },
  {
    code: 'rsa-url-encoded',
    says: 'The values are URL-encoded. Sign them as they are.',
    strings: ({ fields }) => [
      fields.map(({ name, text }) => `${name}=${encodeURIComponent(text)}`).join('&'),
      new URLSearchParams(fields.map(({ name, text }) => [name, text])).toString(),
    ],
  },
  {
    code: 'rsa-line-break',
    says: 'There is a line break at the end of the string. Remove it.',
    strings: ({ fields }) => ['\n', '\r\n'].map((end) => plainString(fields) + end),
  },
]

function textOf(value: unknown, empty: string): string {
  return value === null || value === '' ? empty : written(value)
}

function withNested(body: Body, write: (value: unknown) => string): string {
  const names = Object.keys(body).filter((name) => isSigned(name, body[name]))
  const text = (value: unknown) => (typeof value === 'object' ? write(value) : written(value))
  return names
    .sort()
    .map((name) => `${name}=${text(body[name])}`)
    .join('&')
}

/** Writes JSON as Python does. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}: ${spaced(part)}`)
    .join(', ')}}`
}

function sortedWithSign(fields: readonly SignedField[], { sign }: Body): readonly SignedField[] {
  const withSign = [...fields, { name: 'sign', text: String(sign ?? '') }]
  return withSign.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export type SpellingMistake = {
  readonly code: string
  readonly says: string
  readonly verifies: (text: string, sign: string, key: KeyObject) => boolean
}

const pkcs1 = constants.RSA_PKCS1_PADDING

function verifiesAs(hash: string, text: string, signature: Buffer, key: KeyObject, padding = pkcs1): boolean {
  return verify(hash, Buffer.from(text), { key, padding }, signature)
}

export function verifiesRsa(text: string, sign: string, key: KeyObject): boolean {
  return verifiesAs('sha256', text, Buffer.from(sign, 'base64'), key)
}

/** Mistakes in the algorithm or in the spelling of the signature, over the right string. */
export const spellingMistakes: readonly SpellingMistake[] = [
  {
    code: 'rsa-base64',
    says: 'The signature is not plain base64. Use the usual alphabet with + and /, without line breaks or spaces.',
    verifies: (text, sign, key) =>
      !/^[A-Za-z0-9+/]+={0,2}$/.test(sign) &&
      verifiesAs('sha256', text, Buffer.from(sign.replaceAll(' ', '+'), 'base64'), key),
  },
  {
    code: 'rsa-hex',
    says: 'The signature is written in hexadecimal. Write it in base64.',
    verifies: (text, sign, key) =>
      /^[0-9a-f]+$/i.test(sign) && verifiesAs('sha256', text, Buffer.from(sign, 'hex'), key),
  },
  {
    code: 'rsa-hash',
    says: 'Another hash than SHA-256 is used. Sign with SHA256withRSA.',
    verifies: (text, sign, key) =>
      ['sha1', 'md5', 'sha512'].some((hash) => verifiesAs(hash, text, Buffer.from(sign, 'base64'), key)),
  },
  {
    code: 'rsa-padding',
    says: 'The signature uses PSS padding. Use PKCS #1 v1.5.',
    verifies: (text, sign, key) =>
      verifiesAs('sha256', text, Buffer.from(sign, 'base64'), key, constants.RSA_PKCS1_PSS_PADDING),
  },
]
