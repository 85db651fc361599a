// A bank's own database, separate from the gateway's like that of a real counterparty. A reference has one row, which
// the first request creates. Several processes may share the file.
import { DatabaseSync } from 'node:sqlite'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { openSecretFile } from '../../src/platform/base/secret-file.ts'
import { inTransaction, useWal } from '../card-book.ts'
import { openOutbox } from '../outbox.ts'
import { type Day, toLine } from '../statement.ts'
import {
  type BankCharge,
  type BankDeposit,
  type BankDispute,
  type BankOrder,
  type ChargeStatus,
  disputeStages,
  type RefundOrder,
} from './charge.ts'

export type BankBook = ReturnType<typeof openBankBook>

/** A stored refund, whose outcome is known immediately and reported when it is due. */
export type BookedRefund = RefundOrder & {
  readonly id: string
  /** The reason of the failure; '' if the refund succeeds. */
  readonly failure: string
  readonly dueAt: number
}

/** A stored charge, without its deposits. */
export type BookedCharge = Omit<BankCharge, 'deposits' | 'openedAt'> & { readonly openedAt: number }

const schema = `
  create table if not exists charges (
    reference text primary key, id text not null unique, no integer not null, status text not null,
    reason text not null, opened_at integer not null, content text not null
  ) without rowid;
  create index if not exists charges_no on charges (no);
  create table if not exists deposits (
    no integer primary key, id text not null unique, reference text not null, at integer not null,
    content text not null
  );
  create index if not exists deposits_of_charge on deposits (reference, no);
  create table if not exists refunds (
    refund_reference text primary key, reference text not null, content text not null
  ) without rowid;
  create index if not exists refunds_of_charge on refunds (reference);
  create table if not exists disputes (
    reference text primary key, id text not null, amount text not null, currency text not null,
    stage text not null, at integer not null, respond_by integer not null
  ) without rowid;`

const BUSY_MS = 10_000

export function openBankBook(file: string) {
  openSecretFile(file)
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  useWal(db)
  inTransaction(db, () => db.exec(schema))
  return {
    ...charges(db),
    ...deposits(db),
    ...refunds(db),
    ...disputes(db),
    ...statement(db),
    outbox: inTransaction(db, () => openOutbox(db)),
    transaction: <Result>(work: () => Result) => inTransaction(db, work),
    close: () => db.close(),
  }
}

function charges(db: DatabaseSync) {
  const add = db.prepare('insert into charges values (?, ?, ?, ?, ?, ?, ?)')
  const columns = 'select reference, id, status, reason, opened_at, content from charges where'
  const byReference = db.prepare(`${columns} reference = ?`)
  const byId = db.prepare(`${columns} id = ?`)
  const last = db.prepare('select coalesce(max(no), 0) as no from charges')
  const decide = db.prepare(
    `update charges set status = ?, reason = ? where reference = ? and status = 'open'`,
  )
  const rewrite = db.prepare('update charges set content = ? where reference = ?')
  return {
    addCharge(charge: BookedCharge, no: number): void {
      const { reference, id, status, reason, openedAt, ...content } = charge
      add.run(reference, id, no, status, reason, openedAt, JSON.stringify(content))
    },
    /** The number of the next charge. Callers read the number in the transaction that adds the charge. */
    nextNo: () => Number(last.get()?.no) + 1,
    findCharge: (reference: string) => toCharge(byReference.get(reference)),
    findById: (id: string) => toCharge(byId.get(id)),
    /** Decides an open charge. Returns false if the charge was decided before, because the first decision is final. */
    decide: (reference: string, status: ChargeStatus, reason: string) =>
      decide.run(status, reason, reference).changes === 1,
    setExtra(charge: BookedCharge, extra: Fields): void {
      const { reference, id: _id, status: _status, reason: _reason, openedAt: _at, ...content } = charge
      rewrite.run(JSON.stringify({ ...content, extra }), reference)
    },
  }
}

function deposits(db: DatabaseSync) {
  const add = db.prepare(
    'insert into deposits (id, reference, at, content) values (?, ?, ?, ?) on conflict (id) do nothing',
  )
  const ofCharge = db.prepare('select id, at, content from deposits where reference = ? order by no')
  return {
    /** Returns false if the deposit exists already. */
    addDeposit(reference: string, { id, at, ...content }: BankDeposit): boolean {
      return add.run(id, reference, at.getTime(), JSON.stringify(content)).changes === 1
    },
    depositsOf: (reference: string) => ofCharge.all(reference).map(toDeposit),
  }
}

