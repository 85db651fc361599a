// Plays sequences until the model and the gateway differ. Exits with 3 if they differ, and with 0 if they agree for a
// minute.
import { AssertionError } from 'node:assert'
import { firstDifference } from './check.ts'
import { mistakes } from './mistakes.ts'
import { STEPS } from './steps.ts'

const MINUTE_MS = 60_000
const { only = [] } = mistakes.find(({ name }) => name === process.env.MODEL_MISTAKE) ?? {}
const found = await firstDifference({ seed: 1, steps: STEPS, only, endMs: Date.now() + MINUTE_MS })
if (found instanceof AssertionError) process.exitCode = 3
else if (found !== undefined) throw found
