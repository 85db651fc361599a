// Builds the payment order from the checked fields of a pay-in request.
import type { CardDetails } from '../../channels/contract.ts'
import type { PaymentOrder } from '../../payments/prepare-payment.ts'
import type { CheckedRequest } from '../checks/check-request.ts'
import { placesOf } from '../fields/check-types.ts'
import { divideBySecrecy } from '../fields/split-by-secrecy.ts'

/** Fields with their own column. */
const divide = divideBySecrecy([
  'merNo',
  'merOrderNo',
  'currencyCode',
  'sourceAmount',
  'returnUrl',
  'notifyUrl',
  'protestNotifyUrl',
])

export function orderOf(request: CheckedRequest): PaymentOrder {
  const { plain: details, personal } = divide(request)
  const text = textsOf(request)
  return {
    merOrderNo: text('merOrderNo'),
    currencyCode: text('currencyCode'),
    sourceAmount: text('sourceAmount'),
    returnUrl: text('returnUrl'),
    notifyUrl: text('notifyUrl'),
    protestNotifyUrl: text('protestNotifyUrl'),
    card: cardOf(text),
    walletToken: walletTokenOf(text),
    personal,
    details,
  }
}

/** The text of a field, '' when it was not sent. */
type Texts = (name: string) => string

function textsOf({ table, values }: CheckedRequest): Texts {
  const places = placesOf(table)
  return (name) => {
    const value = values[places.get(name) ?? -1] ?? ''
    if (typeof value !== 'string') throw new Error(`broken invariant: ${name} is a text`)
    return value
  }
}

function cardOf(text: Texts): CardDetails | undefined {
  const number = text('cardNo')
  if (number === '') return undefined
  return {
    number,
    expiryMonth: text('cardExpireMonth'),
    expiryYear: text('cardExpireYear'),
    securityCode: text('cardSecurityCode'),
  }
}

/** A request has at most one: each belongs to its own method. */
function walletTokenOf(text: Texts): string | undefined {
  return text('applePayToken') || text('googlePayToken') || undefined
}
