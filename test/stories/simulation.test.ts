// Runs the simulation with many faults at once, for a few seconds and two seeds. `npm run simulate` runs it for as
// long as you like.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { printFailure } from '../../simulation/report-failure.ts'
import { simulate } from '../../simulation/run.ts'
import { openWorld, type World } from '../../simulation/world/world.ts'

const seeds = [1, 2]
const plan = { chaosMs: 5_000, totalMs: 0, actors: 8, faultEveryMs: 400 }

let world: World
before(async () => {
  world = await openWorld({ seed: 1, say: () => {} })
})
after(() => world.close())

for (const seed of seeds) {
  test(`seed ${seed}: nothing is lost or doubled`, async () => {
    const { tally, found } = await simulate(world, { ...plan, seed }, () => {})
    const options = '--round 5 --minutes 0.1 --actors 8 --fault-every 400'
    if (found.length > 0) await printFailure(world, found, `npm run simulate -- --seed ${seed} ${options}`)
    assert.deepEqual(found, [])
    assert.ok(tally.operations.total() > 0 && tally.faults.total() > 0 && tally.checks.total() > 0)
  })
}
