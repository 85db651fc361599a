// Checks the head of a request. A refusal is sent before the body is read. See
// docs/decisions/0141-work-before-authentication.md.

import type { IncomingHttpHeaders } from 'node:http'
import { type EndpointPath, endpoints } from '../endpoints.ts'
import { TransportRefusal } from '../envelope.ts'
import { checkMultipartType } from './multipart.ts'

const MIB = 1024 * 1024
// A payment has up to 1000 products. All other requests are smaller, even a query with 1000 order numbers.
const PAYMENT = { bytes: MIB, words: '1 MiB' }
const OTHER = { bytes: 128 * 1024, words: '128 KiB' }
// An upload contains a file of up to 2 MiB, and the other parts of the form.
const UPLOAD = { bytes: 2 * MIB + 64 * 1024, words: '2 MiB and 64 KiB' }

export function isUpload(path: EndpointPath | undefined): boolean {
  return path !== undefined && endpoints[path].body === 'multipart'
}

function limitOf(path: EndpointPath): typeof PAYMENT {
  if (isUpload(path)) return UPLOAD
  return endpoints[path].does === 'pay' ? PAYMENT : OTHER
}

export function mostBytes(path: EndpointPath): number {
  return limitOf(path).bytes
}

export function tooLarge(path: EndpointPath): TransportRefusal {
  return new TransportRefusal(413, `the body must be at most ${limitOf(path).words}`)
}

export type Head = {
  readonly path: EndpointPath | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

export function refusalOfHead(
  { path, url = '', headers }: Head,
  served: ReadonlyMap<string, EndpointPath>,
): TransportRefusal | undefined {
  if (path === undefined) return notServed(url, served)
  try {
    checkHead(path, headers)
    return undefined
  } catch (error) {
    if (error instanceof TransportRefusal) return error
    throw error
  }
}

function notServed(url: string, served: ReadonlyMap<string, EndpointPath>): TransportRefusal {
  const [path = ''] = url.split('?')
  return served.has(path)
    ? new TransportRefusal(405, 'the method must be POST', { allow: 'POST' })
    : new TransportRefusal(404, 'unknown path')
}

function checkHead(path: EndpointPath, headers: IncomingHttpHeaders): void {
  if (declaredBytes(headers) > limitOf(path).bytes) throw tooLarge(path)
  const { 'content-type': contentType } = headers
  if (isUpload(path)) checkMultipartType(contentType)
  else checkContentType(contentType)
}

export function declaredBytes(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0)
}

const jsonType = /^application\/json\s*(;.*)?$/i
const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i

/** The most common content type. Comparing with this text needs no regular expression. */
const PLAIN = 'application/json'

function checkContentType(contentType: string | undefined): void {
  if (contentType === PLAIN) return
  const [, named = 'utf-8'] = charset.exec(contentType ?? '') ?? []
  const isJson = jsonType.test(contentType ?? '') && /^utf-?8$/i.test(named)
  if (!isJson) throw new TransportRefusal(415, 'unsupported Content-Type: send application/json in UTF-8')
}
