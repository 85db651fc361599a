// The counterparties' own books, read from their files: what they know of payments, refunds, payouts and disputes. The gateway
// never sees these files.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isObject } from '../src/base/object.ts'

export type ChargeStatus = 'open' | 'paid' | 'declined' | 'cancelled'

export type TheirCharge = {
  readonly book: string
  readonly reference: string
  readonly status: ChargeStatus
  /** What the payer's money came to; zero while there is none. */
  readonly received: bigint
  readonly currency: string
  /** False for the sheet of a wallet, which approves: the card issuer takes the money. */
  readonly takesMoney: boolean
}

export type TheirRefund = {
  readonly book: string
  readonly refundReference: string
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly succeeds: boolean
}

export type TheirPayout = {
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly succeeds: boolean
}

export type TheirDispute = {
  readonly reference: string
  readonly dueAt: number
  readonly amount: bigint
  readonly currency: string
}

export type CounterpartyBooks = {
  readonly charges: readonly TheirCharge[]
  readonly refunds: readonly TheirRefund[]
  readonly payouts: readonly TheirPayout[]
  readonly disputes: readonly TheirDispute[]
  /** References whose callback the gateway has not acknowledged. */
  readonly unsent: readonly string[]
}

const CARD_ISSUER = 'card-issuer'
const PAYOUT_BANK = 'payout-bank'
const BUSY_MS = 10_000
/** A callback that is due later than this is not under way. */
const LEASE_MS = 20_000
const wallets: readonly string[] = ['apple-pay', 'google-pay']

const statuses: Readonly<Record<string, ChargeStatus>> = {
  open: 'open',
  challenge: 'open',
  paid: 'paid',
  captured: 'paid',
  declined: 'declined',
  cancelled: 'cancelled',
  voided: 'cancelled',
}

export function readCounterpartyBooks(dataDir: string): CounterpartyBooks {
  const folder = join(dataDir, 'sandbox')
  const books = readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => readBook(folder, name.replace('.sqlite', '')))
  return {
    charges: books.flatMap(({ charges }) => charges),
    refunds: books.flatMap(({ refunds }) => refunds),
    payouts: books.flatMap(({ payouts }) => payouts),
    disputes: books.flatMap(({ disputes }) => disputes),
    unsent: books.flatMap(({ unsent }) => unsent),
  }
}

/** Callbacks whose retry is far away are due now: days of retries do not fit into a pause. */
export function retryCallbacks(dataDir: string): void {
  const folder = join(dataDir, 'sandbox')
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.sqlite') || name === `${PAYOUT_BANK}.sqlite`) continue
    const db = new DatabaseSync(join(folder, name), { timeout: BUSY_MS })
    db.prepare('update outbox set due_at = 0, tries = 0 where due_at > ?').run(Date.now() + LEASE_MS)
    db.close()
  }
}

const nothing: CounterpartyBooks = { charges: [], refunds: [], payouts: [], disputes: [], unsent: [] }

function readBook(folder: string, book: string): CounterpartyBooks {
  const db = new DatabaseSync(join(folder, `${book}.sqlite`), { readOnly: true, timeout: BUSY_MS })
  try {
    if (book === PAYOUT_BANK) return { ...nothing, payouts: readPayouts(db) }
    const unsent = db
      .prepare('select key from outbox')
      .all()
      .map(({ key }) => String(key))
    return book === CARD_ISSUER
      ? { ...nothing, ...readCards(db, book), unsent }
      : { ...nothing, ...readBank(db, book), unsent }
  } finally {
    db.close()
  }
}

function readPayouts(db: DatabaseSync): TheirPayout[] {
  const rows = db.prepare('select reference, amount, currency, failure from payouts').all()
  return rows.map((row) => ({
    reference: String(row.reference),
    amount: BigInt(String(row.amount)),
    currency: String(row.currency),
    succeeds: row.failure === '',
  }))
}

function readCards(
  db: DatabaseSync,
  book: string,
): Pick<CounterpartyBooks, 'charges' | 'refunds' | 'disputes'> {
  const charges = db.prepare('select reference, amount, currency, status from charges').all()
  const refunds = db
    .prepare('select refund_reference, reference, amount, currency, failure from refunds')
    .all()
  const disputes = db
    .prepare('select reference, due_at, amount, currency from chargebacks join charges using (reference)')
    .all()
  return {
    charges: charges.map((row) => ({
      book,
      reference: String(row.reference),
      status: statusOf(row.status),
      received: row.status === 'captured' ? BigInt(String(row.amount)) : 0n,
      currency: String(row.currency),
      takesMoney: true,
    })),
    refunds: refunds.map((row) => ({
      book,
      refundReference: String(row.refund_reference),
      reference: String(row.reference),
      amount: BigInt(String(row.amount)),
      currency: String(row.currency),
      succeeds: row.failure === '',
    })),
    disputes: disputes.map((row) => ({
      reference: String(row.reference),
      dueAt: Number(row.due_at),
      amount: BigInt(String(row.amount)),
      currency: String(row.currency),
    })),
  }
}

function readBank(db: DatabaseSync, book: string): Pick<CounterpartyBooks, 'charges' | 'refunds'> {
  const received = new Map<string, bigint>()
  for (const { reference, content } of db.prepare('select reference, content from deposits').all()) {
    const before = received.get(String(reference)) ?? 0n
    received.set(String(reference), before + BigInt(fieldOf(content, 'amount')))
  }
  const charges = db.prepare('select reference, status, content from charges').all()
  const refunds = db.prepare('select content from refunds').all()
  return {
    charges: charges.map(({ reference, status, content }) => ({
      book,
      reference: String(reference),
      status: isPlaceholder(content) && status === 'open' ? 'cancelled' : statusOf(status),
      received: received.get(String(reference)) ?? 0n,
      currency: fieldOf(content, 'currency'),
      takesMoney: !wallets.includes(book),
    })),
    refunds: refunds.map(({ content }) => ({
      book,
      refundReference: fieldOf(content, 'refundReference'),
      reference: fieldOf(content, 'reference'),
      amount: BigInt(fieldOf(content, 'amount')),
      currency: fieldOf(content, 'currency'),
      succeeds: fieldOf(content, 'failure') === '',
    })),
  }
}

/** A Pix charge that lasts a second, or WeChat's of one cent, only uses up its reference. Nobody was given its code. */
function isPlaceholder(content: unknown): boolean {
  return /"calendario":\{"expiracao":1\}|"payee":"Cancelled"/.test(String(content))
}

function statusOf(status: unknown): ChargeStatus {
  const known = statuses[String(status)]
  if (known === undefined) throw new Error(`a counterparty's charge has the unknown status ${status}`)
  return known
}

function fieldOf(content: unknown, name: string): string {
  const fields: unknown = JSON.parse(String(content))
  if (!isObject(fields)) throw new Error('a row of a bank has no content')
  return String(fields[name])
}
