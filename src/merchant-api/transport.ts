// Below the interface: answers in one write, broken HTTP, and what Fastify would otherwise answer in its
// own words.
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/catalogue.ts'
import { TransportRefusal, type Written, writeRefusal } from './envelope.ts'

/** What an answer looks like outside: `type` is its content type. */
export type Message = {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** Where the answer to one request goes. */
export type Answering = {
  /** `isLast`: the connection ends with this answer. */
  answer(message: Message, requestId: string, isLast: boolean): void
  /** Calls back once the last byte was handed to the system, or the client is gone. */
  whenAnswered(answered: () => void): void
}

export function answeringOver(response: ServerResponse): Answering {
  return {
    answer: (message, requestId, isLast) => send(response, message, requestId, isLast),
    whenAnswered(answered) {
      if (response.closed) answered()
      else response.on('close', answered)
    },
  }
}

function send(response: ServerResponse, message: Message, requestId: string, isLast: boolean): void {
  const head = headOf(message, requestId)
  if (isLast) head.push('connection', 'close')
  response.writeHead(message.status, head)
  response.end(message.text)
}

/** Names and values in turn. */
function headOf({ type, text, headers }: Message, requestId: string): string[] {
  const length = String(Buffer.byteLength(text))
  const head = ['x-request-id', requestId, 'content-type', type, 'content-length', length]
  if (headers !== undefined) head.push(...Object.entries(headers).flat())
  return head
}

/** The same answer as Node writes it. */
export function messageText(message: Message, requestId: string, connection: string): string {
  const { status, type, text, headers } = message
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-request-id: ${requestId}`
  head += `\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}`
  for (const name in headers) head += `\r\n${name}: ${headers[name]}`
  return `${head}\r\nDate: ${dateText()}\r\nConnection: ${connection}\r\n\r\n${text}`
}

let dateSecond = 0
let dateWords = ''

/** Those of one second are alike. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) dateWords = new Date(second * 1000).toUTCString()
  dateSecond = second
  return dateWords
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function asJson({ status, envelope, headers }: Written): Message {
  return { status, type: JSON_TYPE, text: JSON.stringify(envelope), headers }
}

/** Bytes that are not HTTP never reach a route: the envelope is written on the bare connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = brokenHttpStatus[error.code ?? ''] ?? '400 Bad Request'
  const why = status.startsWith('408') ? 'the request did not come in time' : 'the request is not valid HTTP'
  const { envelope } = writeRefusal(new Refusal('99997', why))
  const text = JSON.stringify(envelope)
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nX-Request-Id: ${randomUUID()}\r\n` +
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
  // The server answers these itself: it knows which answers a connection still awaits.
  clientErrorHandler: () => {},
  frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = new TransportRefusal(404, 'there is no such path')
    answeringOver(reply.hijack().raw).answer(asJson(writeRefusal(refusal)), request.id, false)
  },
} as const
