// Writes the source of sdk/src/generated.ts from the tables of the merchant interface: endpoints, fields, methods,
// states and error codes. The compiler checks the SDK's other files against these types.

import { type Endpoint, type EndpointPath, endpoints } from '../../src/interfaces/merchant-api/endpoints.ts'
import { tablesOf } from '../../src/interfaces/merchant-api/fields/described-tables.ts'
import type { Table } from '../../src/interfaces/merchant-api/fields/field.ts'
import { answers, notificationFields } from '../../src/interfaces/merchant-api/fields/sent-fields.ts'
import { eventRules } from '../../src/money/notifications/notification.ts'
import { State } from '../../src/money/orders/order.ts'
import { withdrawTypes } from '../../src/money/payouts/payout.ts'
import { catalogue } from '../../src/platform/errors/catalogue.ts'
import { methodNames, methods } from '../../src/rails/methods/methods.ts'
import { indented, TypeWriter } from './field-types.ts'
import { requestType, requestTypes } from './request-types.ts'

const HEAD = `// Written by \`npm run sdk\` from the gateway's own tables. Do not edit.

/** The same type with these fields required. */
export type Needs<Fields, Names extends keyof Fields> = Fields & {
  readonly [Name in Names]-?: Exclude<Fields[Name], undefined>
}
`

/** The name of each endpoint's request type. */
const requestNames: Readonly<Record<EndpointPath, string>> = {
  '/payment': 'PaymentFields',
  '/cashier/checkStand': 'CheckoutFields',
  '/cashier/checkStandPay': 'CheckoutFields',
  '/cashier/checkStandPayment': 'CheckoutPaymentFields',
  '/payout': 'PayoutFields',
  '/refund/apply': 'RefundFields',
  '/order/query': 'OrderQueryFields',
  '/balance/query': 'BalanceQueryFields',
  '/order/queryOrderList': 'OrderListFields',
  '/order/queryAmount': 'AmountQueryFields',
  '/file/upload': 'UploadFields',
  '/review/submit': 'ReviewFields',
}

export function interfaceSource(): string {
  const writer = new TypeWriter()
  const requests = new Set(entriesOf(requestNames).map(([path, name]) => typeOfRequest(writer, path, name)))
  const received = entriesOf(answers).map(([name, table]) => answerType(writer, pascal(name), table))
  const notified = notificationTypes(writer)
  return [HEAD, values(), ...requests, ...received, notified, writer.declarations()].join('\n')
}

function typeOfRequest(writer: TypeWriter, path: EndpointPath, name: string): string {
  const endpoint: Endpoint = endpoints[path]
  if (endpoint.chosenBy === undefined) {
    const [only] = endpoint.choices.values()
    return requestType(writer, name, only?.table ?? [])
  }
  return requestTypes(writer, name, tablesOf(endpoint), endpoint.chosenBy.name)
}

function answerType(writer: TypeWriter, name: string, table: Table): string {
  return `/** \`data\` of a response. */\nexport type ${name}Answer = ${writer.objectOf(table)}\n`
}

function notificationTypes(writer: TypeWriter): string {
  const members = entriesOf(notificationFields).map(([event, table]) => {
    return `  readonly ${event}: ${indented(writer.objectOf(table))}\n`
  })
  return `/** The fields of each notification, without its signature. */
export type NotificationFields = {\n${members.join('')}}\n`
}

/** Writes the few tables that the SDK needs at run time. */
function values(): string {
  const sent = entriesOf(endpoints).map(([path, { signed, checksReferer, ...more }]) => {
    const longer = 'signedLonger' in more ? `, signedLonger: ${written(more.signedLonger)}` : ''
    return `  '${path}': { signed: ${written(signed)}, checksReferer: ${checksReferer}${longer} },\n`
  })
  const chosen = methodNames().map((method) => {
    const { paymentTypes, paymentModes } = methods[method]
    const [type = ''] = paymentTypes
    return `  ${method}: { paymentType: '${type}', paymentMode: '${type || paymentModes[0]}' },\n`
  })
  const kinds = [...withdrawTypes].map(([type, kind]) => `  ${kind}: '${type}',\n`)
  const states = Object.entries(State).map(([name, state]) => `  ${name}: ${state},\n`)
  const events = entriesOf(eventRules).map(([event, rule]) => `  ${event}: '${rule.contentType}',\n`)
  const codes = Object.keys(catalogue).filter((code) => code !== '00000')
  return `/** The fields to sign, in this order, and whether the gateway checks the Referer. */
export const endpoints = {\n${sent.join('')}} as const

/** The pay-in methods, with the values that choose them. */
export const methods = {\n${chosen.join('')}} as const
export type Method = keyof typeof methods

/** The kinds of payout, with their \`withdrawType\`. */
export const payoutKinds = {\n${kinds.join('')}} as const
export type PayoutKind = keyof typeof payoutKinds

/** The states in the order list. */
export const orderStates = {\n${states.join('')}} as const
export type OrderState = (typeof orderStates)[keyof typeof orderStates]

/** The events that are notified, with the type of their body. */
export const notificationEvents = {\n${events.join('')}} as const
export type NotificationEvent = keyof typeof notificationEvents

/** The codes of refusals. */
export type ErrorCode =\n${codes.map((code) => `  | '${code}'\n`).join('')}`
}

function written(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function entriesOf<Key extends string, Value>(object: Readonly<Record<Key, Value>>): [Key, Value][] {
  const entries: [Key, Value][] = []
  for (const key in object) entries.push([key, object[key]])
  return entries
}
