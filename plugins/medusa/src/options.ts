// What a shop configures in medusa-config.
import { MedusaError } from '@medusajs/framework/utils'
import type { Secrets, Settings } from '@tollgate/sdk'

export type TollgateOptions = Settings & {
  /** The storefront's page that payers return to. It completes the cart. */
  readonly returnUrl: string
  /** Where the gateway reports payments: `/hooks/tollgate/` of this server, and the provider's id without `pp_`. */
  readonly notifyUrl: string
  /** `whsec_…`: refuses old notifications that somebody sends again. */
  readonly webhookSecret?: string | undefined
  /** The PEM at `/keys/platform.pem` of the gateway; needed with a `privateKey`. */
  readonly platformKey?: string | undefined
  /** Shown on the payment page: `Order` unless given. */
  readonly productName?: string | undefined
}

const required = ['baseUrl', 'merNo', 'site', 'returnUrl', 'notifyUrl']

export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  const missing = required.filter((name) => isEmpty(options[name]))
  if (missing.length > 0) throw refused(`set ${missing.join(', ')}`)
  if (isEmpty(options.key) && isEmpty(options.privateKey)) throw refused('set key or privateKey')
  if (isEmpty(options.key) && isEmpty(options.platformKey)) throw refused('set platformKey beside privateKey')
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function refused(what: string): MedusaError {
  return new MedusaError(MedusaError.Types.INVALID_DATA, `The options of the Tollgate provider: ${what}.`)
}

/** What notifications are verified with. */
export function secretsOf({ webhookSecret, platformKey, ...options }: TollgateOptions): Secrets {
  if ('key' in options && options.key !== undefined) return { key: options.key, webhookSecret }
  return { platformKey: platformKey ?? '', webhookSecret }
}
