// Writes the request that opens a payment. The idempotency key is the attempt's reference, so nothing in here needs to be
// the same when the request is repeated.
import { type Fields, isObject } from '../../base/object.ts'
import type { StartRequest } from '../contract.ts'
import type { Method } from '../method.ts'
import { taxNumberOf } from '../pix/method.ts'
import { applePayData, googlePayToken } from '../wallet/sealed-token.ts'
import { toAmount } from './amounts.ts'
import { shopperEmail, textOf, toCard, toShopper } from './card-fields.ts'

/** The methods of the interface that Adyen serves. */
export const served = [
  'card',
  'apple_pay',
  'google_pay',
  'alipay',
  'wechat',
  'unionpay',
  'cash_app',
  'gcash',
  'pix',
  'sepa',
] as const satisfies readonly Method[]

export type AdyenMethod = (typeof served)[number]

export function isServed(method: Method): method is AdyenMethod {
  return served.some((one) => one === method)
}

/** Undefined when the request lacks what the method needs, or Adyen cannot express its amount. */
export function toPayment(
  method: AdyenMethod,
  request: StartRequest,
  { merchantAccount, now }: { readonly merchantAccount: string; readonly now: Date },
): Fields | undefined {
  const amount = toAmount(request.money)
  const particular = particulars[method](request, now)
  if (amount === undefined || particular === undefined) return undefined
  const ip = textOf(request.details.ipAddress)
  return {
    merchantAccount,
    amount,
    reference: request.reference,
    returnUrl: request.completeUrl,
    ...(ip !== '' && { shopperIP: ip }),
    ...shopperEmail(request.details),
    ...particular,
  }
}

function toApplePay(text: string): string | undefined {
  const data = applePayData(text)
  return data === undefined ? undefined : Buffer.from(data).toString('base64')
}

type Particular = (request: StartRequest, now: Date) => Fields | undefined

const particulars: Readonly<Record<AdyenMethod, Particular>> = {
  card: (request, now) =>
    request.card && {
      paymentMethod: toCard(request.card, request.details),
      ...captured,
      ...toShopper(request, now),
    },
  apple_pay: (request, now) => wallet('applepay', 'applePayToken', toApplePay, request, now),
  google_pay: (request, now) => wallet('googlepay', 'googlePayToken', googlePayToken, request, now),
  alipay: ({ terminal }) => paidBy(terminal === 'WAP' ? 'alipay_wap' : 'alipay'),
  wechat: () => paidBy('wechatpayQR'),
  unionpay: () => paidBy('unionpay'),
  cash_app: () => ({
    paymentMethod: { type: 'cashapp', subtype: 'redirect' },
    countryCode: 'US',
    channel: 'Web',
  }),
  gcash: () => ({ ...paidBy('gcash'), countryCode: 'PH' }),
  pix: toPix,
  // The payer transfers to an account, as with every SEPA channel. A direct debit would need the payer's IBAN and a mandate.
  sepa: () => paidBy('bankTransfer_IBAN'),
}

/** We count an authorised payment as paid, whatever the account's default is. */
const captured = { captureDelayHours: 0 }

function paidBy(type: string): Fields {
  return { paymentMethod: { type } }
}

function wallet(
  type: string,
  field: string,
  convert: (text: string) => string | undefined,
  request: StartRequest,
  now: Date,
): Fields | undefined {
  const token = convert(request.walletToken ?? '')
  if (token === undefined) return undefined
  return { paymentMethod: { type, [field]: token }, ...captured, ...toShopper(request, now) }
}

function toPix({ personal, details, expiresAt }: StartRequest): Fields | undefined {
  const { socialSecurityNumber } = { ...details, ...personal }
  const tax = taxNumberOf(textOf(socialSecurityNumber))
  const [firstName = '', ...rest] = textOf(details.name).split(/\s+/)
  if (tax === undefined || firstName === '') return undefined
  return {
    ...paidBy('pix'),
    countryCode: 'BR',
    shopperName: { firstName, lastName: rest.join(' ') || firstName },
    socialSecurityNumber: 'cpf' in tax ? tax.cpf : tax.cnpj,
    // Else the code outlives the order, and who pays late pays for nothing.
    sessionValidity: expiresAt.toISOString(),
  }
}

/** The token as it is sent; undefined for payments without one. */
export function tokenIn({ paymentMethod }: Fields): string | undefined {
  const { applePayToken, googlePayToken } = isObject(paymentMethod) ? paymentMethod : {}
  const token = applePayToken ?? googlePayToken
  return typeof token === 'string' ? token : undefined
}
