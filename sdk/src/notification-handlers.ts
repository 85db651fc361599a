// Receives notifications in Node's http, Express, Fastify, Hono and Next. Each handler verifies the raw body and calls
// the merchant's function. If that function throws, the gateway gets an error and sends the notification again.
import { TollgateError } from './errors.ts'
import { type HeaderSource, type Notification, type RawBody, verifyNotification } from './notification.ts'
import { checkSecrets, type Secrets } from './secrets.ts'

export type OnNotification = (notification: Notification) => unknown

export type HandlerOptions = {
  /** Receives the errors of refused notifications, and errors of `onNotification`. By default, errors are printed. */
  readonly onError?: ((error: unknown) => void) | undefined
}

type Answer = { readonly status: number; readonly text: string }

/** The maximum size of a body. A notification has a few hundred bytes. */
const MOST_BYTES = 65_536

/** Node's `IncomingMessage`, or the request of Express, which extends it. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
  readonly rawBody?: unknown
  readonly readableDidRead?: boolean
}
export type NodeResponse = { statusCode: number; end(text: string): unknown }

export type FastifyApp = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}
type FastifyRequest = { readonly headers: HeaderSource; readonly body: unknown }
type FastifyReply = { code(status: number): { send(text: string): unknown } }

export type HonoContext = {
  readonly req: { arrayBuffer(): Promise<ArrayBuffer>; readonly raw: { readonly headers: Headers } }
}

/** The part of the Fetch API's `Request` that the handlers read. */
export type WebRequest = { readonly headers: Headers; arrayBuffer(): Promise<ArrayBuffer> }

export type NotificationHandlers = {
  /** `createServer(handlers.node)` */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>
  /**
   * `app.post('/notify', handlers.express)`. Put it before `express.json()` or behind `express.raw({ type: () => true
   * })`.
   */
  readonly express: (request: NodeRequest, response: NodeResponse) => Promise<void>
  /** `app.register(handlers.fastify('/notify'))` */
  readonly fastify: (path: string) => (app: FastifyApp) => Promise<void>
  /** `app.post('/notify', handlers.hono)` */
  readonly hono: (context: HonoContext) => Promise<Response>
  /** `export const POST = handlers.next`. Also for other servers that use the Fetch API's `Request`. */
  readonly next: (request: WebRequest) => Promise<Response>
}

/**
 * Throws a TollgateError if a secret is missing, too short or malformed, so that a server without its secret does not
 * start.
 */
export function notificationHandlers(
  secrets: Secrets,
  onNotification: OnNotification,
  { onError = console.error }: HandlerOptions = {},
): NotificationHandlers {
  checkSecrets(secrets)
  const answer = async (body: Promise<unknown>, headers: HeaderSource): Promise<Answer> => {
    try {
      await onNotification(await verifyNotification(asRaw(await body), secrets, headers))
      return { status: 200, text: 'SUCCESS' }
    } catch (error) {
      onError(error)
      const isRefused = error instanceof TollgateError && error.next === 'check-keys'
      return isRefused ? { status: 400, text: error.message } : { status: 500, text: 'try again later' }
    }
  }
  const node = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { status, text } = await answer(rawBodyOf(request), request.headers)
    response.statusCode = status
    response.end(text)
  }
  const web = async (request: WebRequest): Promise<Response> => {
    const { status, text } = await answer(request.arrayBuffer(), request.headers)
    return new Response(text, { status })
  }
  return {
    node,
    express: node,
    // The parsers are replaced only in the scope of this route, so the app's other routes keep their parsers.
    fastify: (path) => async (app) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      app.post(path, async (request, reply) => {
        const { status, text } = await answer(Promise.resolve(request.body), request.headers)
        return reply.code(status).send(text)
      })
    },
    hono: ({ req }) => web({ headers: req.raw.headers, arrayBuffer: () => req.arrayBuffer() }),
    next: web,
  }
}

/** Returns the raw body that an earlier parser left. Throws if the body was parsed. */
function asRaw(body: unknown): RawBody {
  if (isRaw(body)) return body
  throw new TollgateError(
    'the body was parsed before the handler: put the handler before body parsers, or keep the raw body',
    { next: 'fix-request' },
  )
}

function isRaw(body: unknown): body is RawBody {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof ArrayBuffer
}

async function rawBodyOf(request: NodeRequest): Promise<unknown> {
  const left = request.rawBody ?? request.body
  // A body parser for another content type leaves an empty object, but does not read the stream.
  if (left !== undefined && (isRaw(left) || request.readableDidRead !== false)) return left
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    size += bytes.length
    if (size > MOST_BYTES) throw new TollgateError('the body is too large', { next: 'fix-request' })
    chunks.push(bytes)
  }
  return new Uint8Array(await new Blob(chunks.map((bytes) => new Uint8Array(bytes))).arrayBuffer())
}
