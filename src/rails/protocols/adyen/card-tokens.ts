// Exchanges a card number for a payment method that Adyen stores, by an authorisation of zero. A transfer then names the card
// by the stored method and by the shopper under whom it is stored, so both make up the token.
import { randomBytes } from 'node:crypto'
import { type Fields, isObject } from '../../base/object.ts'
import { withDeadline } from '../deadline.ts'
import type { CardExpiry, PayoutFailed, Tokenised } from '../payout/contract.ts'
import type { AdyenApi, AdyenReply } from './adyen-api.ts'

export type CardTokensOptions = {
  /** Checkout. */
  readonly api: AdyenApi
  readonly merchantAccount: string
  /** Adyen wants one with every payment. Without 3-D Secure nobody is sent there. */
  readonly returnUrl: string
  readonly timeoutMs: number
}

export type CardTokens = { store(number: string, expiry: CardExpiry): Promise<Tokenised> }

/** Nothing is charged, so any currency of the account does. */
const NOTHING = { currency: 'EUR', value: 0 }

export function openCardTokens(options: CardTokensOptions): CardTokens {
  const { api, merchantAccount, returnUrl, timeoutMs } = options
  return {
    async store(number, { month, year }) {
      // One shopper for each card: our payouts do not know their beneficiaries.
      const shopper = makeShopper()
      const body = {
        merchantAccount,
        amount: NOTHING,
        reference: shopper,
        returnUrl,
        paymentMethod: { type: 'scheme', number, expiryMonth: month, expiryYear: year },
        shopperReference: shopper,
        storePaymentMethod: true,
        recurringProcessingModel: 'UnscheduledCardOnFile',
        // The beneficiary is not in a browser.
        authenticationData: { attemptAuthentication: 'never' },
      }
      const reply = await withDeadline(timeoutMs, (signal) =>
        api.post('/payments', body, { key: shopper, signal }),
      )
      return fromStored(reply, shopper)
    },
  }
}

function makeShopper(): string {
  return `CARD${randomBytes(16).toString('hex').toUpperCase()}`
}

/** Adyen reports the authorisation of zero by a webhook, too; it is no payment. */
export function isShopper(reference: string): boolean {
  return /^CARD[0-9A-F]{32}$/.test(reference)
}

/** No money moves, so whatever is not a token is a certain failure. */
function fromStored(reply: AdyenReply, shopper: string): Tokenised {
  if (reply.kind !== 'answer' || reply.status >= 500 || reply.status === 429) return unreachable
  if (reply.status === 401 || reply.status === 403) return { ...notStored, cause: 'unauthorised' }
  const { resultCode, additionalData } = reply.body
  const stored = resultCode === 'Authorised' ? storedIn(additionalData) : undefined
  return stored === undefined ? notStored : { kind: 'token', token: `${shopper}.${stored}` }
}

/** Under its present name and the former one. */
function storedIn(data: unknown): string | undefined {
  const fields = isObject(data) ? data : {}
  const id = fields['tokenization.storedPaymentMethodId'] ?? fields['recurring.recurringDetailReference']
  return typeof id === 'string' && /^[A-Za-z0-9]{1,64}$/.test(id) ? id : undefined
}

const notStored: PayoutFailed = {
  kind: 'failed',
  cause: 'refused',
  message: 'Adyen did not accept the card',
}

const unreachable: PayoutFailed = {
  kind: 'failed',
  cause: 'unreachable',
  message: 'Adyen could not be reached',
}

/** How a transfer names the card; undefined if the token is not one of ours. */
export function readToken(token: string): Fields | undefined {
  const [, reference, storedPaymentMethodId] = /^(CARD[0-9A-F]{32})\.([A-Za-z0-9]{1,64})$/.exec(token) ?? []
  return reference === undefined ? undefined : { reference, storedPaymentMethodId }
}
