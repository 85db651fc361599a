// A real Vendure server with the plugin as merchants install it, called by its shop and admin APIs.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { startChild } from '../../bench/child.ts'
import { freePort } from '../../test/harness/gateway-process.ts'
import { buildPlugin } from './build-plugin.ts'
import type { Gateway } from './gateway.ts'
import { openShopDatabase, type ShopDatabase } from './shop-database.ts'

type Json = Record<string, unknown>
export type Ask = (query: string, variables?: Json) => Promise<Json>

/** A customer with an order that is ready to be paid. */
export type Customer = {
  readonly ask: Ask
  readonly orderId: string
  readonly orderCode: string
}

export type VendureShop = {
  readonly database: ShopDatabase
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly admin: Ask
  newCustomer(currency?: 'EUR' | 'JPY', quantity?: number): Promise<Customer>
  output(): string
  close(): Promise<void>
}

const STOREFRONT = 'https://shop.example/checkout/confirmation'

/** `changes`: other options of the plugin. Rejects if the shop does not start. */
export async function openVendureShop(gateway: Gateway, changes: object = {}): Promise<VendureShop> {
  const folder = await buildPlugin('vendure')
  const database = await openShopDatabase()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { settings, webhookSecret } = gateway
  const options = { ...settings, webhookSecret, serverUrl: origin, returnUrl: STOREFRONT }
  let printed = ''
  const server = await startChild({
    name: 'Vendure',
    args: [join(folder, 'shop/server.js')],
    cwd: join(folder, 'shop'),
    env: {
      PORT: String(port),
      DATABASE_URL: database.url,
      TOLLGATE_OPTIONS: JSON.stringify({ ...options, ...changes }),
    },
    readyWithinMs: 300_000,
    onOutput: (text) => {
      printed += text
    },
  }).catch(async (error: unknown) => {
    await database.drop()
    throw error
  })
  const admin = client(`${origin}/admin-api`)
  await admin('mutation { login(username: "superadmin", password: "superadmin") { __typename } }')
  const variantId = await makeProduct(admin)
  await makePaymentMethod(admin)
  return {
    database,
    notifyUrl: `${origin}/payments/tollgate`,
    returnUrl: STOREFRONT,
    admin,
    newCustomer: (currency = 'EUR', quantity = 2) =>
      newCustomer(client(`${origin}/shop-api?currencyCode=${currency}`), variantId, quantity),
    output: () => printed,
    async close() {
      await server.stop()
      await database.drop()
    },
  }
}

/** Keeps the session that the first response starts. */
function client(url: string): Ask {
  let token = ''
  return async (query, variables = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    })
    token = response.headers.get('vendure-auth-token') ?? token
    const { data, errors } = JSON.parse(await response.text())
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
    return data
  }
}

/** A scarf for 12.34 EUR or 1200 JPY. */
async function makeProduct(admin: Ask): Promise<string> {
  const { activeChannel } = await admin('{ activeChannel { id } }')
  await admin(
    `mutation ($id: ID!) { updateChannel(input: {
      id: $id, defaultCurrencyCode: EUR, availableCurrencyCodes: [EUR, JPY], pricesIncludeTax: true
    }) { __typename } }`,
    { id: record(activeChannel).id },
  )
  const { createProduct } = await admin(
    `mutation { createProduct(input: {
      translations: [{ languageCode: en, name: "Scarf", slug: "scarf", description: "" }]
    }) { id } }`,
  )
  const { createProductVariants } = await admin(
    `mutation ($productId: ID!) { createProductVariants(input: [{
      productId: $productId, sku: "A-1", trackInventory: FALSE, price: 1234,
      translations: [{ languageCode: en, name: "Scarf" }]
    }]) { id } }`,
    { productId: record(createProduct).id },
  )
  assert.ok(Array.isArray(createProductVariants))
  const { id } = record(createProductVariants[0])
  await admin(
    `mutation ($id: ID!) { updateProductVariants(input: [{
      id: $id, prices: [{ currencyCode: EUR, price: 1234 }, { currencyCode: JPY, price: 120000 }]
    }]) { id } }`,
    { id },
  )
  return String(id)
}

async function makePaymentMethod(admin: Ask): Promise<void> {
  await admin(`mutation { createPaymentMethod(input: {
    code: "tollgate", enabled: true, handler: { code: "tollgate", arguments: [] },
    checker: { code: "tollgate-eligibility", arguments: [{ name: "currencies", value: "[\\"EUR\\",\\"JPY\\"]" }] }
    translations: [{ languageCode: en, name: "Tollgate", description: "" }]
  }) { id } }`)
}

async function newCustomer(ask: Ask, variantId: string, quantity: number): Promise<Customer> {
  const { addItemToOrder } = await ask(
    `mutation ($id: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $id, quantity: $quantity) {
      __typename ... on Order { id code } ... on ErrorResult { message } } }`,
    { id: variantId, quantity },
  )
  const { id, code } = record(addItemToOrder)
  assert.ok(code, JSON.stringify(addItemToOrder))
  await ask(
    `mutation { setCustomerForOrder(input: {
      firstName: "Test", lastName: "Payer", emailAddress: "payer${code}@shop.example"
    }) { __typename } }`,
  )
  await arrangePayment(ask)
  return { ask, orderId: String(id), orderCode: String(code) }
}

export async function arrangePayment(ask: Ask): Promise<void> {
  const { transitionOrderToState } = await ask(
    `mutation { transitionOrderToState(state: "ArrangingPayment") {
      __typename ... on Order { state } ... on OrderStateTransitionError { transitionError } } }`,
  )
  assert.equal(
    record(transitionOrderToState).state,
    'ArrangingPayment',
    JSON.stringify(transitionOrderToState),
  )
}

export async function openCheckout({ ask }: Customer): Promise<string> {
  return String((await ask('mutation { createTollgateCheckout }')).createTollgateCheckout)
}

export function record(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null, `${JSON.stringify(value)} is not an object`)
  return { ...value }
}
