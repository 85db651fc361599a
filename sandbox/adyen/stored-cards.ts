// Cards that Adyen stores for later transfers. An authorisation of zero stores a card. A webhook reports it like any
// authorisation.
import { randomBytes } from 'node:crypto'
import type { Fields } from '../../src/platform/base/object.ts'
import { makePsp } from './book.ts'
import { checkMerchantAccount, invalid, objectIn, textIn } from './checked-fields.ts'
import { PAYS } from './methods.ts'
import type { Webhooks } from './webhooks.ts'

export type StoredCards = {
  /** Stores the card of the request, and returns the answer. */
  store(body: Fields): Fields
  /** True if `id` is the card that the shopper stored last. */
  has(shopper: string, id: string): boolean
}

export function openStoredCards(account: string, webhooks: Webhooks): StoredCards {
  const shoppers = new Map<string, string>()
  return {
    store(body) {
      checkMerchantAccount(account, body)
      const reference = textIn(body, 'reference', /^.{1,80}$/)
      const shopper = textIn(body, 'shopperReference', /^.{3,256}$/)
      textIn(body, 'returnUrl', /^https?:\/\/.{1,1016}$/)
      textIn(body, 'recurringProcessingModel', /^(CardOnFile|UnscheduledCardOnFile|Subscription)$/)
      const { currency } = objectIn(body, 'amount')
      if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw invalid('amount')
      const isGood = isGoodCard(objectIn(body, 'paymentMethod'))
      const pspReference = makePsp()
      webhooks.send({
        eventCode: 'AUTHORISATION',
        success: isGood,
        pspReference,
        merchantReference: reference,
        merchantAccountCode: account,
        amount: { value: 0, currency },
        reason: '',
      })
      if (!isGood) return { pspReference, resultCode: 'Refused', refusalReasonCode: '8' }
      const id = randomBytes(8).toString('hex').toUpperCase()
      shoppers.set(shopper, id)
      const additionalData = { 'tokenization.storedPaymentMethodId': id }
      return { pspReference, resultCode: 'Authorised', merchantReference: reference, additionalData }
    },
    has: (shopper, id) => shoppers.get(shopper) === id,
  }
}

function isGoodCard(card: Fields): boolean {
  textIn(card, 'type', /^scheme$/)
  textIn(card, 'expiryMonth', /^(0[1-9]|1[0-2])$/)
  textIn(card, 'expiryYear', /^\d{4}$/)
  return PAYS.includes(textIn(card, 'number', /^\d{12,19}$/))
}

/** True for an authorisation of zero that stores the card. Other payments must not have the amount zero. */
export function isOfZero({ amount, storePaymentMethod }: Fields): boolean {
  return storePaymentMethod === true && objectIn({ amount }, 'amount').value === 0
}
