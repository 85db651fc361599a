// The balances with which a merchant of a sandbox begins, so that it can try payouts at once. The audit accepts exactly
// these entries, each once per merchant. Outside of a sandbox database, the audit accepts them for demo merchants only.
import { parseDecimal } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { AVAILABLE, channelAccount } from '../ledger/account.ts'
import { postEntries } from '../ledger/post-entries.ts'

/** The amounts are large enough to try every kind of payout. */
const amounts: readonly (readonly [currency: string, amount: string])[] = [
  ['USD', '10000.00'],
  ['EUR', '10000.00'],
  ['GBP', '10000.00'],
  ['BRL', '50000.00'],
  ['CNY', '50000.00'],
  ['HKD', '50000.00'],
  ['MXN', '100000.00'],
  ['PEN', '30000.00'],
  ['PHP', '500000.00'],
  ['VND', '200000000.00'],
]

export const openingBalances = amounts.map(([currency, text]) => {
  const amount = parseDecimal(text, currency)
  assert(amount !== undefined, 'an opening balance fits its currency')
  return { amount, currency }
})

export const OPENING = {
  subject: 'opening',
  step: 'opening-',
  debit: channelAccount('sandbox'),
  credit: AVAILABLE,
} as const

export async function bookOpeningBalances(tx: Tx, merNo: number, at: Date): Promise<void> {
  const { subject, step, debit, credit } = OPENING
  await postEntries(
    tx,
    openingBalances.map((money) => ({
      merNo,
      subject,
      step: `${step}${money.currency}`,
      debit,
      credit,
      money,
      at,
    })),
  )
}
