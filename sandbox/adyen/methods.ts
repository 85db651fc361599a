// Opens a payment by each method: the fields that Adyen needs, and its answer.
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { parseJson } from '../../src/platform/http/client/http-client.ts'
import type { Book, NewPayment, Payment, Refusal } from './book.ts'
import { invalid, objectIn, textIn } from './checked-fields.ts'

export type Desk = { readonly book: Book; readonly url: () => string }

/** Test cards of Adyen's documentation. */
export const PAYS = ['4111111111111111', '5555555555554444', '5201281505129736', '4212345678910006']
const CHALLENGED = '4212345678910006'

/** The refusals, by the first name of a test card's holder. */
const refusals: ReadonlyMap<string, Refusal> = new Map([
  ['DECLINED', refusal('Refused', '2')],
  ['CARD_EXPIRED', refusal('Expired Card', '6')],
  ['NOT_ENOUGH_BALANCE', refusal('Not enough balance', '12')],
  ['BLOCK_CARD', refusal('Blocked Card', '5')],
])
const WANTS_CHALLENGE = 'AUTHENTICATION_REQUIRED'
const PAYS_HALF = 'PARTIALLY_AUTHORISED'
/** The holder's name of a card whose bank expects the redirect as a form (POST). */
const BY_FORM = 'REDIRECT_POST'

function refusal(refusalReason: string, refusalReasonCode: string): Refusal {
  return { refusalReason, refusalReasonCode }
}

type Opening = (desk: Desk, order: NewPayment, body: Fields) => Fields

const redirects: Opening = ({ book, url }, order) => {
  const payment = book.open(order)
  return { resultCode: 'RedirectShopper', action: redirectTo(url(), payment) }
}

const redirectsByForm: Opening = (desk, order) => {
  const payment = desk.book.open(order)
  const data = { MD: payment.id, PaReq: 'bm90aGluZyB0byByZWFk' }
  return {
    resultCode: 'RedirectShopper',
    action: { ...redirectTo(desk.url(), payment), method: 'POST', data },
  }
}

function inCurrency(currency: string, opening: Opening, needs: (body: Fields) => void = () => undefined) {
  const checked: Opening = (desk, order, body) => {
    if (order.amount.currency !== currency) throw invalid('amount.currency')
    needs(body)
    return opening(desk, order, body)
  }
  return checked
}

/** The QR code contains the address of the payer page, because no banking app knows the sandbox. */
const showsCode: Opening = ({ book, url }, order) => {
  const payment = book.open(order)
  const action = { type: 'qrCode', paymentMethodType: order.type, qrCodeData: payerUrl(url(), payment) }
  return { resultCode: 'Pending', pspReference: payment.psp, action }
}

const openings: Readonly<Record<string, Opening>> = {
  scheme: openCard,
  applepay: (desk, order, body) => openWallet(desk, order, body, 'applePayToken'),
  googlepay: (desk, order, body) => openWallet(desk, order, body, 'googlePayToken'),
  alipay: redirects,
  alipay_wap: redirects,
  unionpay: redirects,
  cashapp: inCurrency('USD', redirects, (body) => {
    textIn(body, 'channel')
    textIn(objectIn(body, 'paymentMethod'), 'subtype', /^redirect$/)
  }),
  gcash: inCurrency('PHP', redirects),
  wechatpayQR: showsCode,
  pix: inCurrency('BRL', showsCode, (body) => {
    textIn(objectIn(body, 'shopperName'), 'firstName')
    textIn(body, 'socialSecurityNumber', /^[0-9A-Z]{11,14}$/)
    if (body.sessionValidity !== undefined)
      textIn(body, 'sessionValidity', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/)
  }),
  bankTransfer_IBAN: inCurrency('EUR', ({ book }, order) => {
    const payment = book.open(order)
    return {
      resultCode: 'Received',
      pspReference: payment.psp,
      action: {
        type: 'bankTransfer',
        paymentMethodType: order.type,
        iban: 'DE89370400440532013000',
        bic: 'COBADEFFXXX',
        beneficiary: 'Tollgate Sandbox',
        reference: payment.psp,
        totalAmount: order.amount,
      },
    }
  }),
}

