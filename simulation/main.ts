// `npm run simulate -- --seed N --minutes M`: runs gateways under many faults at the same time, and checks that nothing
// is lost or doubled.
import { parseArgs } from 'node:util'
import { openProgress, printResult } from './report.ts'
import { printFailure } from './report-failure.ts'
import { type Plan, simulate } from './run.ts'
import { openWorld } from './world/world.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    actors: { type: 'string', default: '12' },
    'fault-every': { type: 'string', default: '400' },
    round: { type: 'string', default: '30' },
    only: { type: 'string' },
    other: { type: 'string' },
  },
})
const seed = Number(values.seed)
const plan: Plan = {
  seed,
  chaosMs: Math.min(Number(values.round), Number(values.minutes) * 60) * 1_000,
  totalMs: Number(values.minutes) * 60_000,
  actors: Number(values.actors),
  faultEveryMs: Number(values['fault-every']),
  only: values.only?.split(',') ?? [],
}
const replay = `npm run simulate -- ${Object.entries(values)
  .map(([name, value]) => `--${name} '${value}'`)
  .join(' ')}`
const say = (line: string) => console.error(line)
const world = await openWorld({
  seed,
  say,
  ...(values.other !== undefined && { otherVersion: values.other }),
})
try {
  const startedAt = Date.now()
  const progress = openProgress(startedAt)
  const { tally, found } = await simulate(world, plan, progress.show)
  progress.end()
  await printResult({ world, tally, startedAt, found })
  if (found.length > 0) {
    world.keepFolder()
    await printFailure(world, found, replay)
  }
  process.exitCode = found.length === 0 ? 0 : 1
} catch (error) {
  world.keepFolder()
  console.error(`The simulation itself failed; its logs and history: ${world.folder}`)
  console.error(`Repeat it: ${replay}`)
  throw error
} finally {
  await world.close()
}
// Ends the process even if a failed start left something running in it.
process.exit()
