// `npm run fuzz -- [--minutes M] [--seed N] [--target NAME] [--replay FILE]`: docs/testing.md says what is tried, and how.
import { openPlace } from '../bench/place.ts'
import { seededRandom } from '../test/money-model/random.ts'
import { openCoverage } from './coverage.ts'
import { readFind } from './finds.ts'
import { fuzz } from './fuzz.ts'
import { inspectSelf } from './inspector.ts'
import { readOptions } from './options.ts'
import { replay } from './replay.ts'
import { printReport } from './report.ts'

const options = readOptions(process.argv.slice(2))
const say = (line: string) => console.error(line)
const inspector = inspectSelf()
// Before the targets are loaded: they load what they test.
const own = await openCoverage(inspector)
const { openTargets } = await import('./open-targets.ts')
const { openWorld } = await import('./world.ts')
const place = await openPlace()
try {
  const find = options.replay === undefined ? undefined : readFind(options.replay)
  const seed = find?.seed ?? options.seed
  say(`seed ${seed}`)
  const world = await openWorld(await place.createDatabase('fuzz'))
  try {
    const random = seededRandom(seed)
    const targets = await openTargets(world, random, find?.target ?? options.target)
    const isSound =
      find === undefined
        ? printReport(await fuzz({ ...options, seed, world, targets, random, own, say }))
        : await replay(world, targets, find, console.log)
    process.exitCode = isSound ? 0 : 1
  } finally {
    await world.close()
  }
} finally {
  await place.remove()
  inspector.close()
}
