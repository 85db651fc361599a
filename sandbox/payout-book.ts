// The payout bank's own database, in a file beside the card issuer's. It contains no account or card numbers.
import { DatabaseSync } from 'node:sqlite'
import { openSecretFile } from '../src/base/secret-file.ts'
import { inTransaction, useWal } from './card-book.ts'

export type SentPayout = {
  readonly reference: string
  readonly id: string
  readonly kind: string
  readonly amount: string
  readonly currency: string
  readonly last4: string
  /** '' when it succeeds at `dueAt`, else the reason for its failure. */
  readonly failure: string
  readonly dueAt: number
}

export type PayoutBook = ReturnType<typeof openPayoutBook>

const schema = `
  create table if not exists payouts (
    reference text primary key, id text not null, kind text not null, amount text not null, currency text not null,
    last4 text not null, failure text not null, due_at integer not null
  ) without rowid;
  create table if not exists tokens (token text primary key, last4 text not null) without rowid;`

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

  function findPayout(reference: string): SentPayout | undefined {
    const row = find.get(reference)
    return row && toPayout(row)
  }

  return {
    /** Returns the payout of the reference: this one, or an earlier one. */
    addPayout(payout: SentPayout): SentPayout {
      const { reference, id, kind, amount, currency, last4, failure, dueAt } = payout
      insert.run(reference, id, kind, amount, currency, last4, failure, dueAt)
      return findPayout(reference) ?? payout
    },
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
