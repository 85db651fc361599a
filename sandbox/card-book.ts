// The issuer's own database, separate from the gateway's like that of a real counterparty. The database contains no
// card data.
//
// A reference has one row, which the first request creates. Several processes share the file. A response is sent after
// the commit, so the data survives kill -9. A power cut may lose the last moments (synchronous NORMAL in WAL mode). A
// sandbox can afford this loss in return for thousands of charges a second. Charges of one turn of the event loop share
// a commit.

import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { openSecretFile } from '../src/platform/base/secret-file.ts'
import { openOutbox } from './outbox.ts'
import { type Day, toLine } from './statement.ts'

export type ChargeStatus = 'captured' | 'declined' | 'challenge' | 'voided'

export type Charge = {
  readonly reference: string
  readonly id: string
  /**
   * Digits in the currency's minor unit; '' in a tombstone, the row of a reference that was voided before it was
   * charged.
   */
  readonly amount: string
  readonly currency: string
  readonly status: ChargeStatus
  readonly reason: string
}

export type Challenge = {
  readonly acsTransID: string
  readonly threeDSServerTransID: string
  readonly reference: string
  readonly notificationUrl: string
  /** The status after the payer enters the right code. */
  readonly passed: 'captured' | 'declined'
  /** True if the bank's page may not be shown in a frame. */
  readonly refusesFrames: boolean
}

export type Refund = {
  readonly refundReference: string
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  /** The reason for the failure; '' if the refund succeeds at `dueAt`. */
  readonly failure: string
  readonly dueAt: number
}

export type CardBook = ReturnType<typeof openCardBook>

const schema = `
  create table if not exists charges (
    reference text primary key, id text not null, amount text not null, currency text not null,
    status text not null, reason text not null, at integer not null
  ) without rowid;
  create table if not exists challenges (
    acs_id text primary key, server_id text not null, reference text not null unique,
    notification_url text not null, passed text not null
  ) without rowid;
  create table if not exists challenge_listeners (
    reference text primary key, callback_url text not null
  ) without rowid;
  create table if not exists unframed_challenges (reference text primary key) without rowid;
  create table if not exists chargebacks (reference text primary key, due_at integer not null) without rowid;
  create index if not exists chargebacks_due on chargebacks (due_at);
  create table if not exists refunds (
    refund_reference text primary key, id text not null, reference text not null, amount text not null,
    currency text not null, failure text not null, due_at integer not null
  ) without rowid;
  create index if not exists refunds_of_charge on refunds (reference);`

const BUSY_MS = 10_000
const BUSY_CODE = 5

export function openCardBook(file: string) {
  openSecretFile(file)
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  useWal(db)
  inTransaction(db, () => db.exec(schema))
  return {
    ...charges(db),
    ...challenges(db),
    ...chargebacks(db),
    ...refunds(db),
    ...statement(db),
    /** The queue of callbacks. Its keys are the references of challenges that ended. */
    outbox: inTransaction(db, () => openOutbox(db)),
    /** Runs the work in one transaction, exclusive among all processes. */
    transaction: <Result>(work: () => Result) => inTransaction(db, work),
    close: () => db.close(),
  }
}

/**
 * Switches to WAL mode. Retries, because SQLite refuses the switch at once while another process makes the same switch.
 */
