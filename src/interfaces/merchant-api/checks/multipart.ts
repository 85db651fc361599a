// Parses a multipart request into files and text fields. The text fields have the form of a JSON body.
//
// The caller is not authenticated yet, so the work has bounds: one pass over the bytes, at most MOST_PARTS parts, and
// an end at the first wrong byte. A line break before or after the form is accepted, because hand-written clients often
// add one.
//
// The contents of files are checked only after authentication, because otherwise strangers could use the gateway as a
// file scanner. The signature covers only the text fields, because merchants do not sign files.

import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { TransportRefusal } from '../envelope.ts'
import type { Body } from '../fields/read-fields.ts'

export type Multipart = {
  readonly body: Body
  readonly files: readonly Buffer[]
}

const FILE = 'file'
const MOST_PARTS = 32
const MOST_PART_HEADERS = 16
const MOST_HEADER_BYTES = 8 * 1024
const MOST_FIELD_BYTES = 8 * 1024

const formType = /^multipart\/form-data\s*;/i
/** The boundary has at most 70 characters, as in RFC 2046. */
const boundaryParameter = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i

export function checkMultipartType(contentType: string | undefined): string {
  const isForm = formType.test(contentType ?? '')
  const [, quoted, bare] = (isForm && boundaryParameter.exec(contentType ?? '')) || []
  const boundary = quoted ?? bare
  if (boundary === undefined)
    throw new TransportRefusal(415, 'Content-Type must be multipart/form-data with a boundary')
  return boundary
}

export function parseMultipart(bytes: Buffer, boundary: string): Multipart {
  if (bytes.length === 0) throw new Refusal('99996', 'the body is empty')
  const texts: [string, string][] = []
  const files: Buffer[] = []
  for (const { name, isFile, content } of partsOf(bytes, boundary)) {
    if (name === FILE) files.push(content)
    else if (!isFile) texts.push([name, textOf(name, content)])
  }
  return { body: Object.fromEntries(texts), files }
}

type Part = PartHead & { readonly content: Buffer }
type PartHead = { readonly name: string; readonly isFile: boolean }

const LINE_END = '\r\n'
const HEAD_END = '\r\n\r\n'

function* partsOf(bytes: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1')
  // The line break before the first delimiter is usually missing.
  const opening = startsWith(bytes, delimiter) ? delimiter : delimiter.subarray(LINE_END.length)
  if (!startsWith(bytes, opening)) throw malformed()
  let at = opening.length
  for (let count = 0; !isEnd(bytes, at); count++) {
    if (count === MOST_PARTS) throw new Refusal('99997', `the body has more than ${MOST_PARTS} parts`)
    const contentStart = headEnd(bytes, at)
    const head = readHead(bytes.subarray(at + LINE_END.length, contentStart - HEAD_END.length))
    const end = bytes.indexOf(delimiter, contentStart)
    if (end < 0) throw malformed()
    yield { ...head, content: bytes.subarray(contentStart, end) }
    at = end + delimiter.length
  }
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

const END = /^--(\r\n){0,2}$/
const MOST_END_BYTES = 6

/** True if the form ends here. The end is two hyphens after the boundary, and at most two line breaks. */
function isEnd(bytes: Buffer, at: number): boolean {
  const rest = bytes.toString('latin1', at, at + MOST_END_BYTES + 1)
  if (END.test(rest)) return true
  if (!rest.startsWith(LINE_END)) throw malformed()
  return false
}

function headEnd(bytes: Buffer, at: number): number {
  const end = bytes.subarray(at, at + MOST_HEADER_BYTES).indexOf(HEAD_END)
  if (end < 0) throw malformed()
  return at + end + HEAD_END.length
}

const disposition = /^content-disposition:[ \t]*form-data[ \t]*(?=;|$)/i
const parameter = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y

function readHead(bytes: Buffer): PartHead {
  if (!isUtf8(bytes)) throw malformed()
  const lines = bytes.toString('utf8').split(LINE_END)
  const line = lines.find((one) => disposition.test(one))
  if (line === undefined || lines.length > MOST_PART_HEADERS) throw malformed()
  const parameters = readParameters(line)
  const name = parameters.get('name')
  if (name === undefined) throw malformed()
  return { name, isFile: parameters.has('filename') || parameters.has('filename*') }
}

function readParameters(line: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let at = disposition.exec(line)?.[0].length ?? 0
  while (at < line.length) {
    parameter.lastIndex = at
    const [whole, name = '', quoted, bare = ''] = parameter.exec(line) ?? []
    if (whole === undefined) throw malformed()
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare)
    at += whole.length
  }
  return found
}

function textOf(name: string, content: Buffer): string {
  if (content.length > MOST_FIELD_BYTES)
    throw new Refusal('99997', `a text field must have at most ${MOST_FIELD_BYTES} bytes`)
  if (!isUtf8(content)) throw new Refusal('99996', `${name} is not UTF-8`)
  return content.toString('utf8')
}

function malformed(): Refusal {
  return new Refusal('99996', 'the body is not valid multipart')
}
