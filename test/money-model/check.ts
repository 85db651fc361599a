// After every step: the gateway's tables must equal what the model expects.
import assert from 'node:assert/strict'
import { assertMoneySound } from '../paid-orders.ts'
import { convert } from './arithmetic.ts'
import { type Accounts, addOrder, addPayout, costsOf, type Story, storyOf } from './expected.ts'
import { type OrderRow, type PayoutRow, readAccounts, readOrders, readPayouts, tooEarly } from './rows.ts'
import { shops } from './shops.ts'
import type { ModelOrder, ModelPayout, World } from './world.ts'

export async function check(world: World): Promise<void> {
  const { db } = world
  await assertMoneySound(db)
  assert.deepEqual(await db.query({ text: tooEarly, values: [world.settledUntil] }), [], 'settled too early')
  const accounts: Accounts = new Map()
  await checkOrders(world, accounts)
  await checkPayouts(world, accounts)
  const stored = await readAccounts(db)
  assert.deepEqual(sorted(stored), sorted(accounts), 'every account matches the model')
  checkSigns(stored)
}

async function checkOrders(world: World, accounts: Accounts): Promise<void> {
  const rows = new Map((await readOrders(world.db)).map((row) => [row.tradeNo, row]))
  const refunds = Map.groupBy(world.refunds.values(), ({ refund }) => refund.tradeNo)
  assert.deepEqual(new Set(rows.keys()), new Set(world.orders.keys()))
  for (const [tradeNo, order] of world.orders) {
    const row = rows.get(tradeNo)
    assert.ok(row)
    if (order.standing !== 'succeeded') {
      assert.equal(row.state, order.standing === 'open' ? 1 : 6)
      continue
    }
    const story = storyOf(world, order, refunds.get(tradeNo) ?? [])
    checkOrder(order, story, row)
    addOrder(accounts, order, story, row)
  }
}

function checkOrder(order: ModelOrder, story: Story, row: OrderRow): void {
  const { amount, currency } = order.payment.money
  const { inFlight, ...expected } = story
  const { tradeNo, marginHeld, remainder, settled, marginReleased, settledSource, settleAmount, ...stored } =
    row
  assert.deepEqual(stored, expected, tradeNo)
  assert.ok(story.refunded <= amount && inFlight <= story.refunded, `${tradeNo}: refunds exceed the payment`)
  assert.ok(!settled || remainder === 0n, `${tradeNo}: a settled order has a remainder`)
  const atSuccess = amount - story.fees - story.margin
  const { settleCurrency } = order.payment.terms
  assert.equal(settleAmount, convert(atSuccess, currency, settleCurrency, order.rate), tradeNo)
  const freed = (story.margin * story.refunded) / amount
  if (marginReleased) assert.equal(marginHeld, 0n, tradeNo)
  else if (order.chargebacks.length === 0) assert.equal(marginHeld, story.margin - freed, tradeNo)
  else assert.ok(marginHeld >= 0n && marginHeld <= story.margin - freed, `${tradeNo}: margin ${marginHeld}`)
  if (settled || marginReleased) return
  const isUntouched = order.chargebacks.length === 0
  assert.ok(settledSource === 0n || (!isUntouched && settledSource < 0n), `${tradeNo}: available too early`)
}

async function checkPayouts(world: World, accounts: Accounts): Promise<void> {
  const rows = new Map((await readPayouts(world.db)).map((row) => [row.tradeNo, row]))
  assert.deepEqual(new Set(rows.keys()), new Set(world.payouts.keys()))
  for (const [tradeNo, one] of world.payouts) {
    const row = rows.get(tradeNo)
    assert.ok(row)
    checkPayout(one, row)
    addPayout(accounts, one, row)
  }
}

const payoutStates = {
  waiting: 'awaiting_approval',
  open: 'sending',
  succeeded: 'succeeded',
  failed: 'failed',
}
const orderStates = { waiting: 1, open: 1, succeeded: 5, failed: 6 }

function checkPayout(one: ModelPayout, row: PayoutRow): void {
  const { standing } = one
  assert.deepEqual([row.state, row.order], [payoutStates[standing], orderStates[standing]], row.tradeNo)
  assert.equal(row.fundingAmount, costsOf(one, row.fundingCurrency).drawn, row.tradeNo)
}

/** Only a chargeback may take the available balance below zero; nothing may do so to margin or money in flight. */
function checkSigns(accounts: ReadonlyMap<string, bigint>): void {
  const disputed = new Set(shops.filter((shop) => shop.disputed).map(({ merchant }) => merchant.merNo))
  for (const [key, net] of accounts) {
    const [merNo, account = ''] = key.split(' ')
    const never =
      account === 'merchant:margin' || account.startsWith('transit:') || account === 'platform:fees'
    const rarely = account === 'merchant:available' && !disputed.has(Number(merNo))
    assert.ok(net >= 0n || !(never || rarely), `${key} is ${net}`)
  }
}

function sorted(accounts: ReadonlyMap<string, bigint>): Record<string, bigint> {
  const some = [...accounts].filter(([, net]) => net !== 0n)
  return Object.fromEntries(some.sort(([one], [other]) => (one < other ? -1 : 1)))
}
