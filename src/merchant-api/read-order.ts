// From the checked fields of a pay-in request to the order that payments know.
import { assert } from '../base/error.ts'
import type { CardDetails } from '../channels/contract.ts'
import type { PaymentOrder } from '../payments/prepare-payment.ts'
import { valueUnder } from './check-types.ts'
import type { CheckedRequest } from './checked-request.ts'
import { divideBySecrecy } from './divide-by-secrecy.ts'

/** Fields that have a column of their own. */
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
  return {
    merOrderNo: textIn(request, 'merOrderNo'),
    currencyCode: textIn(request, 'currencyCode'),
    sourceAmount: textIn(request, 'sourceAmount'),
    returnUrl: textIn(request, 'returnUrl'),
    notifyUrl: textIn(request, 'notifyUrl'),
    protestNotifyUrl: textIn(request, 'protestNotifyUrl'),
    card: cardOf(request),
    walletToken: walletTokenOf(request),
    personal,
    details,
  }
}

function cardOf(request: CheckedRequest): CardDetails | undefined {
  const number = textIn(request, 'cardNo')
  if (number === '') return undefined
  return {
    number,
    expiryMonth: textIn(request, 'cardExpireMonth'),
    expiryYear: textIn(request, 'cardExpireYear'),
    securityCode: textIn(request, 'cardSecurityCode'),
  }
}

/** Each of them is a field of its own method alone. */
function walletTokenOf(request: CheckedRequest): string | undefined {
  return textIn(request, 'applePayToken') || textIn(request, 'googlePayToken') || undefined
}

function textIn({ table, values }: CheckedRequest, name: string): string {
  const value = valueUnder(name, table, values) ?? ''
  assert(typeof value === 'string', `${name} is a text`)
  return value
}
