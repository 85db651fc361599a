// `npm run bench:hostile [-- --quick]`: payments at an even pace, alone and during each attack, in alternating slices.
// docs/testing.md, "Payments during attacks", says what is measured and how.
import type { GatewayUnderTest } from '../gateway-under-test.ts'
import { watchMemory } from '../memory.ts'
import { medianOf, printTable } from '../report.ts'
import { alternate, type Slice, warmUp } from '../rounds.ts'
import { audit, openSession, payments, recycleLog } from '../session.ts'
import { ratio, round } from '../statistics.ts'
import { startAttacker } from './attacker-process.ts'
import { startTargets, type Targets, victimOf } from './gateways.ts'
import { readOptions } from './options.ts'
import { rowOf, wrongAnswers } from './public-routes.ts'

const QUIET = 'payments alone'
/** The measured payments per second, and their connections: far below the machine's capacity. */
const PACE = 50
const CONNECTIONS = 16
const GOAL = 5
/** The goal for the increase of memory over the run without an attack, in MB. */
const MEMORY_GOAL = 200

type Result = {
  readonly attack: string
  readonly p50: number | null
  readonly p99: number | null
  readonly p99Ms: number | null
  readonly memoryMb: number
}

const warm = new Set<GatewayUnderTest>()
const options = readOptions(process.argv.slice(2))
const session = await openSession()
const attacker = startAttacker()
try {
  const targets = await startTargets(session)
  await checkAnswers(targets)
  const results: Result[] = []
  for (const attack of options.attacks) results.push(await beside(attack, targets.of(attack)))
  await audit(session)
  report(results)
} finally {
  attacker.stop()
  await session.close()
}

/**
 * Checks every row once, before the attacks: later, the limits of a live gateway refuse more and more of the attacker's
 * requests.
 */
async function checkAnswers(targets: Targets): Promise<void> {
  const wrong: string[] = []
  const attackOf = new Map(options.attacks.map((attack) => [rowOf(attack), attack]))
  for (const [row, attack] of attackOf) {
    if (row === undefined) continue
    const victim = await victimOf(targets.of(attack), session.place.masterKey)
    wrong.push(...(await wrongAnswers(row, victim)))
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

async function beside(attack: string, gateway: GatewayUnderTest): Promise<Result> {
  process.stderr.write(`${attack}\n`)
  const victim = await victimOf(gateway, session.place.masterKey)
  const pay = (): Promise<Slice> =>
    payments(session, gateway, { connections: CONNECTIONS, seconds: options.sliceSeconds, pace: PACE })
  const memory = { alone: 0, attacked: 0 }
  const contestants = [
    { name: QUIET, slice: () => watched('alone', pay) },
    { name: attack, slice: () => watched('attacked', () => attacker.attack({ attack, victim }, pay)) },
  ]
  await recycleLog(gateway)
  if (!warm.has(gateway)) await warmUp(contestants.slice(0, 1))
  warm.add(gateway)
  const rounds = await alternate(contestants, options.rounds)
  const against = (what: 'p50Ms' | 'p99Ms') =>
    ratio(medianOf(rounds, attack, what), medianOf(rounds, QUIET, what))
  return {
    attack,
    p50: against('p50Ms'),
    p99: against('p99Ms'),
    p99Ms: medianOf(rounds, attack, 'p99Ms'),
    memoryMb: round(memory.attacked - memory.alone),
  }

  async function watched(when: keyof typeof memory, slice: () => Promise<Slice>): Promise<Slice> {
    const watch = watchMemory(gateway.nodes[0]?.pid ?? 0)
    try {
      return await slice()
    } finally {
      watch.stop()
      memory[when] = Math.max(memory[when], watch.most())
    }
  }
}

function report(results: readonly Result[]): void {
  printTable(
    `Latency of payments beside each attack ÷ alone (goal for the median ≤ ${GOAL}), and memory beyond that (goal ≤ ${MEMORY_GOAL} MB)`,
    results.map(({ attack, p50, p99, p99Ms, memoryMb }) => [
      attack,
      `p50 × ${p50 ?? '–'}  p99 × ${p99 ?? '–'}`,
      `p99 ${p99Ms ?? '–'} ms, ${memoryMb} MB`,
    ]),
  )
  printTable(
    'What went wrong',
    session.problems.map((text) => [text, '']),
  )
  const isMet = ({ p50, memoryMb }: Result) => p50 !== null && p50 <= GOAL && memoryMb <= MEMORY_GOAL
  const missed = results.filter((result) => !isMet(result))
  console.log(`\n${JSON.stringify({ attacks: results, missed: missed.length, errors: session.errors })}`)
  if (missed.length > 0 || session.errors > 0) process.exitCode = 1
}
