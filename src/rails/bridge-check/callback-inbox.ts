// An HTTP server on this machine that receives the bridge's callbacks during a check.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type Fields, isObject } from '../../platform/base/object.ts'
import { parseJson } from '../../platform/http/client/http-client.ts'
import { isSignedBy, signatureHeader, timestampHeader } from '../toolkit/signature.ts'

type ReceivedCallback = { readonly content: Fields; readonly isSigned: boolean }

export type CallbackInbox = {
  readonly url: string
  /** True if the bridge's address is on this machine. Only then can the bridge call the inbox. */
  readonly isReachable: boolean
  /** Returns the first callback for which `fits` is true, or undefined if none arrives in time. */
  wait(fits: (content: Fields) => boolean): Promise<ReceivedCallback | undefined>
  /** Makes the inbox refuse the next callback for which `fits` is true, so that the bridge must retry it. */
  refuseOnce(fits: (content: Fields) => boolean): void
  close(): Promise<void>
}

const PATH = '/callbacks/check'
const MAX_BYTES = 65_536

export async function openInbox(secret: string, isReachable: boolean): Promise<CallbackInbox> {
  const received: ReceivedCallback[] = []
  let refused: ((content: Fields) => boolean) | undefined
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (body === undefined) return void response.destroy()
    const content = parseJson(body)
    const timestamp = String(request.headers[timestampHeader] ?? '')
    const parts = { method: request.method ?? '', path: request.url ?? '', timestamp, body }
    const isSigned = isSignedBy(secret, parts, String(request.headers[signatureHeader] ?? ''), new Date())
    const isRefused = isObject(content) && refused?.(content) === true
    if (isRefused) refused = undefined
    else if (isObject(content)) received.push({ content, isSigned })
    response.writeHead(isRefused ? 503 : 200, { 'content-type': 'application/json' })
    response.end(isRefused ? '{"result":"later"}' : '{"result":"received"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    isReachable,
    async wait(fits) {
      const find = () => received.find(({ content }) => fits(content))
      await waitUntil(async () => find() !== undefined)
      return find()
    },
    refuseOnce(fits) {
      refused = fits
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the body. Undefined if the bridge breaks off, or sends more than the protocol allows. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}

const WAIT_MS = 20_000
const POLL_MS = 50

export async function waitUntil(isTrue: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS
  while (!(await isTrue())) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}
