// `npm run simulate -- --seed N --minutes M`: everything goes wrong at once, and nothing may be lost or doubled.
import { parseArgs } from 'node:util'
import { printFailure, printProgress, printResult } from './report.ts'
import { type Plan, simulate } from './run.ts'
import { openWorld } from './world/world.ts'

const ROUND_MS = 30_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    actors: { type: 'string', default: '12' },
    'fault-every': { type: 'string', default: '400' },
    other: { type: 'string' },
  },
})
const seed = Number(values.seed)
const plan: Plan = {
  chaosMs: Math.min(ROUND_MS, Number(values.minutes) * 60_000),
  rounds: Math.max(1, Math.round((Number(values.minutes) * 60_000) / ROUND_MS)),
  actors: Number(values.actors),
  faultEveryMs: Number(values['fault-every']),
}
const say = (line: string) => console.error(line)
const world = await openWorld({
  seed,
  say,
  ...(values.other !== undefined && { otherVersion: values.other }),
})
try {
  const startedAt = Date.now()
  const { tally, found } = await simulate(world, plan, (now) => printProgress(now, startedAt))
  await printResult({ world, tally, startedAt, found })
  if (found.length > 0) await printFailure(world, found)
  process.exitCode = found.length === 0 ? 0 : 1
} finally {
  await world.close()
}
