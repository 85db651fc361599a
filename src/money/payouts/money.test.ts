// The balances that can fund a payout, and the part of a balance that must not be paid out.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { UNSETTLED } from '../ledger/account.ts'
import { lockBalances } from '../ledger/lock-balances.ts'
import { postEntries } from '../ledger/post-entries.ts'
import type { Merchant } from '../merchants/merchant.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
  setup.setRate('EUR', 'USD', '1.1')
  setup.setRate('EUR', 'GBP', '0.9')
})
after(() => setup.close())

/** Returns the refusal's code, or '' if the payout was accepted. */
async function codeOf(merchant: Merchant, sourceAmount: string, currencyCode = 'USD'): Promise<string> {
  try {
    await setup.pay(merchant, aPayout({ currencyCode, sourceAmount }))
    return ''
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

let count = 0

/** Books a debt, as if refunds had taken more than will be settled. */
function owe(tx: Tx, { merNo }: Merchant, amount: bigint, currency: string): Promise<void> {
  const entry = { merNo, subject: `owed ${++count}`, step: 'owed', debit: UNSETTLED, credit: 'rail:test' }
  return postEntries(tx, [{ ...entry, money: { amount, currency }, at: new Date() }])
}

test('a negative unsettled balance reduces what is paid out of the available balance', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_00n)
  await setup.db.transaction((tx) => owe(tx, merchant, 30_00n, 'USD'))
  assert.equal(await codeOf(merchant, '70.01'), '10104')
  assert.equal(await codeOf(merchant, '70.00'), '')
  assert.equal(await codeOf(merchant, '0.01'), '10104')
})

test('a merchant that owes more than it has available is paid nothing', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_00n)
  await setup.db.transaction((tx) => owe(tx, merchant, 150_00n, 'USD'))
  assert.equal(await codeOf(merchant, '0.01'), '10104')
})

test('a debt in another currency is reserved at the current rate', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_00n)
  await setup.db.transaction((tx) => owe(tx, merchant, 50_00n, 'EUR'))
  assert.equal(await codeOf(merchant, '45.01'), '10104')
  assert.equal(await codeOf(merchant, '45.00'), '')
  assert.equal(await codeOf(merchant, '0.01'), '10104')
})

test('a debt in a currency without a rate stops payouts until there is a rate', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_00n)
  await setup.db.transaction((tx) => owe(tx, merchant, 1n, 'SEK'))
  assert.equal(await codeOf(merchant, '1.00'), '10014')
  setup.setRate('SEK', 'USD', '0.1')
  assert.equal(await codeOf(merchant, '1.00'), '')
})

test('a payout waits for a concurrent refund in another currency', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_00n)
  await setup.give(merchant.merNo, 1_00n, 'EUR')
  const { promise: locked, resolve } = Promise.withResolvers<void>()
  const refund = setup.db.transaction(async (tx) => {
    await lockBalances(tx, merchant.merNo, ['EUR'])
    resolve()
    const isWaiting = await eventually(async () => {
      const rows = await setup.db.query({
        text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      })
      return rows.length > 0
    })
    assert.ok(isWaiting, 'the payout waits')
    await owe(tx, merchant, 201_00n, 'EUR')
  })
  const [code] = await Promise.all([locked.then(() => codeOf(merchant, '100.00')), refund])
  assert.equal(code, '10104')
})

test('a balance in a currency that was closed can be paid out', async () => {
  const merchant = aPayer({ currencies: new Map([['EUR', 'GBP']]) })
  assert.equal(await codeOf(merchant, '10.00'), '10019')
  await setup.give(merchant.merNo, 30_00n)
  assert.equal(await codeOf(merchant, '10.00'), '')
  assert.equal(await setup.available(merchant.merNo), 20_00n)
  const closed = { ...merchant, currencies: new Map<string, string>() }
  assert.equal(await codeOf(closed, '10.00', 'GBP'), '10010')
  assert.equal(await codeOf(closed, '10.00'), '')
})

test('a payout that neither its own nor the settlement currency covers comes wholly from another that does', async () => {
  const merchant = aPayer({ currencies: new Map([['EUR', 'GBP']]) })
  const { merNo } = merchant
  await setup.give(merNo, 5_00n, 'EUR')
  await setup.give(merNo, 8_99n, 'GBP')
  await setup.give(merNo, 11_00n, 'USD')
  assert.equal(await codeOf(merchant, '10.01', 'EUR'), '10104')
  assert.equal(await codeOf(merchant, '10.00', 'EUR'), '')
  const left = await Promise.all(['EUR', 'GBP', 'USD'].map((currency) => setup.available(merNo, currency)))
  assert.deepEqual(left, [5_00n, 8_99n, 0n])
  await setup.give(merNo, 1n, 'GBP')
  assert.equal(await codeOf(merchant, '10.00', 'EUR'), '', 'the settlement currency comes before others')
  assert.equal(await setup.available(merNo, 'GBP'), 0n)
})
