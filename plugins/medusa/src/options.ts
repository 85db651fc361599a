// What a shop configures in medusa-config.
import { MedusaError } from '@medusajs/framework/utils'
import { checkSecrets, type Secrets, type Settings, Tollgate } from '@tollgate/sdk'

export type TollgateOptions = Settings & {
  /** The storefront's page that payers return to. It completes the cart. */
  readonly returnUrl: string
  /** Where the gateway reports payments: `/hooks/tollgate/` of this server, and the provider's id without `pp_`. */
  readonly notifyUrl: string
  /** `whsec_…`: refuses old notifications that somebody sends again. Leave it out if there is none. */
  readonly webhookSecret?: string
  /** The PEM at `/keys/platform.pem` of the gateway; needed with a `privateKey`. */
  readonly platformKey?: string | undefined
  /** Shown on the payment page: `Order` unless given. */
  readonly productName?: string | undefined
}

const required = ['baseUrl', 'merNo', 'site', 'returnUrl', 'notifyUrl']

type Given = Readonly<Record<string, unknown>>

/** Medusa calls it when it starts: a shop with an option that is missing does not start. */
export function checkOptions(options: Given): void {
  if (!isComplete(options)) throw refused(`set ${missingIn(options).join(', ')}`)
  try {
    new Tollgate(options)
    checkSecrets(secretsOf(options))
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error))
  }
}

/** The SDK checks the keys. */
function isComplete(options: Given): options is TollgateOptions {
  return missingIn(options).length === 0
}

function missingIn(options: Given): string[] {
  return required.filter(
    (name) => options[name] === undefined || options[name] === null || options[name] === '',
  )
}

function refused(what: string): MedusaError {
  return new MedusaError(MedusaError.Types.INVALID_DATA, `The options of the Tollgate provider: ${what}.`)
}

/** The keys and secrets that verify notifications. */
export function secretsOf(options: TollgateOptions): Secrets {
  const webhook = 'webhookSecret' in options ? { webhookSecret: options.webhookSecret } : {}
  if (options.privateKey === undefined) return { key: options.key, ...webhook }
  return { platformKey: options.platformKey ?? '', ...webhook }
}
