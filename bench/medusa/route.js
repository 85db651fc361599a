// One card payment through Medusa's payment module: collection, session, authorisation, capture.
const { Modules } = require('@medusajs/framework/utils')

const amount = { amount: 12.34, currency_code: 'usd' }

exports.POST = async (request, response) => {
  const payments = request.scope.resolve(Modules.PAYMENT)
  const collection = await payments.createPaymentCollections(amount)
  const session = await payments.createPaymentSession(collection.id, {
    ...amount,
    provider_id: 'pp_system_default',
    data: {},
  })
  const payment = await payments.authorizePaymentSession(session.id, {})
  const { id, captured_at } = await payments.capturePayment({ payment_id: payment.id })
  response.json({ id, captured_at })
}
