// Chargebacks, full or partial, won or lost, concurrent with other changes of the order.
import { openChargeback } from '../../src/chargebacks/open-chargeback.ts'
import { resolveChargeback } from '../../src/chargebacks/resolve-chargeback.ts'
import type { Random } from '../random.ts'
import { shops } from './shops.ts'
import { type ModelOrder, type Move, mustBeRefusal, pickOrder, type World } from './world.ts'

const depsOf = ({ db }: World) => ({
  db,
  findMerchant: async (merNo: number) => shops.find(({ merchant }) => merchant.merNo === merNo)?.merchant,
})

export function disputeMove(world: World, random: Random): Move | undefined {
  const order = pickOrder(world, random, ({ shop }) => shop.disputed)
  if (order === undefined) return undefined
  const { amount, currency } = order.payment.money
  const part = { amount: 1n + (amount * BigInt(random.below(999))) / 1000n, currency }
  const money = random.chance(0.5) ? undefined : part
  const name = `chargeback ${order.payment.tradeNo} ${money?.amount ?? 'all'}`
  return { name, run: () => open(world, order, money) }
}

async function open(
  world: World,
  { payment, chargebacks }: ModelOrder,
  money: { amount: bigint; currency: string } | undefined,
): Promise<void> {
  const wanted = { money, reason: '13', at: world.clock.now() }
  try {
    const { chargebackId: id } = await openChargeback(depsOf(world), payment.tradeNo, wanted)
    chargebacks.push({ id, amount: money?.amount ?? payment.money.amount })
    world.count('chargeback opened')
  } catch (error) {
    mustBeRefusal(error)
    world.count('chargeback refused')
  }
}

/** Both outcomes may be reported concurrently: one of them counts. */
export function verdictMove(world: World, random: Random): Move | undefined {
  const isOpen = ({ chargebacks }: ModelOrder) => chargebacks.some(({ id }) => !world.verdicts.has(id))
  const order = pickOrder(world, random, isOpen)
  if (order === undefined) return undefined
  const first = random.chance(0.5) ? 'won' : 'lost'
  const outcomes: ('won' | 'lost')[] = random.chance(0.3) ? ['won', 'lost'] : [first]
  const run = async () => void (await Promise.all(outcomes.map((outcome) => resolve(world, order, outcome))))
  return { name: `chargeback ${order.payment.tradeNo} ${outcomes.join(' and ')}`, run }
}

async function resolve(world: World, { payment }: ModelOrder, outcome: 'won' | 'lost'): Promise<void> {
  const at = world.clock.now()
  try {
    const resolved = await resolveChargeback(depsOf(world), payment.tradeNo, { outcome, at })
    world.verdicts.set(resolved.chargebackId, outcome)
    world.count(`chargeback ${outcome}`)
  } catch (error) {
    mustBeRefusal(error)
  }
}
