// Reads the fields of a payout, from a merchant's request or from what its staff entered.
import { assert, Refusal } from '../../errors/catalogue.ts'
import { withdrawTypes } from '../../payouts/payout.ts'
import type { PayoutRequested } from '../../payouts/prepare-payout.ts'
import type { Table } from './field.ts'
import { fieldsOf, type ReadValues, splitBySecrecy, textOf } from './field-values.ts'
import { payoutKinds } from './other-fields.ts'
import { type Body, checkTypes, readFields } from './read-fields.ts'

/** Fields with their own column. */
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
  const kind = withdrawTypes.get(textOf(fields, 'withdrawType'))
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
    bankCode: textOf(fields, 'bankCode'),
    personal: identity,
    details: plain,
  }
}

/** The fields as `/payout` takes them, without a signature. Refuses as `/payout` does. */
export function readPayout(body: Body, mode: 'sandbox' | 'live'): PayoutRequested {
  const kind = typeof body.withdrawType === 'string' ? body.withdrawType : ''
  const table = tables.get(kind)
  if (table === undefined) throw new Refusal(kind === '' ? '10000' : '10001')
  checkTypes(table, body)
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  return requestedBy({ table, values: readFields(table, body, { mode, currency }) })
}

const tables: ReadonlyMap<string, Table> = new Map(
  Object.entries(payoutKinds).map(([kind, table]) => [
    kind,
    table.filter(({ name }) => name !== 'sign' && name !== 'merNo'),
  ]),
)
