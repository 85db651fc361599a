// Random sequences of operations on a real gateway and on the model of the money rules, which shares no code with the
// gateway. After every step, all balances and states are equal. `npm run model` does the same for as long as you like.
//
// The seed is always the same here, so that this test fails because of a change and not by chance. `npm run model`
// takes a new seed each time. TOLLGATE_MODEL_SEED sets another seed. TOLLGATE_MODEL_SECONDS sets for how many seconds
// new sequences begin.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../../model/check.ts'
import { STEPS } from '../../model/steps.ts'

const seed = Number(process.env.TOLLGATE_MODEL_SEED ?? 34)
const seconds = Number(process.env.TOLLGATE_MODEL_SECONDS ?? 12)

test(`after every random step all balances and states are where the rules say (seed ${seed})`, async (t) => {
  const { failure, sequences, steps } = await check({
    seed,
    steps: STEPS,
    endMs: Date.now() + seconds * 1_000,
  })
  if (failure !== undefined) assert.fail(failure)
  t.diagnostic(`${sequences} sequences, ${steps} steps`)
})
