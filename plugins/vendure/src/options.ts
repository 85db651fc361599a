// What a shop passes to `TollgatePlugin.init`.
import type { Secrets, Settings } from '@tollgate/sdk'

export type TollgateOptions = Settings & {
  /** Where the gateway and payers' browsers reach this server, for example `https://api.shop.example`. */
  readonly serverUrl: string
  /** The storefront's page that payers return to. It gets `?order=CODE&payment=succeeded`, `failed` or `pending`. */
  readonly returnUrl: string
  /** `whsec_…`: refuses old notifications that somebody sends again. Leave it out if there is none. */
  readonly webhookSecret?: string
  /** The PEM at `/keys/platform.pem` of the gateway; needed with a `privateKey`. */
  readonly platformKey?: string | undefined
}

/** The token under which Nest has the options. */
export const OPTIONS = Symbol('Tollgate options')

export const PATH = 'payments/tollgate'

/** The keys and secrets that verify notifications and returning payers. */
export function secretsOf(options: TollgateOptions): Secrets {
  const webhook = 'webhookSecret' in options ? { webhookSecret: options.webhookSecret } : {}
  if (options.privateKey === undefined) return { key: options.key, ...webhook }
  return { platformKey: options.platformKey ?? '', ...webhook }
}

export function addressOf({ serverUrl }: TollgateOptions, path = ''): string {
  return `${serverUrl.replace(/\/$/, '')}/${PATH}${path}`
}
