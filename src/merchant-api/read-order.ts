// From the checked fields of a pay-in request to the order that payments know.
import type { CardDetails } from '../channels/contract.ts'
import type { PaymentOrder } from '../payments/prepare-payment.ts'
import type { CheckedRequest } from './frame.ts'
import { divideBySecrecy, type Fields, textOf } from './read-fields.ts'

/** Fields that have a column of their own. */
const inColumns: ReadonlySet<string> = new Set([
  'merNo',
  'merOrderNo',
  'currencyCode',
  'sourceAmount',
  'returnUrl',
  'notifyUrl',
  'protestNotifyUrl',
])

export function orderOf({ fields, table }: CheckedRequest): PaymentOrder {
  const { plain: details, personal } = divideBySecrecy(table, fields, inColumns)
  return {
    merOrderNo: textOf(fields, 'merOrderNo'),
    currencyCode: textOf(fields, 'currencyCode'),
    sourceAmount: textOf(fields, 'sourceAmount'),
    returnUrl: textOf(fields, 'returnUrl'),
    notifyUrl: textOf(fields, 'notifyUrl'),
    protestNotifyUrl: textOf(fields, 'protestNotifyUrl'),
    card: cardOf(fields),
    walletToken: walletTokenOf(fields),
    personal,
    details,
  }
}

function cardOf(fields: Fields): CardDetails | undefined {
  const number = textOf(fields, 'cardNo')
  if (number === '') return undefined
  return {
    number,
    expiryMonth: textOf(fields, 'cardExpireMonth'),
    expiryYear: textOf(fields, 'cardExpireYear'),
    securityCode: textOf(fields, 'cardSecurityCode'),
  }
}

/** Each of them is a field of its own method alone. */
function walletTokenOf(fields: Fields): string | undefined {
  return textOf(fields, 'applePayToken') || textOf(fields, 'googlePayToken') || undefined
}
