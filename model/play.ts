// Plays steps on a gateway and on the model, and compares the two after each step.
import { cloneDatabase, type TestDatabase } from '../test/harness/harness.ts'
import { compare, verify } from './compare.ts'
import { openGateway } from './gateway.ts'
import type { Step } from './operation.ts'
import { takeDisputes } from './operations/dispute.ts'

/** Plays a printed sequence. A step that is not possible is skipped, as in the run that printed the sequence. */
export async function play(steps: readonly Step[]): Promise<void> {
  const opened = await openModel()
  try {
    for (const step of steps) if (step.isPossible(opened.model)) await opened.take(step)
    await opened.verify()
  } finally {
    await opened.close()
  }
}

/** `ledger verify` reads the whole database, so it does not run after every step. */
const VERIFY_EVERY = 40
/** The time between two steps, so that no two steps happen at the same moment. */
const SECOND_MS = 1_000

export async function openModel() {
  const database: TestDatabase = await cloneDatabase(6)
  const { model, gateway } = await openGateway(database.db)
  let steps = 0
  /**
   * Processes waiting disputes first, because `ledger verify` reports disputes that wait for long. The gateway's
   * background work would process them within seconds.
   */
  const verifyNow = async () => {
    const waiting = takeDisputes.step({})
    if (waiting.isPossible(model)) await waiting.run(model, gateway)
    await compare(model, gateway)
    await verify(gateway)
  }
  return {
    verify: verifyNow,
    model,
    gateway,
    async take(step: Step): Promise<void> {
      model.nowMs += SECOND_MS
      await step.run(model, gateway)
      gateway.count(step.operation)
      await compare(model, gateway)
      if (++steps % VERIFY_EVERY === 0) await verifyNow()
    },
    async close(): Promise<void> {
      gateway.rates.close()
      await database.drop()
    },
  }
}
