// The table of all merchant endpoints. The OpenAPI document, the types of the SDK and the reference pages are made from
// this table. See docs/decisions/0247-openapi-from-the-tables.md.
import { type Method, methodNames, methods } from '../../rails/methods/methods.ts'
import type { Table } from './fields/field.ts'
import {
  amountQueryFields,
  balanceQueryFields,
  checkoutFields,
  checkoutPaymentFields,
  fileUploadFields,
  orderListFields,
  orderQueryFields,
  paymentFields,
  payoutKinds,
  payoutOrder,
  refundFields,
  reviewFields,
} from './fields/request-fields.ts'

export type Endpoint = {
  readonly does: 'pay' | 'payout' | 'refund' | 'query' | 'review'
  readonly body: 'json' | 'multipart'
  readonly answers: 'json' | 'html'
  readonly checksReferer: boolean
  /** The fields that an MD5 signature covers, in this order. The key follows after the last field. */
  readonly signed: readonly string[]
  /**
   * The fields of a longer MD5 signature, which is accepted as well. Its last field distinguishes requests that have
   * the same `signed` values.
   */
  readonly signedLonger?: readonly string[]
  /**
   * The header or field that chooses the table. Undefined if `choices` has only one table. The key of this table is ''.
   */
  readonly chosenBy?:
    | { readonly in: 'body'; readonly name: string }
    | { readonly in: 'header'; readonly name: string; readonly header: string }
  readonly choices: ReadonlyMap<string, Choice>
}

export type Choice = { readonly method: Method | undefined; readonly table: Table }

const orderSigned = ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'] as const
const refundSigned = ['merNo', 'merOrderNo', 'amount', 'tradeNo'] as const
const json = { body: 'json', answers: 'json' } as const
const payIn = { ...json, does: 'pay', checksReferer: true, signed: orderSigned } as const
const query = { ...json, does: 'query', checksReferer: false } as const
const review = { answers: 'json', does: 'review', checksReferer: false } as const

export const endpoints = {
  '/payment': {
    ...payIn,
    chosenBy: { in: 'header', name: 'paymentType', header: 'paymenttype' },
    choices: byMethod((method) => methods[method].paymentTypes, paymentFields),
  },
  '/cashier/checkStand': { ...payIn, answers: 'html', choices: only(checkoutFields()) },
  '/cashier/checkStandPay': { ...payIn, choices: only(checkoutFields()) },
  '/cashier/checkStandPayment': {
    ...payIn,
    chosenBy: { in: 'body', name: 'paymentMode' },
    choices: byMethod(modesOf, checkoutPaymentFields),
  },
  '/payout': {
    ...json,
    does: 'payout',
    checksReferer: true,
    signed: orderSigned,
    chosenBy: { in: 'body', name: 'withdrawType' },
    choices: new Map(
      Object.entries(payoutKinds).map(([kind, table]) => [kind, { method: undefined, table }]),
    ),
  },
  '/refund/apply': {
    ...json,
    does: 'refund',
    checksReferer: false,
    signed: refundSigned,
    signedLonger: [...refundSigned, 'merRefundNo'],
    choices: only(refundFields),
  },
  '/order/query': { ...query, signed: ['merNo', 'merOrderNo', 'tradeNo'], choices: only(orderQueryFields) },
  '/balance/query': { ...query, signed: ['merNo', 'version'], choices: only(balanceQueryFields) },
  '/order/queryOrderList': { ...query, signed: ['merNo'], choices: only(orderListFields) },
  '/order/queryAmount': { ...query, signed: ['merNo'], choices: only(amountQueryFields) },
  '/file/upload': {
    ...review,
    body: 'multipart',
    signed: ['type', 'merNo'],
    choices: only(fileUploadFields),
  },
  '/review/submit': { ...review, body: 'json', signed: ['merNo', 'tradeNo'], choices: only(reviewFields) },
} as const satisfies Record<string, Endpoint>

export type EndpointPath = keyof typeof endpoints

export function isEndpoint(path: string): path is EndpointPath {
  return Object.hasOwn(endpoints, path)
}

export function allTablesOf(endpoint: Endpoint): readonly Table[] {
  return [...[...endpoint.choices.values()].map(({ table }) => table), tableOfNoChoice(endpoint)]
}

/** Returns the table that checks the types of a request without a choice or with an unknown choice. */
export function tableOfNoChoice(endpoint: Endpoint): Table {
  if (endpoint.does === 'payout') return payoutOrder
  const [first] = endpoint.choices.values()
  return first?.table ?? []
}

export function choicesInWords({ chosenBy, choices }: Endpoint): string {
  const values = [...choices.keys()].filter((value) => value !== '')
  const unnamed = choices.get('')?.method
  const orNone = unnamed === undefined ? '' : `, or left out for ${unnamed}`
  return `${chosenBy?.name ?? 'it'} must be one of ${values.join(', ')}${orNone}`
}

function only(table: Table): ReadonlyMap<string, Choice> {
  return new Map([['', { method: undefined, table }]])
}

function byMethod(
  valuesOf: (method: Method) => readonly string[],
  tableOf: (method: Method) => Table,
): ReadonlyMap<string, Choice> {
  return new Map(
    methodNames().flatMap((method) => {
      const choice = { method, table: tableOf(method) }
      return valuesOf(method).map((value) => [value, choice] as const)
    }),
  )
}

function modesOf(method: Method): readonly string[] {
  const named: readonly string[] = methods[method].paymentTypes
  return [...methods[method].paymentModes, ...named.filter((type) => type !== '')]
}
