// POST /docs/try/… sends the request in the form, which the demo merchant or the reader signs. The route exists only in
// sandbox, refuses posts of other sites, and limits the number of concurrent requests.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptForms, formOf } from '../../../platform/pages/form.ts'
import { html, sendPage } from '../../../platform/pages/page.ts'
import { isForeignPost } from '../../checkout/page-scope.ts'
import { rootFrom, rootOf, type Values } from '../article.ts'
import type { Docs } from '../open-docs.ts'
import type { DemoMerchant } from '../values.ts'
import type { Sender } from './send-request.ts'

export type Trying = {
  /** The demo merchant. Undefined if demo.json is missing. */
  merchant(): Promise<DemoMerchant | undefined>
  readonly send: Sender
}

const MAX_FORM_BYTES = 65_536
/**
 * The maximum number of concurrent requests. The limit is low, because anybody can send these requests without a key.
 */
const MOST_AT_A_TIME = 4

type Deps = {
  readonly demo: Trying
  docs(): Promise<Docs>
  valuesOf(request: FastifyRequest): Promise<Values>
}

type TryRequest = FastifyRequest<{ Params: { '*': string } }>

export function registerTryIt(app: FastifyInstance, { demo, docs, valuesOf }: Deps): void {
  let underWay = 0
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500
      if (status === 500) request.log.error({ err: error }, 'a try in the documentation failed')
      const advice = status === 413 ? 'The request is too long: send less.' : 'Go back and try again.'
      return refuse(reply, status, advice)
    })
    scope.get('/docs/try/*', (request: TryRequest, reply) => {
      const { '*': path } = request.params
      return reply.redirect(`${rootFrom(`try/${path}`)}docs/reference/${path}`, 303)
    })
    scope.post('/docs/try/*', async (request: TryRequest, reply) => {
      if (isForeignPost(request)) return refuse(reply, 403, 'Use the form on the page of the endpoint.')
      if (underWay >= MOST_AT_A_TIME)
        return refuse(reply, 429, 'Others are trying, too. Try again in a moment.')
      underWay++
      try {
        return await tryOnce(request, reply)
      } finally {
        underWay--
      }
    })
  })

  async function tryOnce(request: TryRequest, reply: FastifyReply) {
    const merchant = await demo.merchant()
    if (merchant === undefined)
      return refuse(reply, 503, 'There is no demo merchant: see whether demo.json is in the data folder.')
    const tried = { form: formOf(request.body), merchant, send: demo.send }
    const page = await (await docs()).tried(`/${request.params['*']}`, await valuesOf(request), tried)
    return page === undefined ? refuse(reply, 404, 'There is no such endpoint.') : sendPage(reply, 200, page)
  }

  async function refuse(reply: FastifyReply, status: number, advice: string) {
    const content = html`<h1>The request was not sent</h1>
<div id="result" tabindex="-1"><p>${advice}</p></div>`
    return sendPage(
      reply,
      status,
      (await docs()).show({ title: 'Not sent', root: rootOf(reply.request), content }),
    )
  }
}
