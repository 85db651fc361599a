// `plugins: [TollgatePlugin.init({ … })]` in the Vendure configuration.
import { PluginCommonModule, type Type, VendurePlugin } from '@vendure/core'
import { raw } from 'express'
import { CheckoutResolver, checkoutSchema } from './checkout-resolver.ts'
import { tollgateEligibility } from './eligibility.ts'
import { tollgateHandler } from './handler.ts'
import { OPTIONS, PATH, type TollgateOptions } from './options.ts'
import { pendingRefunds } from './pending-refunds.ts'
import { TollgateController } from './tollgate-controller.ts'
import { TollgatePayments } from './tollgate-payments.ts'
import { TollgateRefunds } from './tollgate-refunds.ts'

export type { TollgateOptions }

@VendurePlugin({
  imports: [PluginCommonModule],
  controllers: [TollgateController],
  providers: [
    { provide: OPTIONS, useFactory: () => TollgatePlugin.options },
    TollgatePayments,
    TollgateRefunds,
  ],
  shopApiExtensions: { schema: checkoutSchema, resolvers: [CheckoutResolver] },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(tollgateHandler)
    config.paymentOptions.paymentMethodEligibilityCheckers?.push(tollgateEligibility)
    config.paymentOptions.refundProcess?.push(pendingRefunds)
    // Signatures cover a notification as it was sent, so it must not be parsed before.
    const handler = raw({ type: () => true, limit: '64kb' })
    config.apiOptions.middleware.push({ route: `/${PATH}`, handler, beforeListen: true })
    return config
  },
  compatibility: '^3.0.0',
})
export class TollgatePlugin {
  static options: TollgateOptions

  static init(options: TollgateOptions): Type<TollgatePlugin> {
    TollgatePlugin.options = options
    return TollgatePlugin
  }
}
