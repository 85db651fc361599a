// Receives the callbacks of counterparties in tests over real HTTP on loopback, and stores them in the form that
// channels expect.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Callback, CallbackAnswer } from '../../src/rails/contract/channel.ts'

export type CallbackReceiver = {
  readonly url: string
  /** Returns the callbacks in the order of arrival. */
  received(): readonly Callback[]
  /** Sets the response to later callbacks. The default is 200 with an empty body. */
  answerWith(answer: (callback: Callback) => Promise<CallbackAnswer>): void
  close(): Promise<void>
}

export async function openCallbackReceiver(): Promise<CallbackReceiver> {
  const received: Callback[] = []
  let answer: (callback: Callback) => Promise<CallbackAnswer> = async () => {
    return { status: 200, type: 'text/plain', body: '' }
  }
  const underWay = new Set<Promise<void>>()
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const pairs = Object.entries(request.headers).map(([name, value]) => [name, value?.toString()] as const)
    const callback: Callback = {
      method: request.method ?? '',
      path,
      query: search.slice(1),
      headers: Object.fromEntries(pairs),
      body: await text(request),
    }
    received.push(callback)
    const { status, type, body } = await answer(callback)
    response.writeHead(status, { 'content-type': type }).end(body)
  }
  const server = createServer((request, response) => {
    const receiving = receive(request, response).finally(() => underWay.delete(receiving))
    underWay.add(receiving)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const { port }: AddressInfo = address
  return {
    url: `http://127.0.0.1:${port}/callbacks/test`,
    received: () => received,
    answerWith(next) {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      // Callbacks whose responses are under way may still write to the test's database.
      await Promise.allSettled(underWay)
    },
  }
}
