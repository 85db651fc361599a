// Rows beside the money, written by the gateway's own functions: rates, deliveries of notifications, and used tokens.
import assert from 'node:assert/strict'
import { createRatesHandlers } from '../../src/interfaces/backoffice/rates/handlers.ts'
import { createMerchant } from '../../src/money/merchants/create-merchant.ts'
import { readOptions } from '../../src/money/merchants/options.ts'
import { listNotifications } from '../../src/money/notifications/list-notifications.ts'
import { MOST_DELIVERIES } from '../../src/money/notifications/schedule.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { createUseToken } from '../../src/money/payments/use-token.ts'
import { sandboxRates } from '../../src/money/rates/sandbox-rates.ts'
import { seedRates } from '../../src/money/rates/set-rate.ts'
import { importStatement } from '../../src/money/reconciliation/import-statement.ts'
import { readStatement } from '../../src/money/reconciliation/statement-line.ts'
import { insertDemoMerchant } from '../../src/operator/demo/sql.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { behaviours, openReceiver } from '../counterparties/receiver.ts'
import { startTestDelivery } from '../harness/delivery.ts'
import { eventually } from '../harness/eventually.ts'
import { aCall, aCaller } from './builders.ts'
import { paidOrder } from './paid-orders.ts'
import type { TestPayouts } from './payouts.ts'

const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)

/** Rates that were set, derived from others, replaced, and set for later. */
export async function writeRates({ db, deps }: TestPayouts): Promise<void> {
  const set = async (from: string, to: string, rate: string, days: number, validFrom?: Date) => {
    const handlers = createRatesHandlers({ db, clock: { now: () => ago(days) } })
    const body = { from, to, rate, reason: 'Today', ...(validFrom && { validFrom: validFrom.toISOString() }) }
    await handlers['POST /rates']({ ...aCall(aCaller(0, 'ann@operator.example')), body })
  }
  const made = ago(40)
  const options = readOptions({ name: 'Demo', sites: ['demo.example'] })
  await db.transaction(async (tx) => {
    const { merNo } = await createMerchant(tx, deps.vault, { options, pending: false, now: made })
    await seedRates(tx, sandboxRates(), made)
    await insertDemoMerchant(tx, merNo, made)
  })
  await set('USD', 'GBP', '0.77', 35)
  await set('EUR', 'USD', '1.0837', 30)
  await set('USD', 'EUR', '0.913', 28)
  await set('USD', 'GBP', '0.76', 10)
  await set('USD', 'JPY', '154', 1, new Date(Date.now() + DAY_MS))
}

/**
 * Writes notifications that were acknowledged at once, acknowledged later, or given up. The database must be without
 * other notifications, because the worker would deliver them, too.
 */
export async function writeDeliveries({ db, deps: { vault } }: TestPayouts): Promise<void> {
  let now = ago(3)
  const receiver = await openReceiver()
  const options = readOptions({ name: 'Notified Shop', sites: ['shop.example'] })
  const { merNo } = await db.transaction((tx) => createMerchant(tx, vault, { options, pending: false, now }))
  const order = (path: string) =>
    paidOrder(db, { merNo, amount: 9_800n, at: now, notifyUrl: receiver.url + path })
  receiver.on('/late', behaviours.error)
  receiver.on('/never', behaviours.wrongBody)
  const [first, late, never] = [await order('/at-once'), await order('/late'), await order('/never')]
  const of = async ({ tradeNo }: typeof first) => {
    const [found] = await listNotifications(db, { tradeNo })
    assert.ok(found)
    return found
  }
  const worker = startTestDelivery(db, vault, { clock: { now: () => now } })
  const isTried = async (order: typeof first, attempts: number) => {
    const found = await of(order)
    // During an attempt, `error` is still the error of the previous attempt, and the due time is in the past.
    return found.attempts === attempts && found.error !== null && (found.dueAt ?? now) > now
  }
  const became = (order: typeof first, state: string) =>
    eventually(async () => (await of(order)).state === state)
  assert.ok(await became(first, 'delivered'))
  assert.ok(await eventually(() => isTried(late, 1)))
  receiver.on('/late', behaviours.ok)
  for (let made = 1; made < MOST_DELIVERIES; made++) {
    assert.ok(await eventually(() => isTried(never, made)))
    now = (await of(never)).dueAt ?? now
  }
  assert.ok(await became(never, 'failed'))
  assert.ok(await became(late, 'delivered'))
  await worker.stop()
  await receiver.close()
}

/** A statement of the card channel that lists the payments which are settled. */
export async function writeListed({ db }: TestPayouts): Promise<void> {
  const settled = await db.query<{ trade_no: string }>({
    text: `select trade_no from orders where settled_at is not null and amount = 10000 order by trade_no`,
  })
  const day = ago(1).toISOString().slice(0, 10)
  const lines = settled.map(
    ({ trade_no: tradeNo }) => `${attemptReference(tradeNo, 1)},payment,100.00,USD,,${day},`,
  )
  async function* text() {
    yield ['reference,type,amount,currency,fee,date,id', ...lines, ''].join('\n')
  }
  const about = { channel: 'card', fileName: 'card.csv', by: 'Ada' }
  await importStatement({ db, clock: systemClock }, about, await readStatement(text()))
}

/** Tokens of wallets, each used by an attempt of one order. */
export async function writeTokens({ db, clock }: TestPayouts): Promise<void> {
  const useToken = createUseToken({ db, clock })
  for (const tokenId of ['token-1', 'token-2']) {
    const { merNo, tradeNo } = await paidOrder(db, { method: 'apple_pay', amount: 9_900n })
    assert.ok(await useToken({ merNo, tokenId }, attemptReference(tradeNo, 1)))
  }
}
