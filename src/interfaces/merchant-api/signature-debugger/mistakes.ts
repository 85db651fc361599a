// Mistakes that developers make when they sign with MD5. Each mistake lists the texts that a developer with this
// mistake would hash. If the hash of one of these texts equals the given signature, the mistake is found.

import { constants, createHash, createHmac, type KeyObject, verify } from 'node:crypto'
import { isSigned, written } from '../../../money/merchants/sign-fields.ts'
import { md5 } from '../../../platform/base/secret.ts'
import { escapedString, plainString, type SignedField } from '../checks/rsa-string.ts'
import type { Body } from '../fields/read-fields.ts'

export type Mistake = { readonly code: string; readonly says: string }

export type Md5Case = {
  /** The signed fields in signing order, and their values as sent. */
  readonly names: readonly string[]
  readonly values: readonly string[]
  readonly key: string
  readonly body: Body
  readonly text: string
}

export const md5Mistakes: readonly (Mistake & { readonly texts: (one: Md5Case) => readonly string[] })[] = [
  {
    code: 'field-order',
    says: 'The fields are in another order. Join their values in the documented order.',
    texts: ({ values, key }) =>
      permutations(values)
        .slice(1)
        .map((list) => list.join('') + key),
  },
  {
    code: 'separator',
    says: 'There is a separator between the values. Join them without one.',
    texts: ({ values, key }) =>
      ['&', ',', '|', ' ', '-', '_', ';', '\n'].flatMap((mark) => [
        values.join(mark) + key,
        values.join(mark) + mark + key,
      ]),
  },
  {
    code: 'names',
    says: 'The string contains names. An MD5 signature covers only values; names are for RSA.',
    texts: ({ names, values, key, body }) => {
      const pairs = names.map((name, at) => `${name}=${values[at] ?? ''}`)
      const lists = [pairs, pairs.toSorted(), pairsOf(body).toSorted(), pairsOf(body)]
      return lists
        .flatMap((list) => [list.join('&'), list.join('')])
        .flatMap((text) => [text + key, `${text}&${key}`, `${text}&key=${key}`])
    },
  },
  {
    code: 'key-place',
    says: 'The key is not at the end. Append it after the last value.',
    texts: ({ values, key }) => [key + values.join(''), key + values.join('') + key],
  },
  {
    code: 'key-missing',
    says: 'The key is missing. Append it after the last value.',
    texts: ({ values }) => [values.join('')],
  },
  {
    code: 'key-spaces',
    says: 'There is a space or a line break around the key. Remove it.',
    texts: ({ values, key }) =>
      [' ', '\n', '\r\n', '\t'].flatMap((space) => [
        values.join('') + key + space,
        values.join('') + space + key,
        values.join('') + space + key + space,
      ]),
  },
  {
    code: 'key-case',
    says: 'The key is in another case. Use it exactly as it was shown.',
    texts: ({ values, key }) =>
      [key.toLowerCase(), key.toUpperCase()].map((other) => values.join('') + other),
  },
  {
    code: 'amount',
    says: 'The amount is written differently in the signature. Sign the same text as in the body, such as 12.30.',
    texts: (one) => withValue(one, ['sourceAmount', 'amount'], amounts),
  },
  {
    code: 'spaces',
    says: 'Spaces around a value are signed, or were removed before signing. Sign each value exactly as it is sent.',
    texts: (one) => {
      const trimmed = one.values.map((value) => value.trim()).join('')
      const added = withValue(one, one.names, (value) => [` ${value}`, `${value} `, `${value}\n`])
      return [trimmed + one.key, `${one.values.join('')} ${one.key}`, ...added]
    },
  },
  {
    code: 'empty-value',
    says: 'A field without a value is signed as a word such as null. Sign it as nothing.',
    texts: (one) =>
      ['null', 'undefined', 'None', 'nil', 'NULL', '""', 'false', '0'].map(
        (word) => one.values.map((value) => (value === '' ? word : value)).join('') + one.key,
      ),
  },
  {
    code: 'field-left-out',
    says: 'A signed field is missing from the string. Join all of them.',
    texts: ({ values, key }) => values.map((_, at) => values.toSpliced(at, 1).join('') + key),
  },
  {
    code: 'field-added',
    says: 'The string contains a field that is not signed. Join only the documented ones.',
    texts: ({ values, key, body, names }) =>
      Object.entries(body)
        .filter(([name, value]) => !names.includes(name) && name !== 'sign' && typeof value !== 'object')
        .flatMap(([, value]) => [
          values.join('') + String(value) + key,
          String(value) + values.join('') + key,
        ]),
  },
  {
    code: 'whole-body',
    says: 'The whole body is signed. An MD5 signature covers only the documented fields.',
    texts: ({ body, text, key }) => wholeBodies(body, text).flatMap((all) => [all + key, all]),
  },
  {
    code: 'url-encoded',
    says: 'The values are URL-encoded in the signature. Sign them as they are.',
    texts: ({ values, key }) => [
      values.map(encodeURIComponent).join('') + key,
      encodeURIComponent(values.join('') + key),
    ],
  },
  {
    code: 'text-case',
    says: 'The values are signed in another case. Sign them as they are sent.',
    texts: ({ values, key }) => {
      const text = values.join('')
      return [text.toLowerCase(), text.toUpperCase()].flatMap((other) => [
        other + key,
        (other + key).toLowerCase(),
        (other + key).toUpperCase(),
      ])
    },
  },
]

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

