// A counterparty's queue of callbacks: one row for each changed key, in the counterparty's own database, so that
// callbacks survive a restart. A key that changes again before it is sent is sent once, with its current state.
import type { DatabaseSync } from 'node:sqlite'

/** `tries` counts failed attempts. */
export type Due = { readonly key: string; readonly version: number; readonly tries: number }

export type Outbox = {
  /** Queues a key, due at `dueAt` or now. Callers call it in the transaction of the change. */
  add(key: string, dueAt?: number): void
  /** Leases the keys that are due, so that no other process sends them. */
  take(now: number): readonly Due[]
  /** Removes a sent key, unless it has changed since it was taken. */
  done(due: Due): void
  /** Schedules a retry. Removes the key after the last retry. */
  failed(due: Due, now: number): void
  /** The time at which the next key is due. */
  nextAt(): number | undefined
}

/** The waiting times after failed attempts. */
const WAITS_MS = [200, 1_000, 5_000, 25_000, 125_000, 600_000]
/** The lease is longer than a call may take. After a crash, other processes send the key when the lease ends. */
const LEASE_MS = 20_000
const LIMIT = 50

export function openOutbox(db: DatabaseSync): Outbox {
  db.exec(`create table if not exists outbox (
    key text primary key, version integer not null, tries integer not null, due_at integer not null
  ) without rowid`)
  const add = db.prepare(`insert into outbox values (?, 1, 0, ?)
    on conflict (key) do update set version = version + 1, tries = 0, due_at = excluded.due_at`)
  const due = db.prepare('select key, version, tries from outbox where due_at <= ? order by due_at limit ?')
  const take = db.prepare('update outbox set due_at = ? where key = ? and version = ? and due_at <= ?')
  const retry = db.prepare('update outbox set tries = tries + 1, due_at = ? where key = ? and version = ?')
  const done = db.prepare('delete from outbox where key = ? and version = ?')
  const next = db.prepare('select min(due_at) as at from outbox')
  return {
    add: (key, dueAt = 0) => void add.run(key, dueAt),
    take: (now) =>
      due
        .all(now, LIMIT)
        .map(toDue)
        .filter(({ key, version }) => take.run(now + LEASE_MS, key, version, now).changes === 1),
    done: ({ key, version }) => void done.run(key, version),
    failed({ key, version, tries }, now) {
      const wait = WAITS_MS[tries]
      if (wait === undefined) done.run(key, version)
      else retry.run(now + wait, key, version)
    },
    nextAt() {
      const at = next.get()?.at
      return typeof at === 'number' ? at : undefined
    },
  }
}

function toDue(row: Readonly<Record<string, unknown>>): Due {
  return { key: String(row.key), version: Number(row.version), tries: Number(row.tries) }
}
