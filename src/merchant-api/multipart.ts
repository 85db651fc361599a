// The bytes of a multipart request become its text fields, as a JSON body's would be, and the file beside them. What is
// wrong with the file is not this file's matter: that is told once the caller is known.
import { isUtf8 } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { Refusal } from '../base/error.ts'
import type { Body } from './check-types.ts'
import { TransportRefusal } from './envelope.ts'

export type Multipart = {
  readonly body: Body
  /** The contents of the parts named `file`. */
  readonly files: readonly Buffer[]
}

const FILE = 'file'
const MOST_PARTS = 32
const MOST_PART_HEADERS = 16
const MOST_HEADER_BYTES = 8 * 1024
const MOST_FIELD_BYTES = 8 * 1024
// The whole body is here already. A part whose headers do not end keeps the parser waiting for more for ever.
const PARSE_MS = 2_000

export function checkMultipartType(contentType: string | undefined): void {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw new TransportRefusal(415, 'Content-Type must be multipart/form-data with a boundary')
}

export async function parseMultipart(bytes: Buffer, contentType: string): Promise<Multipart> {
  if (bytes.length === 0) throw new Refusal('99996', 'the body is empty')
  const parts = await partsOf(bytes, contentType)
  if (parts.length > MOST_PARTS) throw new Refusal('99997', `the body has more than ${MOST_PARTS} parts`)
  const texts = parts.filter(({ name, isFile }) => name !== FILE && !isFile)
  return {
    body: Object.fromEntries(texts.map(({ name, content }) => [name, textOf(name, content)])),
    files: parts.filter(({ name }) => name === FILE).map(({ content }) => content),
  }
}

type Part = { readonly name: string; readonly isFile: boolean; readonly content: Buffer }

async function partsOf(bytes: Buffer, contentType: string): Promise<Part[]> {
  const tooLong = sleep(PARSE_MS, undefined, { ref: false })
  const parts = await Promise.race([split(bytes, contentType).catch(() => undefined), tooLong])
  if (parts === undefined) throw new Refusal('99996', 'the body is not valid multipart')
  return parts
}

/** Every part as bytes: what is text, and in which encoding, is checked here and not guessed by the parser. */
function split(bytes: Buffer, contentType: string): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: { name: string; isFile: boolean; chunks: Buffer[] }[] = []
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      limits: {
        // One more than may be there, to see that there are too many.
        parts: MOST_PARTS + 1,
        headerPairs: MOST_PART_HEADERS,
        headerSize: MOST_HEADER_BYTES,
      },
    })
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined) => {
      const chunks: Buffer[] = []
      parts.push({ name: name ?? '', isFile: fileName !== undefined, chunks })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
    })
    parser.on('error', reject)
    parser.on('finish', () =>
      resolve(parts.map(({ chunks, ...part }) => ({ ...part, content: Buffer.concat(chunks) }))),
    )
    parser.end(bytes)
  })
}

function textOf(name: string, content: Buffer): string {
  if (content.length > MOST_FIELD_BYTES)
    throw new Refusal('99997', `a text field must have at most ${MOST_FIELD_BYTES} bytes`)
  if (!isUtf8(content)) throw new Refusal('99996', `${name} is not UTF-8`)
  return content.toString('utf8')
}
