// Exchanges a card number for a stored payment method at Adyen, by an authorisation of zero. A transfer to the card
// needs the id of the stored payment method and the id of its shopper, so our token contains both.
import { randomBytes } from 'node:crypto'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { PayoutFailed } from '../../contract/payout-outcome.ts'
import type { CardExpiry, Tokenised } from '../../contract/payout-rail.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { failed } from '../../toolkit/outcomes.ts'
import type { AdyenApi, AdyenReply } from './api.ts'

type CardTokensOptions = {
  readonly api: AdyenApi
  readonly merchantAccount: string
  /** Adyen requires a return URL for every payment. Without 3-D Secure, Adyen sends no browser to this URL. */
  readonly returnUrl: string
  readonly timeoutMs: number
}

export type CardTokens = { store(number: string, expiry: CardExpiry): Promise<Tokenised> }

/** The amount of the authorisation. Any currency will do, because nothing is charged. */
const NOTHING = { currency: 'EUR', value: 0 }

export function openCardTokens(options: CardTokensOptions): CardTokens {
  const { api, merchantAccount, returnUrl, timeoutMs } = options
  return {
    async store(number, { month, year }) {
      // `store` does not know the beneficiary, so each card gets its own shopper.
      const shopper = `CARD${randomBytes(16).toString('hex').toUpperCase()}`
      const body = {
        merchantAccount,
        amount: NOTHING,
        reference: shopper,
        returnUrl,
        paymentMethod: { type: 'scheme', number, expiryMonth: month, expiryYear: year },
        shopperReference: shopper,
        storePaymentMethod: true,
        recurringProcessingModel: 'UnscheduledCardOnFile',
        // No browser takes part in this call, so 3-D Secure is not possible.
        authenticationData: { attemptAuthentication: 'never' },
      }
      const reply = await withDeadline(timeoutMs, (signal) =>
        api.post('/payments', body, { key: shopper, signal }),
      )
      return fromStored(reply, shopper)
    },
  }
}

/**
 * True if the reference is a shopper's, and not a payment's. Adyen sends a webhook about the authorisation of zero,
 * which must not count as a payment.
 */
export function isShopper(reference: string): boolean {
  return /^CARD[0-9A-F]{32}$/.test(reference)
}

/** Reads the response. Any response without a token is a failure and never `unknown`, because no money moves. */
function fromStored(reply: AdyenReply, shopper: string): Tokenised {
  if (reply.kind !== 'answer' || reply.status >= 500 || reply.status === 429) return unreachable
  if (reply.status === 401 || reply.status === 403) return { ...notStored, cause: 'unauthorised' }
  const { resultCode, additionalData } = reply.body
  const stored = resultCode === 'Authorised' ? storedIn(additionalData) : undefined
  return stored === undefined ? notStored : { kind: 'token', token: `${shopper}.${stored}` }
}

/** Returns the id of the stored payment method, from the current or the older field name. */
function storedIn(data: unknown): string | undefined {
  const fields = isObject(data) ? data : {}
  const id = fields['tokenization.storedPaymentMethodId'] ?? fields['recurring.recurringDetailReference']
  return typeof id === 'string' && /^[A-Za-z0-9]{1,64}$/.test(id) ? id : undefined
}

const notStored: PayoutFailed = failed('refused', 'Adyen did not accept the card')

const unreachable: PayoutFailed = failed('unreachable', 'Adyen could not be reached')

/** Returns the fields by which a transfer names the card. Undefined if the token is malformed. */
export function readToken(token: string): Fields | undefined {
  const [, reference, storedPaymentMethodId] = /^(CARD[0-9A-F]{32})\.([A-Za-z0-9]{1,64})$/.exec(token) ?? []
  return reference === undefined ? undefined : { reference, storedPaymentMethodId }
}
