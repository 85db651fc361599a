// The payment methods that Stripe serves, with their names at Stripe.
import { type Fields, isObject, textIn } from '../../../platform/base/object.ts'
import type { PayerAction, StartRequest } from '../../contract/channel.ts'
import type { Method } from '../../methods/methods.ts'
import type { Terminal } from '../../methods/terminal.ts'
import { redirectTo } from '../../toolkit/outcomes.ts'
import type { FormFields } from './form.ts'

export type StripeMethod = {
  readonly type: string
  /**
   * The terminals that Stripe serves for this method; if unset, all terminals of the method. Stripe's pages for some
   * methods work only in browsers.
   */
  readonly terminals?: readonly Terminal[]
  readonly options?: (request: StartRequest) => FormFields
}

export const stripeMethods: Readonly<Partial<Record<Method, StripeMethod>>> = {
  card: {
    type: 'card',
    options: ({ challenge }) => ({ request_three_d_secure: challenge === true ? 'any' : undefined }),
  },
  alipay: { type: 'alipay', terminals: ['WEB', 'WAP'] },
  wechat: { type: 'wechat_pay', terminals: ['WEB'], options: () => ({ client: 'web' }) },
  cash_app: { type: 'cashapp' },
  pix: { type: 'pix' },
}

export function toConfirmation(request: StartRequest, { type, options }: StripeMethod): FormFields {
  return {
    return_url: request.completeUrl,
    payment_method_data: { type, ...cardOf(request), billing_details: billingOf(request.details) },
    payment_method_options: { [type]: options?.(request) },
    shipping: shippingOf(request.details),
  }
}

function cardOf({ card }: StartRequest): FormFields {
  if (card === undefined) return {}
  const { number, expiryMonth, expiryYear, securityCode } = card
  const year = expiryYear.length === 2 ? `20${expiryYear}` : expiryYear
  return { card: { number, exp_month: expiryMonth, exp_year: year, cvc: securityCode } }
}

/** Returns the billing details. A wallet payment has no billing fields, but may have the payer's name and e-mail. */
function billingOf(details: Fields): FormFields {
  return {
    ...holderOf(details, 'billing'),
    name: nameOf(details, 'billing') || textIn(details, 'name'),
    email: textIn(details, 'billingEmail') || textIn(details, 'email'),
  }
}

/** Returns the shipping details. Undefined if the name or the address is missing, because Stripe requires both. */
function shippingOf(details: Fields): FormFields | undefined {
  const name = nameOf(details, 'shipping')
  return name === '' || textIn(details, 'shippingAddress1') === ''
    ? undefined
    : { name, ...holderOf(details, 'shipping') }
}

function holderOf(details: Fields, kind: 'billing' | 'shipping'): FormFields {
  const text = (name: string) => textIn(details, `${kind}${name}`)
  return {
    phone: text('Phone'),
    address: {
      line1: text('Address1'),
      line2: text('Address2'),
      city: text('City'),
      state: text('State'),
      postal_code: text('ZipCode'),
      country: text('Country'),
    },
  }
}

function nameOf(details: Fields, kind: 'billing' | 'shipping'): string {
  return `${textIn(details, `${kind}FirstName`)} ${textIn(details, `${kind}LastName`)}`.trim()
}

/** Returns the payer's next action. Undefined if the action is missing, malformed or of an unknown kind. */
export function actionOf({ next_action: next }: Fields): PayerAction | undefined {
  if (!isObject(next) || typeof next.type !== 'string') return undefined
  const content = next[next.type]
  return isObject(content) ? readers.get(next.type)?.(content) : undefined
}

const readers: ReadonlyMap<string, (content: Fields) => PayerAction | undefined> = new Map([
  ['redirect_to_url', ({ url }) => redirectTo(url)],
  ['alipay_handle_redirect', ({ url }) => redirectTo(url)],
  ['cashapp_handle_redirect_or_display_qr_code', (content) => redirectTo(content.hosted_instructions_url)],
  ['wechat_pay_display_qr_code', ({ data }) => codeIn(data)],
  ['pix_display_qr_code', ({ data }) => codeIn(data)],
])

function codeIn(data: unknown): PayerAction | undefined {
  return typeof data === 'string' && data !== '' && data.length <= MAX_CODE
    ? { kind: 'qr', qrCode: data }
    : undefined
}

/** The maximum number of bytes in a QR code. */
const MAX_CODE = 2_953
