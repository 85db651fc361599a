// Explains a signature: the string to sign, whether the signature is right, the first difference from the string that
// the caller signed, and the mistake if it is a known one. The explanation never contains a key or the right signature.
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { isObject } from '../../../platform/base/object.ts'
import { isEqualSecret, md5 } from '../../../platform/base/secret.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { plainProblem, type SignedField, signedFields, stringToSign } from '../checks/rsa-string.ts'
import { isMeantAsRsa, isSignedByRsa, longerSigned, md5StringToSign } from '../checks/signature.ts'
import { type Endpoint, type EndpointPath, endpoints } from '../endpoints.ts'
import { type Body, isEmpty } from '../fields/read-fields.ts'
import { MASK } from '../log-request.ts'
import {
  hashMistakes,
  type Md5Case,
  type Mistake,
  md5Mistakes,
  rsaMistakes,
  spellingMistakes,
  verifiesRsa,
} from './mistakes.ts'

export type SignatureQuestion = {
  readonly endpoint: EndpointPath
  readonly text: string
  /** The signature to explain. If undefined, the signature in the text is explained. */
  readonly sign?: string | undefined
  readonly signed?: string | undefined
}

type Explanation = {
  readonly algorithm: 'md5' | 'rsa'
  readonly stringToSign: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly verdict: 'right' | 'wrong' | 'missing'
  readonly difference: Difference | undefined
  readonly mistakes: readonly Mistake[]
}

type SignerFacts = {
  readonly merchant: Pick<Merchant, 'merNo' | 'keys' | 'rsaKey' | 'requireRsa' | 'webhookSecret'>
  readonly oldKeys: readonly string[]
}

/**
 * Explains the signature of a JSON object, or of a JSON string that contains an object. Returns undefined for any other
 * text.
 */
