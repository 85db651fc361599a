// The routes of the panel: the page with only the panel, and one request or notification in its current state.
import type { FastifyInstance } from 'fastify'
import type { Exchanges } from '../exchanges.ts'
import { type Show, sendHtml } from '../pages/layout.ts'
import { requestsPage } from '../pages/other-pages.ts'
import { exchangeEntry } from '../pages/panel.ts'

type Deps = { readonly exchanges: Exchanges; readonly show: Show }

export function registerRequests(app: FastifyInstance, { exchanges, show }: Deps): void {
  app.get('/requests', (request, reply) => show(request, reply, requestsPage()))
  app.get<{ Params: { id: string } }>('/requests/:id', ({ params }, reply) => {
    const exchange = exchanges.find(Number(params.id))
    if (exchange === undefined) return reply.code(404).send('It is too old: only the newest are kept.')
    return sendHtml(reply, exchangeEntry(exchange, true).html)
  })
}