export function useWal(db: DatabaseSync): void {
  for (const deadline = Date.now() + BUSY_MS; ; ) {
    try {
      db.exec('pragma journal_mode = wal; pragma synchronous = normal')
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === BUSY_CODE
      if (!isBusy || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('begin immediate')
  try {
    const result = work()
    db.exec('commit')
    return result
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

/** Returns a function whose writes during one turn of the event loop share a transaction. */
function batchWrites<Item, Result>(db: DatabaseSync, write: (item: Item) => Result) {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    try {
      const results = inTransaction(db, () => batch.map(({ item }) => write(item)))
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ item, resolve, reject })
    })
}

function charges(db: DatabaseSync) {
  const add = db.prepare(
    'insert into charges values (?, ?, ?, ?, ?, ?, ?) on conflict (reference) do nothing',
  )
  const find = db.prepare(
    'select reference, id, amount, currency, status, reason from charges where reference = ?',
  )
  const tombstone = db.prepare(`insert into charges values (?, ?, '', '', 'voided', ?, ?)
    on conflict (reference) do update set status = 'voided', reason = excluded.reason
    where status = 'challenge'`)
  /** Returns false if the reference already has a row. */
  function addCharge({ reference, id, amount, currency, status, reason }: Charge, at: Date): boolean {
    return add.run(reference, id, amount, currency, status, reason, at.getTime()).changes === 1
  }

  return {
    addCharge,
    /** Adds a charge in one commit with other charges, and resolves after the commit. */
    addChargeInBatch: batchWrites(db, ({ charge, at }: { charge: Charge; at: Date }) =>
      addCharge(charge, at),
    ),
    findCharge: (reference: string) => read(find, toCharge, reference),
    /** Voids an undecided charge. Adds a tombstone for an unknown reference, so that a later charge is refused. */
    voidCharge(reference: string, id: string, reason: string, at: Date): void {
      tombstone.run(reference, id, reason, at.getTime())
    },
  }
}

function challenges(db: DatabaseSync) {
  const add = db.prepare('insert into challenges values (?, ?, ?, ?, ?)')
  const columns = `select acs_id, server_id, reference, notification_url, passed,
      exists (select 1 from unframed_challenges as unframed where unframed.reference = challenges.reference) as is_unframed
    from challenges where`
  const byId = db.prepare(`${columns} acs_id = ?`)
  const byReference = db.prepare(`${columns} reference = ?`)
  const decide = db.prepare(
    `update charges set status = ?, reason = ? where reference = ? and status = 'challenge'`,
  )
  const refuseFrames = db.prepare('insert into unframed_challenges values (?)')
  const listen = db.prepare('insert into challenge_listeners values (?, ?)')
  const listener = db.prepare('select callback_url from challenge_listeners where reference = ?')
  return {
    addChallenge(challenge: Challenge, callbackUrl: string): void {
      const { acsTransID, threeDSServerTransID, reference, notificationUrl, passed } = challenge
      add.run(acsTransID, threeDSServerTransID, reference, notificationUrl, passed)
      if (challenge.refusesFrames) refuseFrames.run(reference)
      if (callbackUrl !== '') listen.run(reference, callbackUrl)
    },
    callbackUrlOf: (reference: string) => listener.get(reference)?.callback_url?.toString(),
    findChallenge: (acsTransID: string) => read(byId, toChallenge, acsTransID),
    challengeOf: (reference: string) => read(byReference, toChallenge, reference),
    /** Decides a challenge. Returns false, and changes nothing, after an earlier answer or a void. */
    decideChallenge: (reference: string, status: ChargeStatus, reason: string): boolean =>
      decide.run(status, reason, reference).changes === 1,
  }
}

function chargebacks(db: DatabaseSync) {
  const add = db.prepare('insert into chargebacks values (?, ?)')
  const due = db.prepare(`select reference, id, amount, currency, status, reason, due_at
    from chargebacks join charges using (reference) where due_at between ? and ? order by due_at limit ?`)
  return {
    addChargeback: (reference: string, dueAt: number) => void add.run(reference, dueAt),
    chargebacksDue: (since: Date, until: Date, limit: number) =>
      due.all(since.getTime(), until.getTime(), limit).map(toDisputedCharge),
  }
}

function refunds(db: DatabaseSync) {
  const add = db.prepare('insert into refunds values (?, ?, ?, ?, ?, ?, ?)')
  const columns =
    'select refund_reference, id, reference, amount, currency, failure, due_at from refunds where'
  const find = db.prepare(`${columns} refund_reference = ?`)
  const ofCharge = db.prepare(`${columns} reference = ?`)
  return {
    addRefund(refund: Refund): void {
      const { refundReference, id, reference, amount, currency, failure, dueAt } = refund
      add.run(refundReference, id, reference, amount, currency, failure, dueAt)
    },
    findRefund: (refundReference: string) => read(find, toRefund, refundReference),
    refundsOf: (reference: string) => ofCharge.all(reference).map(toRefund),
  }
}

function statement(db: DatabaseSync) {
  const lines = db.prepare(`select reference, type, amount, currency from (
      select reference, 'payment' as type, amount, currency, at from charges where status = 'captured'
      union all select refund_reference, 'refund', amount, currency, due_at from refunds where failure = ''
      union all select reference, 'chargeback', amount, currency, due_at from chargebacks join charges using (reference)
    ) where at >= ? and at < min(?, ?) order by at, type, reference`)
  return {
    /** The movements that became final on this day, and not later than `now`. */
    linesOf: ({ fromMs, untilMs }: Day, now: Date) =>
      lines.all(fromMs, untilMs, now.getTime() + 1).map(toLine),
  }
}

type Row = Record<string, SQLOutputValue>

function read<Value>(statement: StatementSync, toValue: (row: Row) => Value, key: string): Value | undefined {
  const row = statement.get(key)
  return row === undefined ? undefined : toValue(row)
}

const toCharge = (row: Row): Charge => ({
  reference: text(row, 'reference'),
  id: text(row, 'id'),
  amount: text(row, 'amount'),
  currency: text(row, 'currency'),
  status: oneOf(row, 'status', ['captured', 'declined', 'challenge', 'voided']),
  reason: text(row, 'reason'),
})

const toDisputedCharge = (row: Row): Charge & { readonly dueAt: number } => {
  return { ...toCharge(row), dueAt: Number(row.due_at) }
}

const toChallenge = (row: Row): Challenge => ({
  acsTransID: text(row, 'acs_id'),
  threeDSServerTransID: text(row, 'server_id'),
  reference: text(row, 'reference'),
  notificationUrl: text(row, 'notification_url'),
  passed: oneOf(row, 'passed', ['captured', 'declined']),
  refusesFrames: row.is_unframed === 1,
})

const toRefund = (row: Row): Refund => ({
  refundReference: text(row, 'refund_reference'),
  id: text(row, 'id'),
  reference: text(row, 'reference'),
  amount: text(row, 'amount'),
  currency: text(row, 'currency'),
  failure: text(row, 'failure'),
  dueAt: Number(row.due_at),
})

function text(row: Row, column: string): string {
  return String(row[column])
}

function oneOf<const Value extends string>(row: Row, column: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === row[column])
  if (found === undefined) throw new Error(`the card book has an invalid ${column}`)
  return found
}
