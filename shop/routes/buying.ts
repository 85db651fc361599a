// The routes of products, cart and checkout, up to the order that is sent to the gateway.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tollgate } from '../../sdk/src/entry.ts'
import { type Form, formOf } from '../../src/platform/pages/form.ts'
import { readCard } from '../card-form.ts'
import { cartCookie, type Line, piecesOf, readCart, withPieces } from '../cart.ts'
import { isOtherMethod, methodWays } from '../methods.ts'
import type { NewOrder, Orders, ShopOrder } from '../orders.ts'
import { cartPage, emptyCart } from '../pages/cart-page.ts'
import { checkoutPage } from '../pages/checkout-page.ts'
import type { Show } from '../pages/layout.ts'
import { messagePage } from '../pages/other-pages.ts'
import { productsPage } from '../pages/products-page.ts'
import { type Placing, placeOrder } from '../place-order.ts'
import { type Currency, isCurrency, totalOf } from '../prices.ts'

export type BuyingDeps = {
  readonly tollgate: Tollgate
  readonly orders: Orders
  readonly show: Show
  readonly at: { readonly shopUrl: string; readonly notifyUrl: string }
  readonly signal: AbortSignal
}

type Query = { readonly Querystring: Readonly<Record<string, string | readonly string[] | undefined>> }

/** Returns a number that cannot be guessed. The gateway accepts up to 32 characters. */
export function newNumber(prefix: 'S' | 'R'): string {
  return `${prefix}-${randomBytes(9).toString('hex').toUpperCase()}`
}

export function registerBuying(app: FastifyInstance, deps: BuyingDeps): void {
  const { show } = deps
  app.get<Query>('/', (request, reply) => show(request, reply, productsPage(oneOf(request.query.added))))
  app.get('/cart', (request, reply) => show(request, reply, cartPage(cartOf(request))))
  app.post('/cart', changeCart)
  app.get<Query>('/checkout', (request, reply) => {
    const lines = cartOf(request)
    const page = lines.length === 0 ? emptyCart() : checkoutPage({ lines, number: numberFor(deps, request) })
    return show(request, reply, page)
  })
  app.post('/checkout', (request, reply) => checkOut(deps, request, reply))
}

function oneOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}

function cartOf({ headers }: FastifyRequest): Line[] {
  return readCart(headers.cookie)
}

function changeCart(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { add = '', set = '', quantity = '' } = formOf(request.body)
  const lines = cartOf(request)
  const pieces = /^\d{1,3}$/.test(quantity) ? Number(quantity) : piecesOf(lines, set)
  const changed =
    add === '' ? withPieces(lines, set, pieces) : withPieces(lines, add, piecesOf(lines, add) + 1)
  const to = add === '' ? '/cart' : `/?added=${encodeURIComponent(add)}`
  return reply.header('set-cookie', cartCookie(changed)).redirect(to, 303)
}

/** An order that the gateway has not stored is sent again under its number. Any other order gets a new number. */
function numberFor({ orders }: BuyingDeps, request: FastifyRequest<Query>): string {
  const again = orders.find(oneOf(request.query.again) ?? '')
  return again?.status === 'not-sent' ? again.number : newNumber('S')
}

async function checkOut(
  deps: BuyingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { orders, show } = deps
  const form = formOf(request.body)
  const { number = '', way = '' } = form
  if (!/^S-[0-9A-F]{18}$/.test(number)) return show(request, reply, badForm(), 400)
  const known = orders.find(number)
  // The customer pressed the button twice, or opened the page again. An order number stands for one payment.
  if (known !== undefined && known.status !== 'not-sent') return reply.redirect(`/orders/${number}`, 303)
  const lines = cartOf(request)
  if (lines.length === 0) return show(request, reply, emptyCart(), 422)
  const read = placingOf(form, way)
  if (read === undefined) return show(request, reply, badForm(), 400)
  if ('problems' in read) {
    const page = checkoutPage({ lines, number, problems: read.problems, expiry: form.expiry ?? '' })
    return show(request, reply, page, 422)
  }
  const order = orders.add({ number, lines, ...read.order, money: totalOf(lines, read.currency) })
  const { ip, headers } = request
  const payer = { ip, userAgent: (headers['user-agent'] ?? 'unknown').slice(0, 128) }
  await placeOrder({ ...deps, ...deps.at }, order, read.placing, payer)
  return reply.header('set-cookie', cartCookie([])).redirect(nextAddress(orders.find(number) ?? order), 303)
}

/**
 * Returns the address of the next page. Codes, accounts and the window appear on the shop's own order page. All other
 * ways to pay continue on the gateway's page.
 */
function nextAddress({ number, status, paidAt, answer }: ShopOrder): string {
  if (status !== 'pending' || answer?.payUrl === undefined) return `/orders/${number}`
  return `/orders/${number}${{ page: '/pay', window: '#pay', order: '' }[paidAt]}`
}

type Read = {
  readonly placing: Placing
  readonly currency: Currency
  readonly order: Pick<NewOrder, 'way' | 'paidAt'>
}

/** Returns undefined for a form that this shop did not make. */
function placingOf(
  form: Form,
  way: string,
): Read | Extract<ReturnType<typeof readCard>, { problems: object }> | undefined {
  if (way === 'page' || way === 'window') return pageOf(form, way)
  if (way === 'card') {
    const read = readCard(form)
    if ('problems' in read) return read
    return {
      placing: { by: 'card', card: read.card },
      currency: 'USD',
      order: { way: 'Card', paidAt: 'page' },
    }
  }
  if (!isOtherMethod(way)) return undefined
  const { name, currency, paidAt } = methodWays[way]
  return { placing: { by: 'method', method: way, form }, currency, order: { way: name, paidAt } }
}

function pageOf({ method = '', currency: asked = '' }: Form, paidAt: 'page' | 'window'): Read {
  const order = { way: paidAt === 'page' ? 'Payment page' : 'Window over the shop', paidAt }
  const currency = isCurrency(asked) ? asked : 'USD'
  if (isOtherMethod(method))
    return { placing: { by: 'page', method }, currency: methodWays[method].currency, order }
  return { placing: { by: 'page', method: method === 'card' ? 'card' : undefined }, currency, order }
}

function badForm() {
  return messagePage({
    heading: 'This form is not complete',
    text: 'Open the checkout again and choose a way to pay there.',
    link: { href: '/checkout', label: 'Go to checkout' },
  })
}