export function openPayment(desk: Desk, order: NewPayment, body: Fields): Fields {
  const opening = openings[order.type]
  if (opening === undefined) throw invalid('paymentMethod.type')
  return opening(desk, order, body)
}

function openCard(desk: Desk, order: NewPayment, body: Fields): Fields {
  const card = objectIn(body, 'paymentMethod')
  const number = textIn(card, 'number', /^\d{12,19}$/)
  textIn(card, 'expiryMonth', /^(0[1-9]|1[0-2])$/)
  textIn(card, 'expiryYear', /^\d{4}$/)
  textIn(card, 'cvc', /^\d{3,4}$/)
  const [holderName = ''] = String(card.holderName ?? '').split(' ')
  const isChallenged = mustChallenge(body)
  if (!PAYS.includes(number)) return refused(desk, order, refusal('Invalid Card Number', '8'))
  const declined = refusals.get(holderName)
  if (declined !== undefined) return refused(desk, order, declined)
  if (isChallenged || number === CHALLENGED)
    return holderName === BY_FORM ? redirectsByForm(desk, order, body) : redirects(desk, order, body)
  if (holderName === WANTS_CHALLENGE) return refused(desk, order, refusal('Authentication required', '38'))
  if (holderName === PAYS_HALF) {
    const { value, currency } = order.amount
    const half = authorised(desk, { ...order, amount: { value: Math.floor(value / 2), currency } })
    return { ...half, resultCode: 'PartiallyAuthorised' }
  }
  return authorised(desk, order)
}

function mustChallenge({ authenticationData }: Fields): boolean {
  if (authenticationData === undefined) return false
  const { attemptAuthentication, threeDSRequestData } = objectIn({ authenticationData }, 'authenticationData')
  if (threeDSRequestData !== undefined)
    textIn(objectIn({ threeDSRequestData }, 'threeDSRequestData'), 'nativeThreeDS', /^(disabled|preferred)$/)
  return attemptAuthentication === 'always'
}

/**
 * Adyen itself has the keys to read a wallet's token. The `data` of a sandbox token states in plain text how the card
 * behaves.
 */
function openWallet(desk: Desk, order: NewPayment, body: Fields, field: string): Fields {
  const text = textIn(objectIn(body, 'paymentMethod'), field, /^.{1,10000}$/s)
  const isChallenged = mustChallenge(body)
  const { data } = readToken(field === 'applePayToken' ? Buffer.from(text, 'base64').toString() : text)
  if (data === 'DECLINED') return refused(desk, order, refusal('Refused', '2'))
  if (isChallenged || data === 'CHALLENGED') return redirects(desk, order, body)
  return authorised(desk, order)
}

function readToken(text: string): Fields {
  const token = parseJson(text)
  if (!isObject(token)) throw invalid('paymentMethod')
  return token
}

/**
 * True for a payment by card or by a wallet's card. If it is redirected, its outcome is decided only when the merchant
 * asks for the details.
 */
export function isByCard({ type }: Pick<NewPayment, 'type'>): boolean {
  return ['scheme', 'applepay', 'googlepay'].includes(type)
}

function authorised({ book }: Desk, order: NewPayment): Fields {
  const payment = book.open(order)
  book.authorise(payment)
  return resultOf(payment)
}

function refused({ book }: Desk, order: NewPayment, why: Refusal): Fields {
  const payment = book.open(order)
  book.refuse(payment, why)
  return resultOf(payment)
}

function redirectTo(url: string, payment: Payment): Fields {
  const { type: paymentMethodType } = payment
  return { type: 'redirect', paymentMethodType, method: 'GET', url: payerUrl(url, payment) }
}

function payerUrl(url: string, { id }: Payment): string {
  return `${url}/adyen/payer/${id}`
}

const results = {
  open: 'Pending',
  authorised: 'Authorised',
  refused: 'Refused',
  cancelled: 'Cancelled',
} as const

export function resultOf({ psp, reference, amount, status, refusal }: Payment): Fields {
  return {
    pspReference: psp,
    merchantReference: reference,
    resultCode: results[status],
    ...(status === 'authorised' && { amount }),
    ...refusal,
  }
}
