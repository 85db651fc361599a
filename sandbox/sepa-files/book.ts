// The bank's own database: the messages that it took from the customer, and the bookings of the account.
import { DatabaseSync } from 'node:sqlite'
import { openSecretFile } from '../../src/platform/base/secret-file.ts'
import { inTransaction, useWal } from '../card-book.ts'

export type Booking = {
  readonly no: number
  /** Negative for a debit. */
  readonly cents: bigint
  /** Bookings of the same batch are one entry of a statement. A booking with '' has its own entry. */
  readonly batch: string
  readonly endToEndId: string
  readonly messageId: string
  readonly name: string
  readonly iban: string
  readonly text: string
  /** The reason of a return; '' for other bookings. */
  readonly reason: string
  readonly at: Date
}

export type NewBooking = Omit<Booking, 'no'>

const schema = `
  create table if not exists messages (id text primary key) without rowid;
  create table if not exists bookings (
    no integer primary key, cents text not null, batch text not null, end_to_end text not null, message text not null,
    name text not null, iban text not null, remittance text not null, reason text not null, at integer not null,
    statement integer
  );`

export type Book = ReturnType<typeof openBook>

export function openBook(file: string) {
  openSecretFile(file)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  useWal(db)
  inTransaction(db, () => db.exec(schema))
  const addMessage = db.prepare('insert into messages values (?) on conflict do nothing')
  const insert = db.prepare(
    `insert into bookings (cents, batch, end_to_end, message, name, iban, remittance, reason, at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = (where: string) => db.prepare(`select * from bookings where ${where} order by no`)
  const [unstated, stated, ofTransfer] = [
    select('statement is null'),
    select('statement is not null'),
    select('end_to_end = ?'),
  ]
  const state = db.prepare('update bookings set statement = ? where statement is null')
  const last = db.prepare('select coalesce(max(statement), 0) as no from bookings')
  return {
    /** Returns false if the bank already knows the message. */
    takeMessage: (id: string) => addMessage.run(id).changes > 0,
    book(bookings: readonly NewBooking[]): Booking[] {
      return inTransaction(db, () =>
        bookings.map((one) => {
          const { cents, batch, endToEndId, messageId, name, iban, text, reason, at } = one
          const values = [String(cents), batch, endToEndId, messageId, name, iban, text, reason, at.getTime()]
          return { ...one, no: Number(insert.run(...values).lastInsertRowid) }
        }),
      )
    },
    unstated: () => unstated.all().map(toBooking),
    stated: () => stated.all().map(toBooking),
    ofTransfer: (endToEndId: string) => ofTransfer.all(endToEndId).map(toBooking),
    /** Puts all bookings without a statement into a new statement, and returns its number. */
    closeStatement(): number {
      const no = Number(last.get()?.no) + 1
      state.run(no)
      return no
    },
    close: () => db.close(),
  }
}

function toBooking(row: Readonly<Record<string, unknown>>): Booking {
  return {
    no: Number(row.no),
    cents: BigInt(String(row.cents)),
    batch: String(row.batch),
    endToEndId: String(row.end_to_end),
    messageId: String(row.message),
    name: String(row.name),
    iban: String(row.iban),
    text: String(row.remittance),
    reason: String(row.reason),
    at: new Date(Number(row.at)),
  }
}
