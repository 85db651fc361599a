// The output of a run: a line of progress and a page of figures.
import { printTable, type Row } from '../bench/report.ts'
import { memoryByNode } from './checks/processes-at-rest.ts'
import type { Counter } from './counter.ts'
import type { Found } from './run.ts'
import type { Tally } from './tally.ts'
import type { Answer } from './witness.ts'
import type { World } from './world/world.ts'

export type Progress = {
  /** Called each second, and at the end of each round. */
  show(tally: Tally): void
  end(): void
}

/** The interval between two lines of progress if the output is not a terminal. */
const LINE_EVERY_MS = 5_000

/** Shows the progress. On a terminal, each line overwrites the previous line. */
export function openProgress(startedAt: number, output: NodeJS.WriteStream = process.stderr): Progress {
  const isTerminal = output.isTTY === true
  let shownAt = 0
  return {
    show(tally) {
      const line = progressLine(tally, startedAt)
      if (isTerminal) output.write(`\r\x1b[K${line.slice(0, Math.max(output.columns - 1, 20))}`)
      else if (Date.now() - shownAt >= LINE_EVERY_MS) {
        shownAt = Date.now()
        output.write(`${line}\n`)
      }
    },
    end() {
      if (isTerminal) output.write('\n')
    },
  }
}

function progressLine(tally: Tally, startedAt: number): string {
  const { round, phase, operations, faults, checks, waitingFor } = tally
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const doing = phase === 'settling' && waitingFor !== '' ? `settling: ${waitingFor}` : phase
  const counts = `${operations.total()} operations, ${faults.total()} faults, ${checks.total()} comparisons`
  return `${seconds} s  round ${round}  ${counts}  ${doing}`
}

type Shown = {
  readonly world: World
  readonly tally: Tally
  readonly startedAt: number
  readonly found: readonly Found[]
}

export async function printResult({ world, tally, startedAt, found }: Shown): Promise<void> {
  printTable('Run', runRows(world, tally, startedAt))
  printTable('Operations', rowsOf(tally.operations))
  printTable('Answers', outcomeRows(world.witness.outcomes))
  printTable('Faults', rowsOf(tally.faults))
  printTable('Requests of merchants', requestRows(world))
  printTable('Notifications', await notificationRows(world))
  printTable('Gateways', nodeRows(world))
  printTable('Comparisons by check', rowsOf(tally.checks))
  console.log(found.length === 0 ? '\nEverything held.' : `\n${count(found.length, 'finding')}.`)
}

function runRows({ seed, nodes }: World, tally: Tally, startedAt: number): Row[] {
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
  const names = nodes.map(({ name }) => name).join(', ')
  return [
    ['seed', String(seed)],
    ['duration', `${minutes} minutes`],
    ['rounds', String(tally.round)],
    ['gateways', String(nodes.length), names],
    ['brought forward', String(tally.broughtForward), 'put off by a clock that was ahead'],
  ]
}

/** Returns a line for each operation: the counts of accepted, refused and lost requests. */
function outcomeRows(outcomes: World['witness']['outcomes']): Row[] {
  return [...outcomes]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([operation, counts]) => {
      const most = [...counts].sort(([, one], [, other]) => other - one)
      return [operation, most.map(([outcome, count]) => `${outcome} ${count}`).join(', ')]
    })
}

function rowsOf(counter: Counter): Row[] {
  const rows = [...counter.byName].sort(([, one], [, other]) => other - one)
  return [...rows.map(([name, amount]): Row => [name, String(amount)]), ['all', String(counter.total())]]
}

function requestRows({ witness }: World): Row[] {
  const sent = [...witness.orders.values(), ...witness.refunds.values()]
  const answers = sent.flatMap((one) => one.answers)
  const counts = Map.groupBy(answers, kindOf)
  const rows = [...counts].map(([kind, own]): Row => [kind, String(own.length)])
  return [['orders', String(witness.orders.size)], ['refunds', String(witness.refunds.size)], ...rows.sort()]
}

function kindOf(answer: Answer): string {
  if (answer.kind === 'lost') return 'answers lost'
  if (answer.code === '00000') return 'answers: accepted'
  return answer.code === '99999' ? 'answers: system error' : 'answers: refused'
}

type Outbox = { readonly made: number; readonly delivered: number; readonly due: number }

async function notificationRows({ merchants, db }: World): Promise<Row[]> {
  const received = await merchants.received()
  const [outbox] = await db.query<Outbox>({
    text: `
      select count(*)::int as made, count(delivered_at)::int as delivered,
        count(*) filter (where due_at is not null or leased_until is not null)::int as due
      from notifications`,
  })
  return [
    ['made', String(outbox?.made ?? 0)],
    ['delivered', String(outbox?.delivered ?? 0)],
    ['still due', String(outbox?.due ?? 0)],
    ['deliveries received', String(received.length)],
    ['answered badly', String(received.filter(({ acknowledged }) => !acknowledged).length)],
  ]
}

function nodeRows(world: World): Row[] {
  const memory = memoryByNode(world)
  return world.nodes.map((node): Row => {
    const { name } = node
    const [starts, unexpectedExits] = [node.starts(), node.unexpectedExits()]
    const used = memory.get(name)
    const figures = used === undefined ? '' : `memory ${used.first} MB at first, ${used.last} MB at last`
    const exits = unexpectedExits > 0 ? `, ended by itself ${unexpectedExits} times` : ''
    return [name, count(starts - 1, 'restart'), figures + exits]
  })
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`
}