export const hashMistakes: readonly (Mistake & {
  readonly signatures: (string: string, key: string) => readonly string[]
})[] = [
  {
    code: 'other-hash',
    says: 'Another hash than MD5 is used. Use MD5, or register a public key and sign with RSA.',
    signatures: (string, key) => ['sha1', 'sha256', 'sha512'].map((one) => hex(one, string + key)),
  },
  {
    code: 'hmac',
    says: 'An HMAC is used. Append the key to the string, and take the plain MD5 of it.',
    signatures: (string, key) =>
      ['md5', 'sha1', 'sha256'].flatMap((one) => {
        const mac = createHmac(one, key).update(string).digest()
        return [mac.toString('hex'), mac.toString('base64')]
      }),
  },
  {
    code: 'base64',
    says: 'The hash is written in base64. Write it as 32 hexadecimal characters, in upper case.',
    signatures: (string, key) => {
      const bytes = createHash('md5')
        .update(string + key)
        .digest()
      return [bytes.toString('base64'), Buffer.from(bytes.toString('hex')).toString('base64')]
    },
  },
  {
    code: 'md5-twice',
    says: 'MD5 is applied twice, or the key is hashed first. Hash the string with the plain key once.',
    signatures: (string, key) => {
      const once = hex('md5', string + key)
      return [
        hex('md5', once),
        md5(md5(string + key)),
        hex('md5', string + hex('md5', key)),
        md5(string + md5(key)),
      ]
    },
  },
  {
    code: 'cut',
    says: 'Only a part of the hash was sent. Send all 32 characters.',
    signatures: (string, key) => [md5(string + key).slice(8, 24), md5(string + key).slice(0, 16)],
  },
]

function wholeBodies(body: Body, text: string): string[] {
  const { sign: _, ...rest } = body
  return [text, JSON.stringify(rest), JSON.stringify(body)]
}

function pairsOf(body: Body): string[] {
  return Object.entries(body)
    .filter(([name, value]) => name !== 'sign' && name !== 'sing' && value !== '' && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
}

function permutations(values: readonly string[]): string[][] {
  if (values.length <= 1) return [[...values]]
  return values.flatMap((value, at) => permutations(values.toSpliced(at, 1)).map((rest) => [value, ...rest]))
}

function withValue(
  { names, values, key }: Md5Case,
  changed: readonly string[],
  others: (value: string) => readonly string[],
): string[] {
  return values.flatMap((value, at) =>
    changed.includes(names[at] ?? '')
      ? others(value).map((other) => values.toSpliced(at, 1, other).join('') + key)
      : [],
  )
}

/**
 * Returns the forms in which a developer may have signed an amount. For 12.30 these are 12.3, 12, 12.0, 1230, 12.300
 * and 12,30.
 */
function amounts(value: string): string[] {
  const [whole = '', decimals = ''] = value.split('.')
  const short = decimals.replace(/0+$/, '')
  return [
    short === '' ? whole : `${whole}.${short}`,
    whole,
    `${whole}.0`,
    `${whole}${decimals}`,
    `${whole}.${decimals.padEnd(2, '0')}`,
    `${value}0`,
    value.replace('.', ','),
  ]
}

// Mistakes that developers make when they sign with RSA. A mistake lists the strings that a developer may have signed,
// or reads the signature in another spelling. If the signature is then valid, the mistake is found.

type RsaCase = {
  readonly fields: readonly SignedField[]
  readonly body: Body
  readonly text: string
  /** The string that an MD5 signature would cover, without the key. */
  readonly md5String: string
  readonly keys: readonly string[]
}

export const rsaMistakes: readonly (Mistake & { readonly strings: (one: RsaCase) => readonly string[] })[] = [
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
    strings: ({ body, text }) => wholeBodies(body, text),
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

/** Writes JSON with the spaces that Python adds. */
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

const pkcs1 = constants.RSA_PKCS1_PADDING

function verifiesAs(hash: string, text: string, signature: Buffer, key: KeyObject, padding = pkcs1): boolean {
  return verify(hash, Buffer.from(text), { key, padding }, signature)
}

export function verifiesRsa(text: string, sign: string, key: KeyObject): boolean {
  return verifiesAs('sha256', text, Buffer.from(sign, 'base64'), key)
}

/**
 * Mistakes of developers who signed the right string, but with a wrong algorithm or with a wrong spelling of the
 * signature.
 */
export const spellingMistakes: readonly (Mistake & {
  readonly verifies: (text: string, sign: string, key: KeyObject) => boolean
})[] = [
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
