// Runs the background work of channels, such as reading a chain's blocks or a bank's files. To save calls, a lease lets
// one node at a time do the work. The lease is renewed for as long as the work takes. If a node stalls for longer than
// its lease, another node may work at the same time. This is safe, because a record that both nodes add is stored once.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/base/clock.ts'
import { whyOf } from '../../../platform/base/thrown.ts'
import { type Interval, type Repetition, repeat } from '../../../platform/concurrency/repeat.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Watcher } from '../../contract/protocol.ts'
import { leaseWatcher, noteWork, selectFailingWork } from './store-sql.ts'

export type WatchDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly watchers: () => readonly NamedWatcher[]
}

export type NamedWatcher = { readonly channel: string; readonly watcher: Watcher }

const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** Starts the watchers, each as often as its `everyMs`. The watchers run concurrently. */
export function startWatching(deps: WatchDeps & Interval): Repetition {
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
        // An error of the renewal is ignored: if the database does not answer, the work itself fails.
        const renewal = setInterval(() => void lease().catch(() => {}), RENEW_MS)
        await watcher.work(stopping.signal).finally(() => clearInterval(renewal))
        // Every success is recorded, because another process may have recorded a failure since the last success.
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
    everyMs: deps.everyMs,
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

export const listFailingWork = selectFailingWork
