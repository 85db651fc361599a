// The payout bank's own database, in a file beside the card issuer's. The database contains no account or card numbers.
import { DatabaseSync } from 'node:sqlite'
import { openSecretFile } from '../src/platform/base/secret-file.ts'
import { inTransaction, useWal } from './card-book.ts'
import { openOutbox } from './outbox.ts'
import { type Day, toLine } from './statement.ts'

export type SentPayout = {
  readonly reference: string
  readonly id: string
  readonly kind: string
  readonly amount: string
  readonly currency: string
  readonly last4: string
  /** The reason for the failure; '' if the payout succeeds at `dueAt`. */
  readonly failure: string
  readonly dueAt: number
}

export type GivenBack = { readonly reason: string; readonly amount: string }

export type PayoutBook = ReturnType<typeof openPayoutBook>

const schema = `
  create table if not exists payouts (
    reference text primary key, id text not null, kind text not null, amount text not null, currency text not null,
    last4 text not null, failure text not null, due_at integer not null
  ) without rowid;
  create table if not exists tokens (token text primary key, last4 text not null) without rowid;
  create table if not exists listeners (reference text primary key, callback_url text not null) without rowid;
  create table if not exists returns (reference text primary key, reason text not null) without rowid;
  create table if not exists returned_amounts (reference text primary key, amount text not null) without rowid;`

const BUSY_MS = 10_000

export function openPayoutBook(file: string) {
  openSecretFile(file)
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  useWal(db)
  inTransaction(db, () => db.exec(schema))
  const insert = db.prepare('insert into payouts values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing')
  const find = db.prepare('select * from payouts where reference = ?')
  const count = db.prepare('select count(*) as payouts from payouts')
  const insertToken = db.prepare('insert into tokens values (?, ?)')
  const selectToken = db.prepare('select last4 from tokens where token = ?')
  const listen = db.prepare('insert into listeners values (?, ?) on conflict do nothing')
  const listener = db.prepare('select callback_url from listeners where reference = ?')
  const giveBack = db.prepare('insert into returns values (?, ?) on conflict do nothing')
  const givenBack =
    db.prepare(`select reason, amount from returns left join returned_amounts using (reference)
    where reference = ?`)
  const giveAmount = db.prepare('insert into returned_amounts values (?, ?) on conflict do nothing')
  const paid = db.prepare(`select reference, 'payout' as type, amount, currency from payouts
    where failure = '' and due_at >= ? and due_at < min(?, ?) order by due_at, reference`)
  const outbox = inTransaction(db, () => openOutbox(db))

  function findPayout(reference: string): SentPayout | undefined {
    const row = find.get(reference)
    return row && toPayout(row)
  }

  return {
    /**
     * Adds the payout unless its reference is known. Returns the stored payout of the reference. Once a new payout is
     * decided, a callback goes to `callbackUrl`.
     */
    addPayout(payout: SentPayout, callbackUrl: string): SentPayout {
      const { reference, id, kind, amount, currency, last4, failure, dueAt } = payout
      const isNew = insert.run(reference, id, kind, amount, currency, last4, failure, dueAt).changes === 1
      if (isNew && callbackUrl !== '') {
        listen.run(reference, callbackUrl)
        outbox.add(reference, dueAt)
      }
      return findPayout(reference) ?? payout
    },
    callbackUrlOf: (reference: string) => listener.get(reference)?.callback_url?.toString(),
    giveBack(reference: string, { reason, amount }: GivenBack): void {
      giveBack.run(reference, reason)
      giveAmount.run(reference, amount)
      outbox.add(reference)
    },
    /**
     * The reason and the amount of a return; undefined if the payout was not returned. A return without a stored amount
     * was in full.
     */
    returnOf({ reference, amount }: Pick<SentPayout, 'reference' | 'amount'>): GivenBack | undefined {
      const row = givenBack.get(reference)
      return row && { reason: String(row.reason), amount: String(row.amount ?? amount) }
    },
    /** The payouts that were paid on this day, and not later than `now`. */
    linesOf: ({ fromMs, untilMs }: Day, now: Date) =>
      paid.all(fromMs, untilMs, now.getTime() + 1).map(toLine),
    outbox,
    findPayout,
    countPayouts: () => Number(count.get()?.payouts),
    addToken: (token: string, last4: string) => void insertToken.run(token, last4),
    findToken: (token: string) => selectToken.get(token)?.last4?.toString(),
    close: () => db.close(),
  }
}

function toPayout(row: Readonly<Record<string, unknown>>): SentPayout {
  return {
    reference: String(row.reference),
    id: String(row.id),
    kind: String(row.kind),
    amount: String(row.amount),
    currency: String(row.currency),
    last4: String(row.last4),
    failure: String(row.failure),
    dueAt: Number(row.due_at),
  }
}
