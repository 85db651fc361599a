// Reads the fields of a payout, from a merchant's request or from the input of the merchant's staff.

import { enteredTypes } from '../../../money/payouts/payout.ts'
import type { PayoutRequested } from '../../../money/payouts/prepare-payout.ts'
import { assert, Refusal } from '../../../platform/errors/catalogue.ts'
import type { MayReach } from '../../../platform/http/client/address-guard.ts'
import type { CardExpiry } from '../../../rails/contract/payout-rail.ts'
import { requiredText, requiring, type Table } from './field.ts'
import { fieldsOf, type ReadValues, splitBySecrecy, textOf } from './field-values.ts'
import { type Body, checkTypes, readFields } from './read-fields.ts'
import { payoutKinds, payoutOrder } from './request-fields.ts'

/**
 * Divides the fields of a payout. The named fields are left out, because each of them has a database column of its own.
 */
const divide = splitBySecrecy([
  'merNo',
  'merOrderNo',
  'currencyCode',
  'sourceAmount',
  'withdrawType',
  'returnUrl',
  'notifyUrl',
])

export function requestedBy(read: { readonly table: Table; readonly values: ReadValues }): PayoutRequested {
  const fields = fieldsOf(read.table, read.values)
  const kind = enteredTypes.get(textOf(fields, 'withdrawType'))
  assert(kind !== undefined, 'the kind was checked with the fields')
  const { plain, personal } = divide(read)
  const { cardNo: _account, ...identity } = personal
  return {
    kind,
    merOrderNo: textOf(fields, 'merOrderNo'),
    currencyCode: textOf(fields, 'currencyCode'),
    sourceAmount: textOf(fields, 'sourceAmount'),
    returnUrl: textOf(fields, 'returnUrl'),
    notifyUrl: textOf(fields, 'notifyUrl'),
    account: textOf(fields, 'cardNo'),
    expiry: readExpiry(textOf(fields, 'cardExpireMonth'), textOf(fields, 'cardExpireYear')),
    bankCode: textOf(fields, 'bankCode'),
    personal: identity,
    details: plain,
  }
}

/**
 * Returns the card's expiry date, which only some rails need. Undefined if month or year is missing or malformed. The
 * request is not refused, because merchants may send any values in these fields.
 */
function readExpiry(month: string, year: string): CardExpiry | undefined {
  return /^(0[1-9]|1[0-2])$/.test(month) && /^20\d\d$/.test(year) ? { month, year } : undefined
}

/** The table of a payout in coin. People enter such payouts in the back office, and no endpoint uses this table. */
const coinPayout: Table = [
  ...requiring(payoutOrder, 'cardNo', 'benFirstName', 'benLastName'),
  requiredText('coin', 'The coin to send', 10),
  requiredText('network', 'The network to send it on', 20),
]

/**
 * Reads an unsigned payout: the fields of `/payout`, or those of a payout in coin. The refusals have the same codes as
 * the refusals of `/payout`.
 */
export function readPayout(body: Body, mayNotify: MayReach): PayoutRequested {
  const kind = typeof body.withdrawType === 'string' ? body.withdrawType : ''
  const table = tables.get(kind)
  if (table === undefined) throw new Refusal(kind === '' ? '10000' : '10001')
  checkTypes(table, body)
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  return requestedBy({ table, values: readFields(table, body, { mayNotify, currency }) })
}

const tables: ReadonlyMap<string, Table> = new Map(
  Object.entries({ ...payoutKinds, coin: coinPayout }).map(([kind, table]) => [
    kind,
    table.filter(({ name }) => name !== 'sign' && name !== 'merNo'),
  ]),
)