function refunds(db: DatabaseSync) {
  const add = db.prepare('insert into refunds values (?, ?, ?)')
  const find = db.prepare('select content from refunds where refund_reference = ?')
  const ofCharge = db.prepare('select content from refunds where reference = ?')
  return {
    addRefund: (refund: BookedRefund) =>
      void add.run(refund.refundReference, refund.reference, JSON.stringify(refund)),
    findRefund(refundReference: string): BookedRefund | undefined {
      const row = find.get(refundReference)
      return row && toRefund(row)
    },
    refundsOf: (reference: string) => ofCharge.all(reference).map(toRefund),
  }
}

function disputes(db: DatabaseSync) {
  const put = db.prepare(`insert into disputes values (?, ?, ?, ?, ?, ?, ?)
    on conflict (reference) do update set stage = excluded.stage, at = excluded.at`)
  const find = db.prepare('select * from disputes where reference = ?')
  const since = db.prepare('select * from disputes where at >= ? order by at limit ?')
  return {
    /** Adds the dispute of a charge, or updates its stage. A charge has at most one dispute. */
    putDispute({ reference, id, amount, currency, stage, at, respondBy }: BankDispute): void {
      put.run(reference, id, amount, currency, stage, at, respondBy)
    },
    findDispute(reference: string): BankDispute | undefined {
      const row = find.get(reference)
      return row && toDispute(row)
    },
    disputesSince: (at: Date, limit: number) => since.all(at.getTime(), limit).map(toDispute),
  }
}

function statement(db: DatabaseSync) {
  const lines = db.prepare(`select reference, type, amount, currency from (
      select reference, 'payment' as type, content ->> 'amount' as amount, content ->> 'currency' as currency, at
        from deposits
      union all select refund_reference, 'refund', content ->> 'amount', content ->> 'currency', content ->> 'dueAt'
        from refunds where content ->> 'failure' = ''
      union all select reference, 'chargeback', amount, currency, at from disputes where stage in ('open', 'lost')
    ) where at >= ? and at < min(?, ?) order by at, type, reference`)
  return {
    /** The movements that became final on this day, and not later than `now`. */
    linesOf: ({ fromMs, untilMs }: Day, now: Date) =>
      lines.all(fromMs, untilMs, now.getTime() + 1).map(toLine),
  }
}

type Row = Readonly<Record<string, unknown>>

function toDispute(row: Row): BankDispute {
  const stage = disputeStages.find((one) => one === row.stage)
  if (stage === undefined) throw new Error('the bank book holds no valid stage')
  return {
    reference: String(row.reference),
    id: String(row.id),
    amount: String(row.amount),
    currency: String(row.currency),
    stage,
    at: Number(row.at),
    respondBy: Number(row.respond_by),
  }
}

function toCharge(row: Row | undefined): BookedCharge | undefined {
  if (row === undefined) return undefined
  const content = contentOf(row)
  const names = ['account', 'bank', 'bic', 'paymentReference'] as const
  return {
    reference: String(row.reference),
    id: String(row.id),
    status: statusOf(row),
    reason: String(row.reason),
    openedAt: Number(row.opened_at),
    ...orderIn(content),
    ...Object.fromEntries(names.flatMap((name) => (name in content ? [[name, String(content[name])]] : []))),
  }
}

function orderIn(content: Fields): Omit<BankOrder, 'reference'> {
  return {
    amount: String(content.amount),
    currency: String(content.currency),
    returnUrl: String(content.returnUrl),
    callbackUrl: String(content.callbackUrl),
    payee: String(content.payee),
    extra: isObject(content.extra) ? content.extra : {},
  }
}

function toDeposit(row: Row): BankDeposit {
  const content = contentOf(row)
  const names = ['payerName', 'payerAccount', 'txHash', 'gasFee'] as const
  return {
    id: String(row.id),
    at: new Date(Number(row.at)),
    amount: String(content.amount),
    currency: String(content.currency),
    ...Object.fromEntries(names.flatMap((name) => (name in content ? [[name, String(content[name])]] : []))),
  }
}

function toRefund(row: Row): BookedRefund {
  const content = contentOf(row)
  return {
    refundReference: String(content.refundReference),
    reference: String(content.reference),
    amount: String(content.amount),
    currency: String(content.currency),
    id: String(content.id),
    failure: String(content.failure),
    dueAt: Number(content.dueAt),
  }
}

function contentOf(row: Row): Fields {
  const content: unknown = JSON.parse(String(row.content))
  if (!isObject(content)) throw new Error('the bank book holds a row without content')
  return content
}

function statusOf({ status }: Row): ChargeStatus {
  const known = ['open', 'paid', 'declined', 'cancelled'] as const
  const found = known.find((one) => one === status)
  if (found === undefined) throw new Error('the bank book holds no valid status')
  return found
}