export function explainSignature(facts: SignerFacts, question: SignatureQuestion): Explanation | undefined {
  const parsed = parseJson(question.text)
  const isTwice = typeof parsed === 'string'
  const body = isTwice ? parseJson(parsed) : parsed
  if (!isObject(body)) return undefined
  const sign = question.sign ?? (typeof body.sign === 'string' && body.sign !== MASK ? body.sign : undefined)
  const explained = isRsa(facts, sign)
    ? explainRsa(facts, question, body, sign)
    : explainMd5(facts, question, body, sign)
  const mistakes = [
    ...(isTwice ? [TWICE] : []),
    ...bodyMistakes(facts, question, body),
    ...explained.mistakes,
  ]
  return { ...explained, mistakes: explained.verdict === 'right' ? mistakes : orUnknown(mistakes, explained) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRsa({ merchant }: SignerFacts, sign: string | undefined): boolean {
  if (sign === undefined || sign === '') return merchant.requireRsa
  return isMeantAsRsa(sign)
}

const TWICE: Mistake = {
  code: 'double-encoded',
  says: 'The body is JSON inside a JSON text. Encode it once.',
}

function bodyMistakes({ merchant }: SignerFacts, { endpoint }: SignatureQuestion, body: Body): Mistake[] {
  const found: Mistake[] = []
  if (!isEmpty(body.merNo) && Number(body.merNo) !== merchant.merNo)
    found.push({
      code: 'other-merchant',
      says: `merNo is not ${merchant.merNo}. Use the key of the merchant in the body.`,
    })
  for (const name of endpoints[endpoint].signed)
    if (name !== 'merNo' && typeof body[name] === 'number')
      found.push({
        code: 'number',
        says: `${name} is a JSON number. Send it as a text, and sign the same text.`,
      })
  return found
}

function orUnknown(mistakes: readonly Mistake[], { verdict, fields }: Explanation): readonly Mistake[] {
  if (mistakes.length > 0 || verdict !== 'wrong') return mistakes
  if (fields.some(({ value }) => value.includes(MASK))) return [MASKED]
  return [UNKNOWN]
}

const UNKNOWN: Mistake = {
  code: 'unknown',
  says: 'No known mistake leads to this signature. Either the key is another one, or the body was changed after it was signed.',
}
const MASKED: Mistake = {
  code: 'masked',
  says: 'The log does not store all values that this signature covers. Paste the body as it was sent.',
}

function explainMd5(
  facts: SignerFacts,
  { endpoint: path, text, signed }: SignatureQuestion,
  body: Body,
  sign: string | undefined,
): Explanation {
  const endpoint: Endpoint = endpoints[path]
  const accepted = [endpoint.signed, longerSigned(endpoint, body)].filter((names) => names !== undefined)
  const names = accepted.at(-1) ?? endpoint.signed
  const fields = names.map((name) => ({ name, value: String(body[name] ?? '') }))
  const string = md5StringToSign(names, body)
  const keys = facts.merchant.keys.map(({ key }) => key)
  const strings = accepted.map((list) => md5StringToSign(list, body))
  const isRight =
    sign !== undefined && keys.some((key) => strings.some((one) => isEqualSecret(md5(one + key), sign)))
  const cases = accepted.map((list) => ({
    names: list,
    values: list.map((name) => String(body[name] ?? '')),
    body,
    text,
  }))
  const mistakes = sign === undefined || isRight ? [] : md5MistakesOf(facts, cases, sign)
  return {
    algorithm: 'md5',
    stringToSign: `${string}<KEY>`,
    fields,
    verdict: verdictOf(sign, isRight),
    difference: signed === undefined ? undefined : firstDifference(fields, '', signed, keys),
    mistakes: isRight && facts.merchant.requireRsa ? [RSA_REQUIRED] : mistakes,
  }
}

const RSA_REQUIRED: Mistake = {
  code: 'rsa-required',
  says: 'The signature is right, but this merchant accepts only RSA. Sign with RSA, or turn the setting off.',
}

function verdictOf(sign: string | undefined, isRight: boolean): Explanation['verdict'] {
  if (sign === undefined || sign === '') return 'missing'
  return isRight ? 'right' : 'wrong'
}

type KeylessCase = Omit<Md5Case, 'key'>

function md5MistakesOf(
  { merchant, oldKeys }: SignerFacts,
  cases: readonly KeylessCase[],
  sign: string,
): Mistake[] {
  const current = merchant.keys.map(({ key }) => key)
  const secret = merchant.webhookSecret
  const kinds: readonly [keys: readonly string[], mistake: Mistake | undefined][] = [
    [current, undefined],
    [oldKeys, { code: 'old-key', says: 'It is signed with a key whose time is over. Use the current key.' }],
    [
      [secret, secret.replace(/^whsec_/, '')],
      { code: 'webhook-secret', says: 'It is signed with the webhook secret. Use the merchant key.' },
    ],
  ]
  for (const [keys, ofKey] of kinds)
    for (const key of keys)
      for (const one of cases) {
        const found = mistakesWith({ ...one, key }, sign)
        if (found !== undefined) return ofKey === undefined ? found : [ofKey, ...found]
      }
  return []
}

/** Returns the mistakes that explain the signature with this key. Returns undefined if they are not known. */
function mistakesWith(one: Md5Case, sign: string): Mistake[] | undefined {
  const string = one.values.join('')
  const isHash = (text: string) => isEqualSecret(md5(text), sign.trim().toUpperCase())
  const spelling = spellingOf(sign)
  if (isHash(string + one.key)) return spelling
  const wrong = md5Mistakes.find(({ texts }) => texts(one).some(isHash))
  if (wrong !== undefined) return [wrong, ...spelling].map(toMistake)
  const written = sign.trim().toLowerCase()
  const hashed = hashMistakes.find(({ signatures }) =>
    signatures(string, one.key).some((text) => isEqualSecret(text.toLowerCase(), written)),
  )
  return hashed && [toMistake(hashed)]
}

function toMistake({ code, says }: Mistake): Mistake {
  return { code, says }
}

function spellingOf(sign: string): Mistake[] {
  const found: Mistake[] = []
  if (sign !== sign.trim())
    found.push({ code: 'sign-spaces', says: 'There are spaces around the signature. Remove them.' })
  if (sign !== sign.toUpperCase())
    found.push({ code: 'lower-case', says: 'The signature is in lower case. Write the hash in upper case.' })
  return found
}

function explainRsa(
  { merchant }: SignerFacts,
  { endpoint: path, text, signed }: SignatureQuestion,
  body: Body,
  sign: string | undefined,
): Explanation {
  const endpoint: Endpoint = endpoints[path]
  const read = readFields(body)
  const { fields } = read
  const right = stringToSign(fields, endpoint)
  const key = merchant.rsaKey
  const isRight =
    sign !== undefined &&
    key !== undefined &&
    read.problem === undefined &&
    isSignedByRsa(fields, endpoint, sign, key)
  const known = {
    keys: merchant.keys.map(({ key: one }) => one),
    md5String: md5StringToSign(endpoint.signed, body),
  }
  const mistakes = () => {
    if (read.problem !== undefined) return [read.problem]
    if (key === undefined) return [NO_RSA_KEY]
    if (sign === undefined) return []
    const wrong =
      spellingMistakes.find(({ verifies }) => verifies(right, sign, key)) ??
      rsaMistakes.find(({ strings }) =>
        strings({ fields, body, text, ...known }).some((one) => verifiesRsa(one, sign, key)),
      )
    return wrong === undefined ? [] : [toMistake(wrong)]
  }
  const isEscaped = plainProblem(fields, endpoint) !== undefined
  const shown = fields.map(({ name, text: value }) => ({ name, value }))
  return {
    algorithm: 'rsa',
    stringToSign: right,
    fields: shown,
    verdict: verdictOf(sign, isRight),
    difference:
      signed === undefined ? undefined : firstDifference(shown, isEscaped ? right : '&', signed, []),
    mistakes: isRight ? [] : mistakes(),
  }
}

const NO_RSA_KEY: Mistake = {
  code: 'rsa-no-key',
  says: 'This is not 32 hexadecimal characters, so it counts as RSA, and no RSA key is registered. Register your public key, or sign with MD5.',
}

function readFields(body: Body): { fields: readonly SignedField[]; problem: Mistake | undefined } {
  try {
    return { fields: signedFields(body), problem: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { fields: [], problem: { code: 'rsa-body', says: `${error.message}.` } }
  }
}

type Difference = {
  readonly at: number
  /** The field at position `at` of the right string. Empty after the last field. */
  readonly field: string
  /** The next characters of each string. Empty at the end of the string. */
  readonly right: string
  readonly given: string
}

const SHOWN = 12
const KEY = '<KEY>'

/**
 * Returns the first difference. Undefined if both strings are equal. `form` is '' for a string of values and a key, and
 * '&' for a string of `name=value` pairs. Otherwise `form` is the right string itself.
 */
function firstDifference(
  fields: readonly { readonly name: string; readonly value: string }[],
  form: string,
  given: string,
  keys: readonly string[],
): Difference | undefined {
  const parts = fields.map(({ name, value }) => (form === '' ? value : `${name}=${value}`))
  const right = form === '' ? parts.join('') + KEY : form === '&' ? parts.join('&') : form
  const compared = form === '' ? withKeyHidden(given, keys) : given
  if (compared === right) return undefined
  const at = commonLength(right, compared)
  return {
    at,
    field: fieldAt(fields, parts, form === '' ? 0 : 1, at),
    right: right.slice(at, at + SHOWN),
    given: compared.slice(at, at + SHOWN),
  }
}

function withKeyHidden(given: string, keys: readonly string[]): string {
  const key = keys.find((one) => given.endsWith(one))
  return key === undefined ? given : given.slice(0, -key.length) + KEY
}

function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function fieldAt(
  fields: readonly { readonly name: string }[],
  parts: readonly string[],
  separatorLength: number,
  at: number,
): string {
  let end = 0
  for (const [index, part] of parts.entries()) {
    end += part.length + separatorLength
    if (at < end) return fields[index]?.name ?? ''
  }
  return ''
}
