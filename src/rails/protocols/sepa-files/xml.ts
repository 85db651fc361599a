// Reads a bank's XML. A file is refused as a whole if it is too large, is not well-formed, or declares entities, which
// could expand without bounds or name other files.
import { XMLParser } from 'fast-xml-parser'
import { isObject } from '../../../platform/base/object.ts'

/**
 * Thrown if a file is refused for good. The message is a predicate that follows the file's name, such as "is not
 * UTF-8".
 */
export class BadFile extends Error {}

/** Child elements by name, as lists. The names of attributes begin with @. */
export type XmlElement = Readonly<Record<string, unknown>>

export const MAX_FILE_BYTES = 20 * 1024 * 1024
const MAX_DEPTH = 40

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  alwaysCreateTextNode: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  maxNestedTags: MAX_DEPTH,
})

/** Returns the message inside `Document`, with its name. */
export function readMessage(bytes: Buffer): { readonly name: string; readonly message: XmlElement } {
  const [document] = all(parse(decode(bytes)), 'Document')
  for (const name of Object.keys(document ?? {})) {
    const [message] = all(document, name)
    if (message !== undefined) return { name, message }
  }
  throw new BadFile('contains no message of ISO 20022')
}

function decode(bytes: Buffer): string {
  if (bytes.length > MAX_FILE_BYTES) throw new BadFile(`is larger than ${MAX_FILE_BYTES} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadFile('is not UTF-8')
  }
}

function parse(text: string): XmlElement {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new BadFile('declares a document type or entities')
  try {
    const parsed: unknown = parser.parse(text, true)
    if (isObject(parsed)) return parsed
  } catch {
    // The parser's message is not passed on, because it may quote the file.
  }
  throw new BadFile('is not well-formed XML; it may be cut off')
}

export function all(element: XmlElement | undefined, name: string): XmlElement[] {
  const list = element !== undefined && Object.hasOwn(element, name) ? element[name] : []
  return Array.isArray(list) ? list.filter(isObject) : []
}

export function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((found, name) => all(found, name)[0], element)
}

/** Returns the text of the first element at the path, or ''. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string {
  return textOf(at(element, ...path))
}

export function textOf(element: XmlElement | undefined): string {
  const text = element?.['#text']
  if (typeof text !== 'string') return ''
  return storable(text.replace(/&(#?\w+);?/g, decodeReference)).trim()
}

/**
 * Replaces NUL and lone surrogates, which XML forbids and the database refuses. So the money in the file still counts.
 */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

export function attributeOf(element: XmlElement | undefined, name: string): string {
  const value = element?.[`@${name}`]
  return typeof value === 'string' ? value : ''
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function decodeReference(whole: string, name: string): string {
  const numeric = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name)
  const code = numeric && Number.parseInt(numeric[1] ?? numeric[2] ?? '', numeric[1] ? 16 : 10)
  if (code !== null && code <= 0x10ffff) return String.fromCodePoint(code)
  return named.get(name) ?? whole
}
