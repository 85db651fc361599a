// One run of the command: opens the environment and the targets, and then runs mutations or the inputs of a find.
import { openPlace } from '../bench/place.ts'
import { seededRandom } from '../test/harness/random.ts'
import type { Coverage } from './coverage.ts'
import { readFind } from './finds.ts'
import { fuzz } from './fuzz.ts'
import { openTargets } from './open-targets.ts'
import type { Options } from './options.ts'
import { replay } from './replay.ts'
import { printReport } from './report.ts'
import { openWorld } from './world.ts'

/** Returns true if no problem was found. */
export async function runFuzz(options: Options, own: Coverage): Promise<boolean> {
  const find = options.replay === undefined ? undefined : readFind(options.replay)
  const seed = find?.seed ?? options.seed
  const say = (line: string) => console.error(line)
  say(`seed ${seed}`)
  const isStopped = stopOnSignal()
  const random = seededRandom(seed)
  const opened = new AsyncDisposableStack()
  try {
    const place = await openPlace()
    opened.defer(place.remove)
    const world = await openWorld(await place.createDatabase('fuzz'))
    opened.defer(world.close)
    const targets = await openTargets(world, random, find?.target ?? options.target)
    if (find !== undefined) return await replay(world, targets, find, console.log)
    return printReport(await fuzz({ ...options, seed, world, targets, random, own, say, isStopped }))
  } finally {
    await opened.disposeAsync()
  }
}

/** Returns a function that tells whether a signal has come. An interrupted run ends early, with its report. */
function stopOnSignal(): () => boolean {
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isStopped = true
    })
  return () => isStopped
}
