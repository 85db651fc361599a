// The list of unknown outcomes, the tile, the metric and the doctor agree with each other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anOperator, aPayment, noRates } from '../../../test/builders/builders.ts'
import { assertMoneySound, paidOrder } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { accept, anApplication, record } from '../../../test/builders/refunds.ts'
import { readQueues } from '../../interfaces/backoffice/queues/read-queues.ts'
import { checkOutcomes } from '../../operator/doctor/checks.ts'
import type { Actor } from '../../platform/audit-log/entry.ts'
import { checks } from '../audit/verify-books.ts'
import { decideOutcome, listOutcomes } from '../decisions/decide-outcome.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { approveRefund } from '../refunds/approve-refund.ts'
import { countOverdue, countUnresolved } from './list-unresolved.ts'

const bob: Actor = { kind: 'user', name: 'bob@operator.example', address: '127.0.0.1' }
const reason = 'The acquirer confirmed it by telephone'
const DAY_MS = 86_400_000

let setup: TestPayouts
let deps: Parameters<typeof decideOutcome>[0]
before(async () => {
  setup = await openPayouts()
  deps = { ...setup.deps, secondPersonAbove: 100_000n }
})
after(async () => {
  // The check `entry-cause` is left out, because the tests backdate refunds, so the refunds are older than their ledger
  // entries.
  const names = checks.map(({ name }) => name)
  await assertMoneySound(
    setup.db,
    names.filter((name) => name !== 'entry-cause'),
  )
  await setup.close()
})

const decideAs = (tradeNo: string, as: 'succeeded' | 'failed', refundNo?: string) =>
  decideOutcome(deps, { tradeNo, refundNo, as, reason, actor: bob })

let merNo = 46_500_000

/** Creates a transfer that began this many days ago and waits for its payer. */
async function transfer(daysAgo: number): Promise<NewPayment> {
  const createdAt = new Date(setup.clock.now().getTime() - daysAgo * DAY_MS)
  const money = { amount: 10_000n, currency: 'USD' }
  const payment = aPayment({ merNo: ++merNo, method: 'sepa', money, createdAt })
  await acceptPayments(setup.db, [payment])
  const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const
  const outcome = { kind: 'pending', channelRef: 'theirs', action } as const
  const { tradeNo } = payment
  const known = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
  await recordOutcomes({ db: setup.db, rates: noRates }, [known])
  return payment
}

/**
 * Checks that the tile, the list, the doctor and the metric have the same count. Returns this count and the number of
 * overdue outcomes.
 */
async function everywhere() {
  const now = setup.clock.now()
  const { unknownOutcomes } = await readQueues({ db: setup.db, clock: setup.clock })
  const { count } = await countUnresolved(setup.db, now)
  const { count: overdue } = await countOverdue(setup.db, now)
  const listed = await listOutcomes(deps, { limit: 500 })
  const { found } = await checkOutcomes(setup.db, setup.clock)
  const inDoctor = found.startsWith('every outcome is known') ? 0 : Number.parseInt(found, 10)
  assert.deepEqual(
    { inTile: unknownOutcomes.count, inList: listed.length, inDoctor },
    { inTile: count, inList: count, inDoctor: count },
  )
  return { count, overdue }
}

test('a transfer that waits for its payer is unknown nowhere, and everywhere a day after its time is over', async () => {
  const before = await everywhere()
  const waiting = await transfer(2)
  const almost = await transfer(3.9)
  assert.deepEqual(await everywhere(), before)
  for (const { tradeNo, merNo } of [waiting, almost]) {
    assert.deepEqual(await listOutcomes(deps, { merNo, limit: 50 }), [])
    await assert.rejects(decideAs(tradeNo, 'failed'), /has no outcome to decide/)
  }
  const over = await transfer(4.1)
  assert.equal((await listOutcomes(deps, { merNo: over.merNo, limit: 50 })).length, 1)
  assert.deepEqual(await everywhere(), { count: before.count + 1, overdue: before.overdue + 1 })
  await decideAs(over.tradeNo, 'failed')
})

test('a payout that its rail has accepted is unknown nowhere for a week, and everywhere after that', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const processing = async () => ({ kind: 'processing', railRef: 'r1' }) as const
  const slow = { ...setup.rail, send: processing, ask: processing }
  const { tradeNo } = await setup.pay(merchant, aPayout(), slow)
  const before = await everywhere()
  setup.pass(6.9 * DAY_MS)
  await setup.runWorker(slow)
  assert.deepEqual(await listOutcomes(deps, { merNo: merchant.merNo, limit: 50 }), [])
  await assert.rejects(decideAs(tradeNo, 'failed'), /by a week for a refund or payout that it has accepted/)
  setup.pass(0.2 * DAY_MS)
  await setup.runWorker(slow)
  assert.equal((await listOutcomes(deps, { merNo: merchant.merNo, limit: 50 })).length, 1)
  const { count, overdue } = await everywhere()
  assert.ok(count > before.count && overdue > before.overdue)
  await decideAs(tradeNo, 'failed')
})

test('a refund that its channel processes is unknown after a week, and counts its days from its approval', async () => {
  const age = (refundNo: string, days: number) =>
    setup.db.query({
      text: `
        with events as (
          update refund_events set at = at - make_interval(secs => $2) where refund_no = $1
        )
        update refunds set created_at = created_at - make_interval(secs => $2) where refund_no = $1`,
      values: [refundNo, days * 86_400],
    })
  const listedOf = async (tradeNo: string) =>
    (await listOutcomes(deps, { limit: 500 })).some((one) => one.tradeNo === tradeNo)
  const payment = await paidOrder(setup.db)
  const terms = { approveRefunds: true }
  const refund = await accept(setup.db, anApplication(payment, { terms }))
  const { merNo, refundNo, tradeNo } = refund
  await age(refundNo, 30)
  const approving = {
    db: setup.db,
    findMerchant: async () => ({ state: 'active' }) as const,
    channels: undefined,
  }
  await approveRefund(approving, refundNo, { by: anOperator(bob), at: setup.clock.now() })
  assert.equal(await listedOf(tradeNo), false, 'the channel has just been given the refund')
  const pending = { kind: 'pending', channelRef: 'r1' } as const
  await record(setup.db, { merNo, refundNo, tradeNo, outcome: pending, at: setup.clock.now() })
  await age(refundNo, 6.9)
  assert.equal(await listedOf(tradeNo), false)
  await age(refundNo, 0.2)
  assert.equal(await listedOf(tradeNo), true)
  await decideAs(tradeNo, 'failed', refundNo)
})
