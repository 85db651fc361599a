// Mistakes that developers make when they sign with MD5. Each mistake lists the texts that such a developer would hash.
// If the hash of a text equals the signature that was sent, the mistake is found.
import { createHash, createHmac } from 'node:crypto'
import { md5 } from '../../../platform/base/secret.ts'
import type { Body } from '../fields/read-fields.ts'

export type Md5Case = {
  /** The signed fields in signing order, and their values as sent. */
  readonly names: readonly string[]
  readonly values: readonly string[]
  readonly key: string
  readonly body: Body
  readonly text: string
}

export type Md5Mistake = {
  readonly code: string
  readonly says: string
  readonly texts: (one: Md5Case) => readonly string[]
}

export const md5Mistakes: readonly Md5Mistake[] = [
  {
    code: 'field-order',
    says: 'The fields are in another order. Join their values in the documented order.',
    texts: ({ values, key }) => orders(values).map((list) => list.join('') + key),
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
    texts: ({ body, text, key }) => {
      const { sign: _, ...rest } = body
      return [text, JSON.stringify(rest), JSON.stringify(body)].flatMap((all) => [all + key, all])
    },
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

export type HashMistake = {
  readonly code: string
  readonly says: string
  readonly signatures: (string: string, key: string) => readonly string[]
}

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

export const hashMistakes: readonly HashMistake[] = [
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

function pairsOf(body: Body): string[] {
  return Object.entries(body)
    .filter(([name, value]) => name !== 'sign' && name !== 'sing' && value !== '' && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
}

function orders(values: readonly string[]): string[][] {
  return permutations(values).slice(1)
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

/** Returns other spellings of an amount, such as 12.3, 1230, 12, 12.300 and 12,30 for 12.30. */
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
