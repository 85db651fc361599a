// The run's interface to the receiver: the notifications that arrived, with their times.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/harness/gateway-process.ts'
import { programPath, startChild } from '../child.ts'

export type Seen = {
  readonly count: number
  readonly lastMs: number
  /** The number of repeated arrivals in the whole run. */
  readonly repeated: number
  readonly times: readonly (readonly [number: number, atMs: number])[]
}

export type Hook = {
  readonly url: string
  /** Waits until this many notifications have arrived or the time is over, returns them, and empties the list. */
  take(count: number, withinMs: number): Promise<Seen>
  stop(): Promise<void>
}

const POLL_EVERY_MS = 100

export async function openHook(): Promise<Hook> {
  const port = await freePort()
  const args = [programPath('./notify/receiver.ts')]
  const child = await startChild({ name: 'the receiver', args, env: { PORT: String(port) } })
  const ask = async (what: string): Promise<Seen> =>
    JSON.parse(await (await fetch(`http://127.0.0.1:${port}/${what}`)).text())
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async take(count, withinMs) {
      const deadline = performance.now() + withinMs
      while ((await ask('seen')).count < count && performance.now() < deadline) await sleep(POLL_EVERY_MS)
      return ask('times')
    },
    stop: child.stop,
  }
}

/** The time in milliseconds, comparable across processes. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
