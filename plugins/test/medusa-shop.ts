// A real Medusa server with the plugin as merchants install it, called by its store and admin APIs.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { startMedusa } from '../../bench/start-medusa.ts'
import { freePort } from '../../test/harness/gateway-process.ts'
import { buildPlugin } from './build-plugin.ts'
import type { Gateway } from './gateway.ts'
import { openShopDatabase, type ShopDatabase } from './shop-database.ts'

type Json = Record<string, unknown>
type Currency = 'eur' | 'jpy'

export type Session = {
  readonly cartId: string
  readonly id: string
  readonly merOrderNo: string
  readonly payUrl: string
}

export type Answer = { readonly status: number; readonly body: Json }

export type MedusaShop = {
  readonly database: ShopDatabase
  readonly notifyUrl: string
  output(): string
  /** A cart with this many scarves. */
  newCart(currency?: Currency, quantity?: number): Promise<string>
  /** A new payment session; the one before is deleted by Medusa. */
  newSession(cartId: string): Promise<Session>
  trySession(cartId: string): Promise<Answer>
  addToCart(cartId: string, quantity: number): Promise<Answer>
  /** Completes the cart, as the storefront does when the payer returns. */
  complete(cartId: string): Promise<Answer>
  admin(method: string, path: string, body?: Json): Promise<Answer>
  close(): Promise<void>
}

/** In euros a scarf's price has a third decimal. */
export const prices = [
  { currency_code: 'eur', amount: 12.345 },
  { currency_code: 'jpy', amount: 1200 },
]

/** `changes`: other options of the plugin. Rejects if the shop does not start. */
export async function openMedusaShop(gateway: Gateway, changes: object = {}): Promise<MedusaShop> {
  const folder = await buildPlugin('medusa')
  const database = await openShopDatabase()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const notifyUrl = `${origin}/hooks/tollgate/tollgate_tollgate`
  const { settings, webhookSecret } = gateway
  const options = { ...settings, webhookSecret, notifyUrl, returnUrl: 'https://shop.example/checkout/return' }
  let printed = ''
  const server = await startMedusa({
    folder: join(folder, 'shop'),
    program: join(folder, 'node_modules/.bin/medusa'),
    databaseUrl: database.url,
    port,
    env: { TOLLGATE_OPTIONS: JSON.stringify({ ...options, ...changes }) },
    onOutput: (text) => {
      printed += text
    },
  }).catch(async (error: unknown) => {
    await database.drop()
    throw error
  })
  const made = await send(origin, 'POST', '/setup', {}, { prices })
  const { regions, publishableKey, secretKey, variantId } = setupOf(made.body)
  const store = (path: string, body: Json) =>
    send(origin, 'POST', `/store${path}`, { 'x-publishable-api-key': publishableKey }, body)
  const trySession = async (cartId: string) => {
    const { body } = await store('/payment-collections', { cart_id: cartId })
    const { id } = record(body.payment_collection)
    return store(`/payment-collections/${id}/payment-sessions`, { provider_id: 'pp_tollgate_tollgate' })
  }
  const basic = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`
  return {
    database,
    notifyUrl,
    output: () => printed,
    async newCart(currency = 'eur', quantity = 2) {
      const items = [{ variant_id: variantId, quantity }]
      const cart = { region_id: regions[currency], email: 'payer@shop.example', items }
      return String(record((await succeeded(store('/carts', cart))).cart).id)
    },
    trySession,
    async newSession(cartId) {
      const body = await succeeded(trySession(cartId))
      const { payment_sessions: sessions } = record(body.payment_collection)
      assert.ok(Array.isArray(sessions))
      const { id, data } = record(sessions[0])
      const { merOrderNo, payUrl } = record(data)
      return { cartId, id: String(id), merOrderNo: String(merOrderNo), payUrl: String(payUrl) }
    },
    addToCart: (cartId, quantity) =>
      store(`/carts/${cartId}/line-items`, { variant_id: variantId, quantity }),
    complete: (cartId) => store(`/carts/${cartId}/complete`, {}),
    admin: (method, path, body) => send(origin, method, `/admin${path}`, { authorization: basic }, body),
    async close() {
      await server.stop()
      await database.drop()
    },
  }
}

async function send(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Json,
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function succeeded(answering: Promise<Answer>): Promise<Json> {
  const { status, body } = await answering
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

export function record(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null, `${JSON.stringify(value)} is not an object`)
  return { ...value }
}

function setupOf(body: Json) {
  const { regions, publishableKey, secretKey, variantId } = body
  const { eur, jpy } = record(regions)
  return {
    regions: { eur: String(eur), jpy: String(jpy) },
    publishableKey: String(publishableKey),
    secretKey: String(secretKey),
    variantId: String(variantId),
  }
}
