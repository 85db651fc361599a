// Asks until something is decided.
import { TollgateError } from './errors.ts'
import type { CallOptions } from './send.ts'
import { sleep } from './sleep.ts'

export type ResolveOptions = CallOptions & {
  /** How long to ask while it is not decided: 30 seconds unless given, 0 to ask once. */
  readonly waitMs?: number | undefined
}

const WAIT_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/** Returns the last answer when the time is over. An answer that did not come is asked for again until then. */
export async function askUntil<Asked>(
  ask: (options: CallOptions) => Promise<Asked>,
  isDecided: (asked: Asked) => boolean,
  { waitMs = WAIT_MS, signal }: ResolveOptions,
): Promise<Asked> {
  const until = Date.now() + waitMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const isLast = Date.now() + pause > until
    try {
      const asked = await ask({ signal })
      if (isLast || isDecided(asked)) return asked
    } catch (error) {
      if (isLast || !(error instanceof TollgateError) || error.next !== 'retry-later') throw error
    }
    await sleep(pause, signal)
  }
}
