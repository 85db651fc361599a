// The counterparties' own books, read from their files: payments, refunds, payouts and disputes. The gateway never sees
// these files.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isObject } from '../src/platform/base/object.ts'

export type ChargeStatus = 'open' | 'paid' | 'declined' | 'cancelled'

export type TheirCharge = {
  readonly book: string
  readonly reference: string
  readonly status: ChargeStatus
  /** The sum of the payer's money; zero while nothing has arrived. */
  readonly received: bigint
  readonly currency: string
  /** False for a wallet, which only approves a payment. The card issuer then takes the money. */
  readonly takesMoney: boolean
}

export type TheirRefund = {
  readonly book: string
  readonly refundReference: string
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly succeeds: boolean
  /** The time from which the counterparty reports the outcome. */
  readonly dueAt: number
}

export type TheirPayout = {
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly succeeds: boolean
  /** The time from which the bank reports the outcome. */
  readonly dueAt: number
  /** The amount that the beneficiary's bank sent back. */
  readonly returned: bigint | undefined
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
/** The lease of a callback that is being sent. A callback that is due after a longer time waits for a retry. */
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

/** Makes callbacks due now if they wait for a retry, which may be minutes away. A pause is too short for this. */
export function retryCallbacks(dataDir: string): void {
  const folder = join(dataDir, 'sandbox')
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.sqlite')) continue
    const db = new DatabaseSync(join(folder, name), { timeout: BUSY_MS })
    db.prepare('update outbox set due_at = 0, tries = 0 where due_at > ?').run(Date.now() + LEASE_MS)
    db.close()
  }
}

const nothing: CounterpartyBooks = { charges: [], refunds: [], payouts: [], disputes: [], unsent: [] }

function readBook(folder: string, book: string): CounterpartyBooks {
  const db = new DatabaseSync(join(folder, `${book}.sqlite`), { readOnly: true, timeout: BUSY_MS })
  try {
    if (book === PAYOUT_BANK) return { ...nothing, ...readPayouts(db) }
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

/**
 * Reads the payout bank's book. `unsent` contains only reports of returns, because the gateway queries payouts until
 * they are decided.
 */
function readPayouts(db: DatabaseSync): Pick<CounterpartyBooks, 'payouts' | 'unsent'> {
  const rows = db
    .prepare(`select p.*, coalesce(a.amount, case when r.reference is not null then p.amount end) as returned
      from payouts p left join returns r using (reference) left join returned_amounts a using (reference)`)
    .all()
  const unsent = db.prepare('select key from outbox join returns on reference = key').all()
  return {
    payouts: rows.map((row) => ({
      reference: String(row.reference),
      amount: BigInt(String(row.amount)),
      currency: String(row.currency),
      succeeds: row.failure === '',
      dueAt: Number(row.due_at),
      returned: row.returned === null ? undefined : BigInt(String(row.returned)),
    })),
    unsent: unsent.map(({ key }) => String(key)),
  }
}

function readCards(
  db: DatabaseSync,
  book: string,
): Pick<CounterpartyBooks, 'charges' | 'refunds' | 'disputes'> {
  const charges = db.prepare('select reference, amount, currency, status from charges').all()
  const refunds = db
    .prepare('select refund_reference, reference, amount, currency, failure, due_at from refunds')
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
      dueAt: Number(row.due_at),
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
      dueAt: Number(fieldOf(content, 'dueAt')),
    })),
  }
}

/**
 * True for a charge that only reserves its reference: a Pix charge that is valid for one second, or a WeChat charge
 * with the description `Cancelled`. No payer gets the code of such a charge.
 */
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
