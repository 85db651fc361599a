// Vendure's payment method handler. Payments are added by the plugin itself, once the gateway says that they are paid.
import { LanguageCode, PaymentMethodHandler } from '@vendure/core'
import { HANDLER_CODE } from './tollgate-payments.ts'
import { TollgateRefunds } from './tollgate-refunds.ts'

let refunds: TollgateRefunds

export const tollgateHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [{ languageCode: LanguageCode.en, value: 'Tollgate: all methods on the payment page' }],
  args: {},
  init(injector) {
    refunds = injector.get(TollgateRefunds)
  },
  createPayment: (ctx, _order, amount, _args, { merOrderNo, tradeNo }) => {
    // Anybody can call addPaymentToOrder of the shop API.
    if (ctx.apiType !== 'admin')
      throw new Error('call createTollgateCheckout and send the payer to the address that it returns')
    return { amount, state: 'Settled', transactionId: String(merOrderNo), metadata: { tradeNo } }
  },
  settlePayment: () => ({ success: true }),
  cancelPayment: (_ctx, _order, { state }) => {
    if (state !== 'Settled') return { success: true }
    return { success: false, state, errorMessage: 'The payer has paid: refund the payment instead.' }
  },
  createRefund: (ctx, _input, amount, _order, payment) => refunds.create(ctx, payment, amount),
})
