// `npm run model -- [--minutes 10] [--seed N] [--steps 120] [--only pay,refund]`: plays random sequences of operations
// on a gateway with a real database and on the model, and compares every balance and state after each step. A failure
// prints the command that repeats its sequence, with `--seed N --sequences 1`.
import { parseArgs } from 'node:util'
import { openTestDatabases } from '../test/harness/test-databases.ts'
import { STEPS } from './steps.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    steps: { type: 'string', default: String(STEPS) },
    sequences: { type: 'string' },
    only: { type: 'string' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const databases = await openTestDatabases('embedded', (line) => console.error(line))
Object.assign(process.env, databases.env)
try {
  const { check } = await import('./check.ts')
  const seed = Number(values.seed)
  console.log(`seed ${seed}`)
  const beganMs = Date.now()
  const done = await check({
    seed,
    steps: Number(values.steps),
    ...(values.sequences !== undefined && { sequences: Number(values.sequences) }),
    ...(values.only !== undefined && { only: values.only.split(',') }),
    endMs: beganMs + Number(values.minutes) * 60_000,
  })
  for (const [what, count] of [...done.counts].sort()) console.log(`${String(count).padStart(8)}  ${what}`)
  const seconds = Math.round((Date.now() - beganMs) / 1000)
  console.log(`${done.sequences} sequences, ${done.steps} steps, ${seconds} s`)
  if (done.failure !== undefined) console.log(`\n${done.failure}`)
  process.exitCode = done.failure === undefined ? 0 : 1
} finally {
  await databases.close()
}
