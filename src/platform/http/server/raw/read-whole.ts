// Parses a POST that arrived in one piece and in the plainest HTTP. Node's parser reads every other request, for
// example with another method, a repeated header, bytes beyond ASCII in the head, a chunked body, or a body of another
// length than announced.
import type { IncomingHttpHeaders } from 'node:http'
import { memoize } from '../../../base/memoize.ts'

export type WholeRequest = {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

type Head = Omit<WholeRequest, 'body'> & { readonly bodyBytes: number }

const MOST_HEAD_BYTES = 4_096
const HEAD_END = '\r\n\r\n'
const MAX_CACHED = 500

/** Parses a request. Undefined unless the bytes are exactly one plain request. */
export function readWhole(bytes: Buffer): WholeRequest | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd > MOST_HEAD_BYTES) return undefined
  const head = readHead(bytes.toString('latin1', 0, headEnd))
  const bodyStart = headEnd + HEAD_END.length
  if (head === undefined || bytes.length !== bodyStart + head.bodyBytes) return undefined
  return { url: head.url, headers: head.headers, body: bytes.subarray(bodyStart) }
}

/** Parses a head. Results are cached, because the heads of one client differ only in the content length. */
const readHead = memoize(MAX_CACHED, (text): Head | undefined => {
  const [requestLine = '', ...lines] = text.split('\r\n')
  const [, url] = /^POST (\/[\w/]{1,100}) HTTP\/1\.1$/.exec(requestLine) ?? []
  const headers = url === undefined ? undefined : readHeaders(lines)
  if (url === undefined || headers?.host === undefined || !isPlain(headers)) return undefined
  const length = headers['content-length'] ?? ''
  return /^(0|[1-9]\d{0,6})$/.test(length) ? { url, headers, bodyBytes: Number(length) } : undefined
})

function readHeaders(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = Object.create(null)
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+):[ \t]*([\x20-\x7e]*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '' || key in headers) return undefined
    headers[key] = value.trimEnd()
  }
  return headers
}

/** False if a header requests another framing or protocol, or the end of the connection. */
function isPlain(headers: IncomingHttpHeaders): boolean {
  const { connection = 'keep-alive' } = headers
  return connection.toLowerCase() === 'keep-alive' && !special.some((name) => name in headers)
}

const special = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'keep-alive', 'http2-settings']
