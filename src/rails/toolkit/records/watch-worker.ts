// Runs the background work of channels: reading a chain's blocks or a bank's files. A lease keeps all but one node from it, to
// save calls, and is renewed for as long as the work takes. A node that stops for longer than a lease may work beside another
// one: most records are written once, and stay right.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { whyOf } from '../base/why.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import type { Watcher } from './protocol.ts'
import { type FailingWork, leaseWatcher, noteWork, selectFailingWork } from './store-sql.ts'

export type WatchDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /** The watchers of the channels that are set up now. */
  readonly watchers: () => readonly NamedWatcher[]
}

export type NamedWatcher = { readonly channel: string; readonly watcher: Watcher }

const LOOK_EVERY_MS = 200
const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** Channels do not wait for each other. */
export function startWatching(deps: WatchDeps): Repetition {
  const { clock, log } = deps
  const node = randomUUID()
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const dueAt = new Map<string, number>()

  async function work({ channel, watcher }: NamedWatcher): Promise<void> {
    const lease = () => {
      const now = clock.now()
      return leaseWatcher(deps.db, { channel, node, now, until: new Date(now.getTime() + LEASE_MS) })
    }
    try {
      if (await lease()) {
        // A database that does not answer fails the work itself.
        const renewal = setInterval(() => void lease().catch(() => {}), RENEW_MS)
        await watcher.work(stopping.signal).finally(() => clearInterval(renewal))
        // Each time: another process may have failed at it since.
        await noteWork(deps.db, channel, undefined)
      }
    } catch (err) {
      if (!stopping.signal.aborted) await failed(channel, err)
    }
    dueAt.set(channel, performance.now() + watcher.everyMs)
    running.delete(channel)
  }

  async function failed(channel: string, err: unknown): Promise<void> {
    log.error({ err, channel }, "a channel's background work failed")
    await noteWork(deps.db, channel, { at: clock.now(), why: whyOf(err) }).catch(() => {})
  }

  const rounds = repeat({
    everyMs: LOOK_EVERY_MS,
    async work() {
      for (const one of deps.watchers())
        if (!running.has(one.channel) && (dueAt.get(one.channel) ?? 0) <= performance.now())
          running.set(one.channel, work(one))
    },
    failed: (err) => log.error({ err }, 'the background work of channels could not be started'),
  })
  return {
    async stop() {
      stopping.abort()
      await rounds.stop()
      await Promise.all(running.values())
    },
  }
}

/** Channels whose background work fails, the longest first. */
export function listFailingWork(db: Queryable, now: Date): Promise<FailingWork[]> {
  return selectFailingWork(db, now)
}
