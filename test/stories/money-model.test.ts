// A model-based test of money: every step makes several random moves concurrently, like several nodes would. After every step
// the gateway's tables must exactly match a simple model of the same moves.
//
// The test prints its seed. TOLLGATE_MODEL_SEED repeats the choices of a seed (not how the moves of a step interleave), and
// TOLLGATE_MODEL_STEPS sets the number of steps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldBalances } from '../../src/ledger/balances.ts'
import { foldTotals } from '../../src/orders/daily-totals.ts'
import { cloneDatabase } from '../harness.ts'
import { check } from '../money-model/check.ts'
import { disputeMove, verdictMove } from '../money-model/dispute.ts'
import { payMove, resolveMove } from '../money-model/pay.ts'
import { payoutMove, payoutOutcomeMove } from '../money-model/payout.ts'
import { refundMove, refundOutcomeMove } from '../money-model/refund.ts'
import { foldMove, settle, settleMove } from '../money-model/settle.ts'
import { type Move, openWorld, type World, warmUp } from '../money-model/world.ts'
import { type Random, seededRandom } from '../random.ts'

const seed = Number(process.env.TOLLGATE_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 32))
const steps = Number(process.env.TOLLGATE_MODEL_STEPS ?? 30)

type Maker = (world: World, random: Random) => Move | undefined

const makers: readonly (readonly [number, Maker])[] = [
  [6, payMove],
  [3, resolveMove],
  [7, refundMove],
  [5, refundOutcomeMove],
  [2, disputeMove],
  [2, verdictMove],
  [4, payoutMove],
  [4, payoutOutcomeMove],
  [2, settleMove],
  [2, foldMove],
]
const often = [
  ...['payment succeeded', 'payment failed', 'order settled', 'order margin-released'],
  ...['refund succeeded', 'refund failed', 'refund repeated', 'refund 10101', 'refund 10102'],
  ...['chargeback opened', 'chargeback won', 'chargeback lost'],
  ...['payout succeeded', 'payout failed', 'payout 10104'],
]
const drawn = makers.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))

test(`random moves leave every account exact after every step (seed ${seed})`, async (t) => {
  const database = await cloneDatabase(16)
  t.after(() => database.drop())
  const world = openWorld(database.db)
  const random = seededRandom(seed)
  for (let step = 1; step <= steps; step++) {
    world.pass(1 + random.below(6))
    warmUp(world, random)
    const most = random.chance(0.25) ? 1 : 14
    const moves = Array.from({ length: 1 + random.below(most) }, () => random.pick(drawn)?.(world, random))
    await makeAll(`step ${step}`, world, moves)
  }
  await comeToRest(world, random)
  for (const what of often) assert.ok(world.counts.has(what) || steps < 80, `never happened: ${what}`)
  t.diagnostic(`seed ${seed}, ${steps} steps: ${summaryOf(world)}`)
})

async function makeAll(name: string, world: World, moves: readonly (Move | undefined)[]): Promise<void> {
  const made = moves.filter((move) => move !== undefined)
  world.isAlone = made.length === 1
  try {
    const ends = await Promise.allSettled(made.map((move) => move.run()))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    await check(world)
  } catch (error) {
    const names = made.map((move) => move.name).join('\n  ')
    throw new Error(`${name} of seed ${seed}:\n  ${names}\n${String(error)}`, { cause: error })
  }
}

const YEAR_MS = 366 * 24 * 3_600_000

/** Reports every outcome and lets every due day pass: then nothing is open, and the channels' records agree. */
async function comeToRest(world: World, random: Random): Promise<void> {
  const last: readonly Maker[] = [resolveMove, refundOutcomeMove, verdictMove, payoutOutcomeMove]
  for (const [index, make] of last.entries()) {
    for (let move = make(world, random); move !== undefined; move = make(world, random)) await move.run()
    await makeAll(`last round ${index}`, world, [])
  }
  const waiting = await settle(world, new Date(world.clock.now().getTime() + YEAR_MS), 100)
  for (const fold of [foldBalances, foldTotals]) while ((await fold(world.db, 500)) > 0);
  await makeAll('the end', world, [])
  await checkRest(world, waiting)
}

async function checkRest({ db, orders, refunds, payouts }: World, waiting: number): Promise<void> {
  assert.ok(
    [...orders.values()].every(({ standing, charged }) => standing === (charged ? 'succeeded' : 'failed')),
  )
  for (const { standing, given, order } of refunds.values())
    assert.ok(standing === (given ? 'succeeded' : 'failed') || order.shop.merchant.approveRefunds)
  for (const { standing, sent, payout } of payouts.values())
    assert.ok(standing === (sent ? 'succeeded' : 'failed') || payout.needsApproval)
  const [left] = await db.query<{
    unsettled: bigint
    held: bigint
    above: bigint
    dues: bigint
    flying: bigint
  }>({
    text: `
      select count(*) filter (where state not in (1, 6) and settled_at is null) as unsettled,
        count(*) filter (where margin_held <> 0) as held,
        count(*) filter (where settled_at is null and remainder >= 0) as above,
        (select count(*) from order_dues) as dues,
        (select count(*) from balances where account like 'transit:%' and debits <> credits) as flying
      from orders where kind = 'payment'`,
  })
  // Settlements that still wait would take the available balance below zero.
  assert.deepEqual(left, {
    unsettled: BigInt(waiting),
    held: 0n,
    above: 0n,
    dues: BigInt(waiting),
    flying: 0n,
  })
}

function summaryOf({ counts }: World): string {
  return [...counts]
    .sort()
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')
}
