// A run: one batch of every target in turn, until the time is over. The books are checked every minute. At the end
// memory, descriptors and books are checked.
import type { Random } from '../test/harness/random.ts'
import { brokenRules } from './checks/books.ts'
import { watchLog } from './checks/log.ts'
import { growth, measure, type Resources } from './checks/resources.ts'
import type { Coverage, Totals } from './coverage.ts'
import { type Find, openFinds } from './finds.ts'
import type { Input, Target } from './input.ts'
import { type Lane, openLane } from './lane.ts'
import type { World } from './world.ts'

export type FuzzOptions = {
  readonly world: World
  readonly targets: readonly Target[]
  readonly random: Random
  readonly seed: number
  readonly seconds: number
  /** Returns true if somebody wants the run to end sooner. */
  readonly isStopped?: () => boolean
  /** The coverage of the fuzzer's own process. */
  readonly own: Coverage
  readonly say: (line: string) => void
}

export type Report = {
  readonly lanes: readonly Lane[]
  readonly finds: readonly Find[]
  readonly seconds: number
  readonly gateway: Totals
  readonly own: Totals
  readonly before: Resources
  readonly after: Resources
}

const PROGRESS_MS = 5_000
const VERIFY_MS = 60_000
/** A slow input is run again this often, because it may have waited for another program on this machine. */
const REPEATS = 3
const AT_ONCE_MS = 100
/**
 * The number of slow inputs that are run again after a batch. A busy machine makes many inputs slow for the same
 * reason.
 */
const MOST_SUSPECTS = 3

type Suspect = { readonly lane: Lane; readonly input: Input; readonly problem: string }

const SLOW = /^answered after/

/** Runs the targets, and closes them at the end. */
export async function fuzz(options: FuzzOptions): Promise<Report> {
  const closeTargets = async () => {
    for (const target of options.targets) await target.close?.()
  }
  try {
    return await runAll(options, closeTargets)
  } finally {
    await closeTargets()
  }
}

async function runAll(options: FuzzOptions, closeTargets: () => Promise<void>): Promise<Report> {
  const { world, seed, seconds, own, say, isStopped = () => false } = options
  const { pid, inspector, coverage, output } = world.gateway
  const finds = openFinds(say)
  const log = watchLog(output)
  /** Slow inputs of the last batch. */
  const suspects: Suspect[] = []
  let startedMs = Date.now()
  let progressMs = startedMs
  const isOver = () => isStopped() || Date.now() - startedMs > seconds * 1_000
  const lanes = options.targets.map((target): Lane => {
    const lane: Lane = openLane({
      target,
      random: options.random,
      coverage: target.runsIn === 'gateway' ? coverage : own,
      isOver,
      found(input, problem) {
        if (!SLOW.test(problem)) return report(lane, [input], problem)
        lane.counts.slow++
        suspects.push({ lane, input, problem })
      },
    })
    return lane
  })

  function report(lane: Lane, inputs: readonly Input[], problem: string): void {
    lane.counts.finds++
    finds.add({ target: lane.target.name, seed, problem, inputs })
  }

  /** Runs slow inputs again and checks the gateway's process, after a batch or the seeds. */
  async function judge(last: Lane): Promise<void> {
    for (const { lane, input, problem } of suspects.splice(0).slice(0, MOST_SUSPECTS))
      if (await isHang(world, lane.target, input)) report(lane, [input], problem)
    checkProcess(last)
  }

  async function runBatch(lane: Lane): Promise<void> {
    await lane.runBatch()
    await judge(lane)
    if (Date.now() - progressMs < PROGRESS_MS) return
    progressMs = Date.now()
    say(progress(lanes, coverage.totals(), finds.all.length, (progressMs - startedMs) / 1_000))
  }

  /**
   * Reports new faults in the gateway's log, with the last batch as their possible cause. Throws if the gateway has
   * ended.
   */
  function checkProcess(lane: Lane): void {
    for (const problem of log.problems()) report(lane, lane.last(), problem)
    if (!isAlive(pid)) throw new Error(`the gateway has ended:\n${output().slice(-2_000)}`)
  }

  for (const lane of lanes) {
    await lane.begin()
    await judge(lane)
    say(`${lane.target.name}: ${lane.target.seeds.length} valid inputs were accepted`)
  }
  startedMs = Date.now()
  // The first batch of each target fills the caches.
  for (const lane of lanes) await runBatch(lane)
  const before = await measure(pid, inspector)
  let verifiedMs = Date.now()
  while (!isOver()) {
    for (const lane of lanes) {
      if (isOver()) break
      await runBatch(lane)
      if (Date.now() - verifiedMs > VERIFY_MS) {
        for (const problem of await brokenRules(world.db)) report(lane, lane.last(), problem)
        verifiedMs = Date.now()
      }
    }
  }
  await closeTargets()
  const after = await settled(() => measure(pid, inspector), before)
  const [first] = lanes
  if (first !== undefined) {
    for (const problem of growth(before, after)) report(first, [], problem)
    for (const problem of await brokenRules(world.db)) report(first, [], problem)
    checkProcess(first)
  }
  return {
    lanes,
    finds: finds.all,
    seconds: (Date.now() - startedMs) / 1_000,
    gateway: coverage.totals(),
    own: own.totals(),
    before,
    after,
  }
}

/**
 * True if the input alone is slow each time, while the gateway answers other requests at once. The machine is then not
 * the cause.
 */
async function isHang({ account }: World, target: Target, input: Input): Promise<boolean> {
  for (let at = 0; at < REPEATS; at++) {
    const { problem } = await target.run(input)
    if (problem === undefined || !SLOW.test(problem)) return false
    const startedMs = performance.now()
    await (await fetch(`${account.baseUrl}/healthz`)).text()
    if (performance.now() - startedMs > AT_ONCE_MS) return false
  }
  return true
}

const SETTLE_MS = 15_000

/** Waits until the resources are as before, because connections end a while after the last input. */
async function settled(look: () => Promise<Resources>, before: Resources): Promise<Resources> {
  const deadline = Date.now() + SETTLE_MS
  let now = await look()
  while (growth(before, now).length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    now = await look()
  }
  return now
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function progress(lanes: readonly Lane[], totals: Totals, finds: number, seconds: number): string {
  const inputs = lanes.reduce((sum, { counts }) => sum + counts.inputs, 0)
  const kept = lanes.reduce((sum, { counts }) => sum + counts.kept, 0)
  return [
    `${Math.round(seconds)} s`,
    `${inputs} inputs, ${Math.round(inputs / seconds)}/s`,
    `functions ${percent(totals.functions, totals.allFunctions)}, code ${percent(totals.characters, totals.allCharacters)}`,
    `${kept} kept`,
    `${finds} finds`,
  ].join(' · ')
}

export function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`
}
