// Composes the shop: its routes, its memory, and the SDK's client for the gateway. The shop may use any running
// gateway.
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import { Tollgate } from '../sdk/src/entry.ts'
import { cannotListen } from '../src/platform/http/server/listen-at.ts'
import { acceptForms } from '../src/platform/pages/form.ts'
import { cookieIn, countPieces, readCart } from './cart.ts'
import { createExchanges, type Exchange, recordingFetch } from './exchanges.ts'
import { createLive } from './live.ts'
import { registerNotifications } from './notifications.ts'
import { createOrders } from './orders.ts'
import { type Frame, render, type Show, sendHtml } from './pages/layout.ts'
import { messagePage } from './pages/other-pages.ts'
import { registerBuying } from './routes/buying.ts'
import { registerOrders } from './routes/order-routes.ts'
import { registerRequests } from './routes/request-routes.ts'

/** The fields of demo.json that a merchant knows about itself. */
export type Merchant = {
  readonly baseUrl: string
  readonly merNo: number
  readonly key: string
  readonly webhookSecret: string
  readonly site: string
}

export type ShopOptions = {
  readonly merchant: Merchant
  /** 0 takes any free port. */
  readonly port: number
  /** The longest wait for an answer of the gateway. */
  readonly timeoutMs?: number
}

export type Shop = { readonly url: string; readonly port: number; close(): Promise<void> }

const HOST = 'localhost'
const TIMEOUT_MS = 15_000
const MOST_FORM_BYTES = 16_384

export async function openShop({ merchant, port, timeoutMs = TIMEOUT_MS }: ShopOptions): Promise<Shop> {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: MOST_FORM_BYTES })
  const stopping = new AbortController()
  const live = createLive()
  const exchanges = createExchanges((id) => live.send('exchange', String(id)))
  const orders = createOrders((number) => live.send('order', number))
  const { baseUrl, merNo, key, site, webhookSecret } = merchant
  const secrets = { key, webhookSecret }
  const tollgate = new Tollgate({
    ...{ baseUrl, merNo, key, site, timeoutMs },
    fetch: recordingFetch(exchanges),
  })
  // The addresses are known once the server listens.
  const at = { shopUrl: '', notifyUrl: '' }
  const show: Show = (request, reply, page, status) =>
    sendHtml(reply, render(frameOf(request, exchanges.list()), page), { status, dropIn: page.dropIn })
  const deps = { tollgate, orders, exchanges, secrets, show, baseUrl, at, signal: stopping.signal }

  app.register((scope) => registerNotifications(scope, deps))
  app.register(async (scope) => {
    acceptForms(scope, MOST_FORM_BYTES)
    refuseOtherSites(scope, show)
    registerBuying(scope, deps)
    registerOrders(scope, deps)
    registerRequests(scope, deps)
  })
  live.register(app)
  serveAssets(app)
  sayWhatIsWrong(app, show)

  const address = await app.listen({ host: HOST, port }).catch((error: unknown) => {
    throw cannotListen(error, `${HOST}:${port}`, 'SHOP_PORT to another port')
  })
  const listening = Number(new URL(address).port)
  at.shopUrl = `http://${HOST}:${listening}`
  at.notifyUrl = `${at.shopUrl}/notify`
  return {
    url: at.shopUrl,
    port: listening,
    async close() {
      stopping.abort()
      await app.close()
    },
  }
}

function frameOf(request: FastifyRequest, exchanges: readonly Exchange[]): Frame {
  const { cookie } = request.headers
  return {
    pieces: countPieces(readCart(cookie)),
    exchanges,
    isPanelOpen: cookieIn(cookie, 'shop_panel') !== 'closed',
  }
}

/** Another site's form must not buy or refund here. */
function refuseOtherSites(app: FastifyInstance, show: Show): void {
  app.addHook('onRequest', (request, reply, done) => {
    const site = request.headers['sec-fetch-site'] ?? 'none'
    if (request.method === 'GET' || request.method === 'HEAD' || site === 'same-origin' || site === 'none')
      done()
    else
      show(
        request,
        reply,
        messagePage({ heading: 'That came from another site', text: 'Use the buttons of this shop.' }),
        403,
      )
  })
}

function serveAssets(app: FastifyInstance): void {
  const types = { 'shop.css': 'text/css', 'shop.js': 'text/javascript' } as const
  for (const [name, type] of Object.entries(types)) {
    const text = readFileSync(new URL(`assets/${name}`, import.meta.url))
    app.get(`/assets/${name}`, (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
        .type(`${type}; charset=utf-8`)
        .send(text),
    )
  }
}

function sayWhatIsWrong(app: FastifyInstance, show: Show): void {
  app.setNotFoundHandler((request, reply) => {
    const page = messagePage({
      heading: 'There is no such page',
      text: 'The address is mistyped, or from another shop.',
    })
    return show(request, reply, page, 404)
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const isOurs = error.statusCode === undefined || error.statusCode >= 500
    if (isOurs) console.error(error)
    const text = isOurs
      ? 'The shop made a mistake; its terminal says which. Nothing was sent twice: look at the order before you try again.'
      : 'The shop could not read what your browser sent. Go back and try again.'
    const page = messagePage({
      heading: 'That did not work',
      text,
      link: { href: '/orders', label: 'See the orders' },
    })
    return show(request, reply, page, error.statusCode ?? 500)
  })
}
