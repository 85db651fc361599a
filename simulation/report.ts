// What people see of a run: a line of progress, a page of figures, and for a failure the seed, the history and the rows.
import { printTable, type Row } from '../bench/report.ts'
import type { Found } from './run.ts'
import type { Counter, Tally } from './tally.ts'
import type { World } from './world/world.ts'

const MOST_SHOWN = 5

export function printProgress(tally: Tally, startedAt: number): void {
  const { round, rounds, phase, operations, faults, checks, waitingFor } = tally
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const doing = phase === 'settling' && waitingFor !== '' ? `settling: ${waitingFor}` : phase
  const counts = `${operations.total()} operations, ${faults.total()} faults, ${checks.total()} comparisons`
  console.error(`${seconds} s  round ${round} of ${rounds}  ${counts}  ${doing}`)
}

type Shown = {
  readonly world: World
  readonly tally: Tally
  readonly startedAt: number
  readonly found: readonly Found[]
}

export async function printResult({ world, tally, startedAt, found }: Shown): Promise<void> {
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
  printTable(`Seed ${world.seed}, ${tally.round} rounds in ${minutes} minutes`, [])
  printTable('Operations', rowsOf(tally.operations))
  printTable('Answers', outcomeRows(world.witness.outcomes))
  printTable('Faults', rowsOf(tally.faults))
  printTable('Comparisons by check', rowsOf(tally.checks))
  console.log(found.length === 0 ? '\nEverything held.' : `\n${found.length} findings.`)
}

/** One line for each operation: how often it was accepted, refused with a code, or lost. */
function outcomeRows(outcomes: World['witness']['outcomes']): Row[] {
  return [...outcomes]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([operation, counts]) => {
      const most = [...counts].sort(([, one], [, other]) => other - one)
      return [operation, most.map(([outcome, count]) => `${outcome} ${count}`).join(', ')]
    })
}

function rowsOf(counter: Counter): Row[] {
  const rows = [...counter.byName].map(([name, count]): Row => [name, String(count)])
  return [...rows, ['all', String(counter.total())]]
}

export async function printFailure(world: World, found: readonly Found[]): Promise<void> {
  console.log(`\nReplay: npm run simulate -- --seed ${world.seed}`)
  for (const { check, round, what, about, rows } of found.slice(0, MOST_SHOWN)) {
    console.log(`\nround ${round}, ${check}: ${what} ${about}`)
    if (rows !== undefined) console.log(JSON.stringify(rows, toText))
    for (const entry of world.history.of(about))
      console.log(
        `  ${(entry.at / 1000).toFixed(3)} s  ${entry.what}  ${entry.about}  ${JSON.stringify(entry.detail ?? '', toText)}`,
      )
  }
}

function toText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
