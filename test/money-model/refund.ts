// Refunds: partial, full, excessive, repeated; accepted or refused by the channel, or by the operator before.
import assert from 'node:assert/strict'
import { acceptRefunds } from '../../src/refunds/accept-refunds.ts'
import { approveRefund, rejectRefund } from '../../src/refunds/approve-refund.ts'
import { recordRefunds } from '../../src/refunds/record-refunds.ts'
import type { Acceptance, Application } from '../../src/refunds/refund.ts'
import type { Random } from '../random.ts'
import { anApplication, failed, succeeded } from '../refunds.ts'
import {
  type ModelOrder,
  type ModelRefund,
  type Move,
  mustBeRefusal,
  pickOrder,
  type World,
} from './world.ts'

type Wanted = Pick<ModelRefund, 'order' | 'given'> & {
  readonly amount: bigint
  readonly merRefundNo: string | undefined
}

/** A list of up to three, often of one order, sent to one node or several. */
export function refundMove(world: World, random: Random): Move | undefined {
  const wanted = Array.from({ length: 1 + random.below(3) }, () => wantedOf(world, random)).flat()
  if (wanted.length === 0) return undefined
  const times = random.chance(0.3) ? 3 : 1
  const run = async () => void (await Promise.all(Array.from({ length: times }, () => apply(world, wanted))))
  return { name: `refund ${wanted.map(describe).join(', ')} ×${times}`, run }
}

function wantedOf(world: World, random: Random): Wanted[] {
  const order = pickOrder(world, random)
  if (order === undefined) return []
  const { amount: paid } = order.payment.money
  const part = 1n + (paid * BigInt(random.below(700))) / 1000n
  const amount = random.pick([paid, part, part, part, paid + 1n]) ?? paid
  return [{ order, amount, merRefundNo: numberOf(world, random, order), given: random.chance(0.7) }]
}

function describe({ order, amount, merRefundNo, given }: Wanted): string {
  return `${order.payment.tradeNo} ${amount} ${merRefundNo}${given ? '' : ' failing'}`
}

let count = 0

/** A new number, a used one, or none. */
function numberOf(world: World, random: Random, { payment }: ModelOrder): string | undefined {
  const used = [...world.refunds.values()].filter(({ refund }) => refund.merNo === payment.merNo)
  const known = random.chance(0.1) ? random.pick(used)?.refund.merRefundNo : undefined
  return random.chance(0.2) ? undefined : (known ?? `model-${++count}`)
}

function applicationOf(world: World, { order, amount, merRefundNo }: Wanted): Application {
  const { feePlans, refundCredit, approveRefunds } = order.shop.merchant
  const terms = { feePlans, refundCredit, approveRefunds }
  return anApplication(order.payment, { amount, merRefundNo, terms, at: world.clock.now() })
}

async function apply(world: World, wanted: readonly Wanted[]): Promise<void> {
  const applications = wanted.map((one) => applicationOf(world, one))
  const answers = await acceptRefunds(world.deps, applications)
  for (const [index, one] of wanted.entries()) {
    const [application, answer] = [applications[index], answers[index]]
    assert.ok(application !== undefined && answer !== undefined)
    note(world, one, application, answer)
  }
}

const expected = ['10003', '10009', '10101', '10102', '10104']

function note(world: World, { order, given }: Wanted, application: Application, answer: Acceptance): void {
  if (answer.refusal !== undefined) {
    assert.ok(expected.includes(answer.refusal.code), answer.refusal.message)
    world.count(`refund ${answer.refusal.code}`)
    return
  }
  const { refund } = answer
  assert.deepEqual([refund.tradeNo, refund.money], [application.tradeNo, application.money])
  const isNew = !world.refunds.has(refund.refundNo)
  world.count(isNew ? 'refund accepted' : 'refund repeated')
  const standing = order.shop.merchant.approveRefunds ? 'waiting' : 'open'
  if (isNew) world.refunds.set(refund.refundNo, { order, refund, given, standing })
}

/** The channel reports the outcome, if it responds, perhaps to several nodes. Before that an operator may have to decide. */
export function refundOutcomeMove(world: World, random: Random): Move | undefined {
  const undecided = [...world.refunds.values()].filter(({ standing }) =>
    ['open', 'waiting'].includes(standing),
  )
  const one = random.pick(undecided)
  if (one === undefined) return undefined
  const { refundNo } = one.refund
  const words = [random.chance(0.7), random.chance(0.6)]
  if (one.standing === 'waiting')
    return { name: `refund ${refundNo} judged`, run: () => judge(world, one, words) }
  if (random.chance(0.3)) return { name: `refund ${refundNo} silent`, run: () => silence(world, one) }
  const sameOrder = undecided.filter(({ order, standing }) => order === one.order && standing === 'open')
  const [times, all] = [1 + random.below(3), random.chance(0.5) ? sameOrder : [one]]
  const run = async () => void (await Promise.all(Array.from({ length: times }, () => report(world, all))))
  return { name: `refund ${all.map(({ refund }) => refund.refundNo).join(', ')} reported ×${times}`, run }
}

async function report(world: World, all: readonly ModelRefund[]): Promise<void> {
  const at = world.clock.now()
  const reports = all.map((one) => ({ ...(one.given ? succeeded : failed)(one.refund), at }))
  const recorded = await recordRefunds(world.db, reports)
  for (const [index, one] of all.entries()) {
    const state = one.given ? 'succeeded' : 'failed'
    assert.deepEqual([recorded[index]?.state, recorded[index]?.alarm], [state, undefined])
    if (one.standing === 'open') world.count(`refund ${state}`)
    one.standing = state
  }
}

async function silence(world: World, { refund }: ModelRefund): Promise<void> {
  const outcome = { kind: 'unknown', why: 'no answer' } as const
  await recordRefunds(world.db, [{ ...succeeded(refund), outcome, at: world.clock.now() }])
}

/** Two operators, who may disagree. One decision counts. */
async function judge(world: World, one: ModelRefund, words: readonly boolean[]): Promise<void> {
  const { db } = world
  const { refundNo } = one.refund
  const at = world.clock.now()
  const yes = () => approveRefund(db, refundNo, at).then(() => 'open' as const)
  const no = () => rejectRefund(db, refundNo, 'no', at).then(() => 'failed' as const)
  for (const end of await Promise.allSettled(words.map((word) => (word ? yes() : no())))) {
    if (end.status === 'rejected') mustBeRefusal(end.reason)
    else {
      assert.equal(one.standing, 'waiting', 'one word counts')
      one.standing = end.value
      world.count(`refund judged ${end.value}`)
    }
  }
}
