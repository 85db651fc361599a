// Reads the fields of a payout, from a merchant's request or from what its staff entered.
import type { CardExpiry } from '../../channels/payout/contract.ts'
import { assert, Refusal } from '../../errors/catalogue.ts'
import { enteredTypes } from '../../payouts/payout.ts'
import type { PayoutRequested } from '../../payouts/prepare-payout.ts'
import { requiredText, requiring, type Table } from './field.ts'
import { fieldsOf, type ReadValues, splitBySecrecy, textOf } from './field-values.ts'
import { payoutKinds, payoutOrder } from './other-fields.ts'
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

/** Undefined unless both are well formed: only some rails need it. */
function readExpiry(month: string, year: string): CardExpiry | undefined {
  return /^(0[1-9]|1[0-2])$/.test(month) && /^20\d\d$/.test(year) ? { month, year } : undefined
}

/** Only people enter it: it is none of the interface's tables. */
const coinPayout: Table = [
  ...requiring(payoutOrder, 'cardNo', 'benFirstName', 'benLastName'),
  requiredText('coin', 10),
  requiredText('network', 20),
]

/** The fields as `/payout` takes them, or those of a payout in coin, without a signature. Refuses as `/payout` does. */
export function readPayout(body: Body, mode: 'sandbox' | 'live'): PayoutRequested {
  const kind = typeof body.withdrawType === 'string' ? body.withdrawType : ''
  const table = tables.get(kind)
  if (table === undefined) throw new Refusal(kind === '' ? '10000' : '10001')
  checkTypes(table, body)
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  return requestedBy({ table, values: readFields(table, body, { mode, currency }) })
}

const tables: ReadonlyMap<string, Table> = new Map(
  Object.entries({ ...payoutKinds, coin: coinPayout }).map(([kind, table]) => [
    kind,
    table.filter(({ name }) => name !== 'sign' && name !== 'merNo'),
  ]),
)
