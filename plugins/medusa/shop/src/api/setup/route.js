// What the tests need in a new shop: a region for each currency, one product, and keys for both APIs.
const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require('@medusajs/medusa/core-flows')

const provider = 'pp_tollgate_tollgate'
const countries = { eur: 'de', jpy: 'jp' }

exports.POST = async ({ scope, body: { prices } }, response) => {
  const regions = Object.entries(countries).map(([currency, country]) => {
    return { name: country, currency_code: currency, countries: [country], payment_providers: [provider] }
  })
  const created = await createRegionsWorkflow(scope).run({ input: { regions } })
  const channels = await createSalesChannelsWorkflow(scope).run({
    input: { salesChannelsData: [{ name: 'Web' }] },
  })
  const [channel] = channels.result
  const keys = await createApiKeysWorkflow(scope).run({
    input: {
      api_keys: ['publishable', 'secret'].map((type) => ({ title: type, type, created_by: 'setup' })),
    },
  })
  const [publishable, secret] = keys.result
  await linkSalesChannelsToApiKeyWorkflow(scope).run({ input: { id: publishable.id, add: [channel.id] } })
  const products = await createProductsWorkflow(scope).run({
    input: { products: [{ ...scarf(prices), sales_channels: [{ id: channel.id }] }] },
  })
  response.json({
    regions: Object.fromEntries(created.result.map(({ currency_code, id }) => [currency_code, id])),
    publishableKey: publishable.token,
    secretKey: secret.token,
    variantId: products.result[0].variants[0].id,
  })
}

/** A product without a stock list and without a shipping profile: a cart needs nothing but its payment. */
function scarf(prices) {
  return {
    title: 'Scarf',
    status: 'published',
    options: [{ title: 'Size', values: ['One'] }],
    variants: [{ title: 'One', manage_inventory: false, options: { Size: 'One' }, prices }],
  }
}
