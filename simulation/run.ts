// One simulation: rounds of operations under faults, each followed by a pause in which everything heals and is checked.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, randomFor } from '../test/random.ts'
import type { Finding } from './check.ts'
import { checks } from './checks/all.ts'
import type { Fault, Heal } from './fault.ts'
import { faults } from './faults/all.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations/all.ts'
import { pickByWeight } from './pick-by-weight.ts'
import { settle } from './settle.ts'
import { createTally, type Tally } from './tally.ts'
import type { World } from './world/world.ts'

export type Plan = {
  /** Decides what is done and what goes wrong. The order in which things meet is up to the machine. */
  readonly seed: number
  /** How long operations and faults go on in a round. */
  readonly chaosMs: number
  /** Rounds begin until this time has passed, and there is at least one. */
  readonly totalMs: number
  /** Operations at the same time. */
  readonly actors: number
  /** The mean time between two faults, in the worst rounds. */
  readonly faultEveryMs: number
}

const SHARES = [1, 1, 2, 8]
/** Rounds take turns. In calm ones business gets far: what takes several steps to go wrong, such as a dispute that ends, happens there. */
const CALM = [1, 1, 3, 12]
const OPERATIONS_BETWEEN = 3
const LONGEST_REST_MS = 2_000
const REST_CHECK_MS = 20

export type Found = Finding & { readonly check: string; readonly round: number }

export type Result = { readonly tally: Tally; readonly found: readonly Found[] }

export async function simulate(world: World, plan: Plan, progress: (tally: Tally) => void): Promise<Result> {
  const tally = createTally(world.faults)
  const ticking = setInterval(() => progress(tally), 1_000)
  try {
    const until = Date.now() + plan.totalMs
    do {
      const round = ++tally.round
      await disturb(world, plan, tally, round)
      const unsettled = await settle(world, tally)
      const found = [
        ...unsettled.map((finding) => ({ ...finding, check: 'settles', round })),
        ...(await runChecks(world, tally, round)),
      ]
      progress(tally)
      if (found.length > 0) return { tally, found }
    } while (Date.now() < until)
    return { tally, found: [] }
  } finally {
    clearInterval(ticking)
  }
}

/** Operations and faults at once, until the time is over and all of them have ended. */
async function disturb(world: World, plan: Plan, tally: Tally, round: number): Promise<void> {
  const until = Date.now() + plan.chaosMs
  tally.phase = 'faults'
  const mix = mixOf(operations, randomFor(plan.seed, `mix of round ${round}`))
  const faultEveryMs = plan.faultEveryMs * (CALM[(round - 1) % CALM.length] ?? 1)
  const actors = Array.from({ length: plan.actors }, (_, at) =>
    act(world, mix, randomFor(plan.seed, `actor ${at} of round ${round}`), tally, until),
  )
  await Promise.all([
    ...actors,
    injectFaults(
      world,
      randomFor(plan.seed, `faults of round ${round}`),
      { ...plan, faultEveryMs },
      tally,
      until,
    ),
  ])
}

/** Every round has its own mix: rare operations meet each other when some of them are frequent for a while. */
function mixOf(all: readonly Operation[], random: Random): readonly Operation[] {
  return all.map((operation) => ({ ...operation, weight: operation.weight * (random.pick(SHARES) ?? 1) }))
}

async function act(
  world: World,
  mix: readonly Operation[],
  random: Random,
  tally: Tally,
  until: number,
): Promise<void> {
  const shops = world.shops.filter((shop) => shop !== world.spender)
  while (Date.now() < until) {
    const operation = pickByWeight(mix, random)
    const shop = random.pick(shops)
    if (operation === undefined || shop === undefined) return
    await operation.run({ world, random, shop })
    tally.operations.add(operation.name)
  }
}

async function injectFaults(
  world: World,
  random: Random,
  { faultEveryMs }: Plan,
  tally: Tally,
  until: number,
): Promise<void> {
  const available = faults.filter((fault) => fault.unavailable?.(world) === undefined)
  const lasting = new Set<Promise<void>>()
  while (Date.now() < until) {
    const enough = tally.operations.total() + OPERATIONS_BETWEEN
    await sleep(random.below(2 * faultEveryMs))
    await reach(enough, tally, until)
    const fault = pickByWeight(available, random)
    if (fault === undefined || Date.now() >= until) continue
    const last = suffer(world, random, fault, tally, until).finally(() => lasting.delete(last))
    lasting.add(last)
  }
  await Promise.all(lasting)
}

/** On a slow machine faults wait for operations that can meet them; on others there are more than these anyway. */
async function reach(enough: number, { operations }: Tally, until: number): Promise<void> {
  const deadline = Math.min(until, Date.now() + LONGEST_REST_MS)
  while (operations.total() < enough && Date.now() < deadline) await sleep(REST_CHECK_MS)
}

async function suffer(
  world: World,
  random: Random,
  fault: Fault,
  tally: Tally,
  until: number,
): Promise<void> {
  const forMs = Math.min(random.below(fault.forMs) + 1, Math.max(until - Date.now(), 1))
  tally.faults.add(fault.name)
  world.history.add('fault begins', fault.name)
  const heal: Heal = await fault.inject(world, random)
  await sleep(forMs)
  await heal()
  world.history.add('fault ends', fault.name)
}

async function runChecks(world: World, tally: Tally, round: number): Promise<Found[]> {
  tally.phase = 'checks'
  const found: Found[] = []
  for (const check of checks) {
    const { compared, findings } = await check.run(world)
    tally.checks.add(check.name, compared)
    found.push(...findings.map((finding) => ({ ...finding, check: check.name, round })))
  }
  return found
}
