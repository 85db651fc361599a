// A simulation consists of rounds of operations under faults. After each round, a pause follows in which the faults
// end, the open work is finished, and the checks run.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, randomFor } from '../test/harness/random.ts'
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
  /** The seed decides the operations and the faults. Their timing relative to each other depends on the machine. */
  readonly seed: number
  /** The duration of operations and faults in a round. */
  readonly chaosMs: number
  /** New rounds begin until this time has passed. There is at least one round. */
  readonly totalMs: number
  /** The number of concurrent operations. */
  readonly actors: number
  /**
   * Runs only operations whose name contains one of these words. If the list is empty or missing, all operations are
   * run.
   */
  readonly only?: readonly string[]
  /** The mean time between two faults, in the rounds with the most faults. */
  readonly faultEveryMs: number
}

const SHARES = [1, 1, 2, 8]
/**
 * The factors of the time between two faults, by round. Calm rounds reach states that take several steps, such as the
 * end of a dispute.
 */
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

/** Runs operations and faults concurrently, until the time is over and all of them have ended. */
async function disturb(world: World, plan: Plan, tally: Tally, round: number): Promise<void> {
  const until = Date.now() + plan.chaosMs
  tally.phase = 'faults'
  const mix = mixOf(chosen(plan.only ?? []), randomFor(plan.seed, `mix of round ${round}`))
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

function chosen(only: readonly string[]): readonly Operation[] {
  return only.length === 0
    ? operations
    : operations.filter(({ name }) => only.some((word) => name.includes(word)))
}

/**
 * Returns the operations with the weights of one round. In some rounds, rare operations are frequent, so that they run
 * at the same time.
 */
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
  while (Date.now() < until) {
    const operation = pickByWeight(mix, random)
    const shop = random.pick(world.actingShops)
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

/** Waits until enough operations have run, but at most two seconds. Only a slow machine has to wait. */
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
