// `npm run simulate:prove -- [NAME …] [--seeds 100,…] [--minutes 10] [--jobs 1] [--logs FOLDER]`: plants each bug in a
// copy of the checkout, and shows which seed of the simulation finds the bug, by which check, and after which time.
import { parseArgs } from 'node:util'
import { printTable, type Row } from '../bench/report.ts'
import { bugs } from './bugs/all.ts'
import type { Bug } from './bugs/bug.ts'
import { type Budget, type Proof, prove } from './bugs/prove.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '10' },
    jobs: { type: 'string', default: '1' },
    logs: { type: 'string' },
  },
})
const budget: Budget = {
  seeds: values.seeds.split(',').map(Number),
  minutes: Number(values.minutes),
  logs: values.logs,
}
const waiting = chosen(positionals)
const rows: Row[] = []
let missed = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
printTable(`${rows.length} planted bugs, ${missed} not found`, rows)
process.exitCode = missed === 0 ? 0 : 1

function chosen(names: readonly string[]): Bug[] {
  const unknown = names.filter((name) => !bugs.some((bug) => bug.name === name))
  if (unknown.length > 0)
    throw new Error(
      `no such bug: ${unknown.join(', ')}. There are:\n${bugs.map(({ name }) => name).join('\n')}`,
    )
  return names.length === 0 ? [...bugs] : bugs.filter(({ name }) => names.includes(name))
}

async function work(): Promise<void> {
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
    console.error(`${bug.name}: ${bug.what}`)
    const proof = await prove(bug, budget)
    if (proof.kind !== 'found') missed++
    const row = rowOf(bug, proof)
    rows.push(row)
    console.error(row.join('  '))
    if (proof.kind === 'crashed') console.error(proof.why)
  }
}

function rowOf({ name }: Bug, proof: Proof): Row {
  const after = `${Math.round(proof.afterMs / 1000)} s`
  switch (proof.kind) {
    case 'found':
      return [name, after, `seed ${proof.seed}, ${proof.checks}`]
    case 'crashed':
      return [name, after, `NOT FOUND: seed ${proof.seed} crashed`]
    case 'not found':
      return [name, after, 'NOT FOUND']
  }
}
