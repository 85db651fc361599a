// GET /events: tells open pages about changes. A message has only a name and a number. The page then fetches the
// content.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Live = {
  /** `data` is the id of the exchange or the number of the order. */
  send(event: 'exchange' | 'order', data: string): void
  register(app: FastifyInstance): void
}

const MOST_STREAMS = 100
/** The maximum number of bytes that a page has not read. A page that exceeds this number is closed or asleep. */
const MOST_BUFFERED = 16_384

export function createLive(): Live {
  const streams = new Set<ServerResponse>()
  return {
    send(event, data) {
      for (const stream of streams) {
        if (stream.writableLength > MOST_BUFFERED) stream.destroy()
        else stream.write(`event: ${event}\ndata: ${data}\n\n`)
      }
    },
    register(app) {
      app.get('/events', (_request, reply) => {
        if (streams.size >= MOST_STREAMS) return reply.code(503).send('Too many pages are open.')
        const { raw } = reply.hijack()
        raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        // A page that loses its connection, for example because the shop restarts, reconnects after a second.
        raw.write('retry: 1000\n\n')
        streams.add(raw)
        raw.once('close', () => streams.delete(raw))
      })
    },
  }
}
