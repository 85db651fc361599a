// GET /events: tells open pages about changes. A message has only a name and a number; the page then fetches the content.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Live = {
  /** `exchange` and its id, or `order` and its number. */
  send(event: 'exchange' | 'order', data: string): void
  register(app: FastifyInstance): void
}

const MOST_STREAMS = 100
/** The limit of unread bytes. A page beyond it is gone or asleep. */
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
        // The page reconnects after a second if the shop was started again.
        raw.write('retry: 1000\n\n')
        streams.add(raw)
        raw.once('close', () => streams.delete(raw))
      })
    },
  }
}
