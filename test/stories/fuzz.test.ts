// A few seconds of fuzzing with a fixed seed: every kind of input against a running gateway. `npm run fuzz` runs for
// longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCoverage } from '../../fuzz/coverage.ts'
import { fuzz } from '../../fuzz/fuzz.ts'
import { type Inspector, inspectSelf } from '../../fuzz/inspector.ts'
import { openTargets } from '../../fuzz/open-targets.ts'
import { openWorld, type World } from '../../fuzz/world.ts'
import { useDatabase } from '../harness/harness.ts'
import { seededRandom } from '../harness/random.ts'

const SEED = 7
const SECONDS = 4
/** The number of inputs of a batch: small enough that every target has its turn. */
const BATCH = 32

let world: World
let inspector: Inspector
useDatabase({
  async before({ url }) {
    world = await openWorld(url)
    inspector = inspectSelf()
  },
  async after() {
    inspector.close()
    await world.close()
  },
})

test('inputs of every kind are answered without a fault, and the books stay sound', async () => {
  const random = seededRandom(SEED)
  const opened = await openTargets(world, random)
  const targets = opened.map((target) => ({ ...target, batch: BATCH }))
  const said: string[] = []
  const report = await fuzz({
    world,
    targets,
    random,
    seed: SEED,
    seconds: SECONDS,
    own: await openCoverage(inspector),
    say: (line) => void said.push(line),
  })
  assert.deepEqual(
    report.finds.map(({ target, problem }) => `${target}: ${problem}`),
    [],
    said.join('\n'),
  )
  for (const { target, counts } of report.lanes)
    assert.ok(counts.accepted >= target.seeds.length, `${target.name} accepted its valid inputs`)
  const mutated = report.lanes.filter(({ target, counts }) => counts.inputs > target.seeds.length)
  assert.ok(mutated.length > 0, 'inputs were mutated')
  assert.ok(report.gateway.functions > 1_000, 'the coverage of the gateway is seen')
})
