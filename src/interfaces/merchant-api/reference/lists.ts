// Reference data for merchants: the meanings of the codes of the interface. Every list is made from data that the
// gateway itself uses: a table in the code, or a list in the database that operators change.

import { stateCodes as disputeCodes } from '../../../money/chargebacks/chargeback.ts'
import { salesState } from '../../../money/order-queries/sales-answer.ts'
import { State } from '../../../money/orders/order.ts'
import { currencyOf, withdrawTypes } from '../../../money/payouts/payout.ts'
import { stateCodes as refundCodes } from '../../../money/refunds/refund.ts'
import { allCurrencies, decimalsOf, isFiat } from '../../../platform/base/currency.ts'
import { catalogue } from '../../../platform/errors/catalogue.ts'
import { countries } from '../../../platform/pages/countries.ts'
import { translationOf } from '../../../platform/pages/language.ts'
import { type ListName, traitsOf } from '../../../platform/reference/list.ts'
import type { Reference } from '../../../platform/reference/reference.ts'
import { methodNames, methods, wordsOf } from '../../../rails/methods/methods.ts'
import { fileTypes, infoTypes } from '../fields/request-fields.ts'
import { payCodes } from '../handlers/payment.ts'

/** An item of a list. All items of one list have the same fields. */
export type Item = Readonly<Record<string, string | number | boolean | readonly string[]>>
export type ReferenceList = {
  readonly title: string
  readonly items: () => readonly Item[]
  /** Returns the list's version. Undefined for a list in the code, which changes only with a release. */
  readonly version?: () => number
}

export type StoredLists = Pick<Reference, 'items' | 'version'>

export function referenceLists(reference: StoredLists): ReadonlyMap<string, ReferenceList> {
  const stored = (list: ListName, items: () => readonly Item[]): [string, ReferenceList] => [
    list,
    { title: traitsOf(list).title, items, version: () => reference.version(list) },
  ]
  const named = (list: ListName, name: string) =>
    stored(list, () => reference.items(list).map((item) => ({ code: item.code, [name]: item.name })))
  return new Map<string, ReferenceList>([
    ['countries', { title: 'Countries', items: countryItems }],
    ['currencies', { title: 'Currencies', items: currencyItems }],
    ['errors', { title: 'Error codes', items: errorItems }],
    ['states', { title: 'States', items: stateItems }],
    ['methods', { title: 'Methods and kinds of payout', items: methodItems }],
    named('banks/per', 'name'),
    named('banks/spei', 'name'),
    stored('banks/vietnam', () => vietnamItems(reference)),
    ['review-types', { title: 'Information and files in reviews', items: reviewItems }],
    named('dispute-reasons', 'reason'),
  ])
}

function errorItems(): Item[] {
  return Object.entries(catalogue).map(([code, message]) => ({ code, message }))
}

function countryItems(): Item[] {
  return countries('en').map(({ value, label }) => ({ code: value, name: label }))
}

function currencyItems(): Item[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  return allCurrencies().map((code) => ({
    code,
    // Intl throws for codes that do not have three letters.
    name: (isFiat(code) ? names.of(code) : undefined) ?? code,
    decimals: decimalsOf(code),
    kind: isFiat(code) ? 'fiat' : 'crypto',
  }))
}

const meanings: Readonly<Record<keyof typeof State, string>> = {
  processing: 'Waits for the payer, the beneficiary or the channel',
  succeeded: 'Paid',
  failed: 'Declined, or the channel would not open it',
  cancelled: 'Cancelled by the payer, or expired',
  refunded: 'Refunded in full',
  refunding: 'A refund is under way',
  chargedBack: 'A chargeback was lost',
  disputed: 'A chargeback is open',
  chargedBackAfterRefund: 'A chargeback was lost after a refund',
  informationAsked: 'The merchant is asked for more information',
  inReview: 'The information arrived and is being reviewed',
}

/**
 * The states of orders, refunds and chargebacks. `field` is the field that contains the number of the state for
 * merchants.
 */
function stateItems(): Item[] {
  const orders = Object.keys(State).filter(isStateName)
  const sales = new Set(orders.map((name) => salesState(State[name])))
  return [
    ...orders.map((name) => {
      return { field: 'state in order lists', value: State[name], name, meaning: meanings[name] }
    }),
    ...coded('payCode of payments and payouts', payCodes, 'The order'),
    ...[...sales].sort().map((value) => {
      const name = salesWords[value]
      return { field: 'state of queryType sales', value, name, meaning: `The transaction: ${name}` }
    }),
    ...coded('state of queryType refund', refundCodes, 'The refund'),
    ...coded('state of queryType chargeback', disputeCodes, 'The chargeback'),
  ]
}

function isStateName(name: string): name is keyof typeof State {
  return Object.hasOwn(State, name)
}

const salesWords: Readonly<Record<ReturnType<typeof salesState>, string>> = {
  1: 'processing',
  2: 'failed',
  3: 'succeeded',
}

/** The internal states that merchants see as pending. */
const internal = ['waiting', 'calling', 'unknown']

function coded(field: string, codes: Readonly<Record<string, number>>, subject: string): Item[] {
  const seen = Object.entries(codes).filter(([name]) => !internal.includes(name))
  return seen.map(([name, value]) => ({ field, value, name, meaning: `${subject}: ${name}` }))
}

function methodItems(): Item[] {
  const { words } = translationOf('en')
  const payIns = methodNames().map((method) => {
    const { paymentTypes, paymentModes, currencies, refundable } = methods[method]
    const values = [...paymentTypes, ...paymentModes].filter((value) => value !== '')
    const accepted = currencies === 'any' ? ['any'] : currencies
    const { name } = wordsOf(method, words)
    return { direction: 'pay-in', method, name, values, currencies: accepted, refundable }
  })
  const payouts = [...withdrawTypes].map(([type, kind]) => {
    const name = kind.replaceAll('_', ' ')
    const accepted = [currencyOf[kind] ?? 'any']
    return {
      direction: 'payout',
      method: kind,
      name,
      values: [type],
      currencies: accepted,
      refundable: false,
    }
  })
  return [...payIns, ...payouts]
}

/** The banks of Vietnam. Merchants send a bank's code as a number. */
function vietnamItems(reference: StoredLists): Item[] {
  return reference.items('banks/vietnam').map(({ code, name, bic }) => ({ code: Number(code), name, bic }))
}

function reviewItems(): Item[] {
  const kinds = [
    ['info', infoTypes],
    ['file', fileTypes],
  ] as const
  return kinds.flatMap(([kind, types]) => types.map((type) => ({ kind, type })))
}
