// Below the interface: bodies as bytes, broken HTTP, and what Fastify would otherwise answer in its own words.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../base/error.ts'
import { endpoints, isEndpoint } from './endpoints.ts'
import { TransportRefusal, type Written, writeRefusal } from './envelope.ts'

const MAX_BODY_BYTES = 1024 * 1024
// A file of 2 MiB, and what stands around it.
const MAX_UPLOAD_BYTES = 2 * MAX_BODY_BYTES + 64 * 1024
// A client that is still sending may never read an answer that comes before it is done: so what is too much is read
// too, and dropped, as far as this.
const MAX_DRAINED_BYTES = 32 * 1024 * 1024

type Done = (error: Error | null, body?: Buffer) => void

export function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const chunks: Buffer[] = []
  let size = 0
  let isDone = false
  const finish: Done = (error, body) => {
    if (isDone) return
    isDone = true
    done(error, body)
  }
  const most = mostBytes(request)
  const words = most === MAX_BODY_BYTES ? '1 MiB' : '2 MiB and 64 KiB'
  const tooLarge = () => finish(new TransportRefusal(413, `the body must be at most ${words}`))
  if (Number(request.headers['content-length'] ?? 0) > MAX_DRAINED_BYTES) {
    tooLarge()
    return
  }
  payload.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
    else chunks.length = 0
    if (size > MAX_DRAINED_BYTES) tooLarge()
  })
  payload.on('end', () => (size > most ? tooLarge() : finish(null, Buffer.concat(chunks))))
  payload.on('error', () => finish(new TransportRefusal(400, 'the body ended too soon')))
}

function mostBytes({ routeOptions: { url = '' } }: FastifyRequest): number {
  return isEndpoint(url) && endpoints[url].body === 'multipart' ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}

export function send(reply: FastifyReply, written: Written): FastifyReply {
  return reply
    .code(written.status)
    .headers(written.headers ?? {})
    .header('x-request-id', reply.request.id)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(written.envelope))
}

/** Bytes that are not HTTP never reach a route: the envelope is written on the bare connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = brokenHttpStatus[error.code ?? ''] ?? '400 Bad Request'
  const { envelope } = writeRefusal(new Refusal('99997', 'the request is not valid HTTP'))
  const text = JSON.stringify(envelope)
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}

const brokenHttpStatus: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** How the server must be built for the frame to keep its promises. */
export const serverOptions = {
  genReqId: () => randomUUID(),
  requestIdHeader: false,
  // The frame answers with its own envelope while the server closes.
  return503OnClosing: false,
  clientErrorHandler: answerClientError,
  frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply): void => {
    send(reply, writeRefusal(new TransportRefusal(404, 'there is no such path')))
  },
} as const
