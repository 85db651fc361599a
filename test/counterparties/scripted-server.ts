// A counterparty whose every response is set by a test, over real HTTP on loopback.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

export type ScriptedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type ScriptedAnswer = { readonly status: number; readonly body?: unknown }

export type ScriptedServer = {
  readonly url: string
  readonly requests: readonly ScriptedRequest[]
  answerWith(answer: (request: ScriptedRequest) => ScriptedAnswer): void
  close(): Promise<void>
}

export async function openScriptedServer(): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []
  let answer: (request: ScriptedRequest) => ScriptedAnswer = () => ({ status: 500 })
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: await text(request) }
    requests.push(received)
    const { status, body = {} } = answer(received)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    answerWith(next) {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
