// Parses the body of a request into an object, or refuses it with the reason.
import { isUtf8 } from 'node:buffer'
import { isObject } from '../../base/object.ts'
import { Refusal } from '../../errors/catalogue.ts'
import { TransportRefusal } from '../envelope.ts'
import type { Body } from '../fields/check-types.ts'
import { checkJsonShape } from './json-shape.ts'

const jsonType = /^application\/json\s*(;.*)?$/i
const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i

/** The most common form, checked without a regular expression. */
const PLAIN = 'application/json'

export function checkContentType(contentType: string | undefined): void {
  if (contentType === PLAIN) return
  const [, named = 'utf-8'] = charset.exec(contentType ?? '') ?? []
  const isJson = jsonType.test(contentType ?? '') && /^utf-?8$/i.test(named)
  if (!isJson) throw new TransportRefusal(415, 'unsupported Content-Type: send application/json in UTF-8')
}

export function parseBody(bytes: Buffer): Body {
  if (bytes.length === 0) throw new Refusal('99996', 'the body is empty')
  checkJsonShape(bytes)
  if (!isUtf8(bytes)) throw new Refusal('99996', 'the body is not UTF-8')
  const body = parseJson(bytes.toString('utf8'))
  if (!isObject(body)) throw new Refusal('99996', 'the body must be a JSON object')
  return body
}

function parseJson(text: string): unknown {
  try {
    // Some clients send a byte-order mark, which JSON does not allow.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch {
    throw new Refusal('99996', 'the body is not valid JSON')
  }
}
