// What a request's head alone tells: whether anything is served at its path, how long its body is said to be, and of what
// type. A request that is refused here is answered before its body is read.
import type { IncomingHttpHeaders } from 'node:http'
import { type EndpointPath, endpoints } from '../endpoints.ts'
import { TransportRefusal } from '../envelope.ts'
import { checkMultipartType } from './multipart.ts'
import { checkContentType } from './parse-body.ts'

const MIB = 1024 * 1024
// Products and addresses of an order; a query or a refund names a few hundred numbers at most.
const PAYMENT = { bytes: MIB, words: '1 MiB' }
const OTHER = { bytes: 128 * 1024, words: '128 KiB' }
// A file of 2 MiB, and the form around it.
const UPLOAD = { bytes: 2 * MIB + 64 * 1024, words: '2 MiB and 64 KiB' }

export function isUpload(path: EndpointPath | undefined): boolean {
  return path !== undefined && endpoints[path].body === 'multipart'
}

function mostOf(path: EndpointPath): typeof PAYMENT {
  if (isUpload(path)) return UPLOAD
  return endpoints[path].does === 'pay' ? PAYMENT : OTHER
}

export function mostBytes(path: EndpointPath): number {
  return mostOf(path).bytes
}

export function tooLarge(path: EndpointPath): TransportRefusal {
  return new TransportRefusal(413, `the body must be at most ${mostOf(path).words}`)
}

export type Head = {
  /** Undefined: it is for no endpoint that is served. */
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
    ? new TransportRefusal(405, 'only POST is served here', { allow: 'POST' })
    : new TransportRefusal(404, 'there is no such path')
}

function checkHead(path: EndpointPath, headers: IncomingHttpHeaders): void {
  if (declaredBytes(headers) > mostOf(path).bytes) throw tooLarge(path)
  const { 'content-type': contentType } = headers
  if (isUpload(path)) checkMultipartType(contentType)
  else checkContentType(contentType)
}

/** 0 when the length is not known beforehand. */
export function declaredBytes(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0)
}
