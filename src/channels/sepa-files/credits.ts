// Counts money that came in, once, however often and in whichever files the bank reports it.
//
// Invariant: one `entry` per booking, with its key in every file (entry-keys.ts). Its deposits and
// unmatched credits are added in the same write and, with returns of our own transfers, add up to it. A booking is counted on
// one level. A file without its details counts it as an unmatched whole, until another file has them.
import type { Money } from '../../base/money.ts'
import { isObject } from '../../base/object.ts'
import type { ChannelStore, RecordBody, RecordChange } from '../store.ts'
import type { Entry, Part, Statement } from './camt.ts'
import type { PaymentReferences } from './payment-reference.ts'
import { isSame, moneyBody, readMoney, shown, textIn } from './transfers.ts'

export type CreditDeps = { readonly store: ChannelStore; readonly references: PaymentReferences }

/** A line for `tollgate reconcile`. */
export type ReadLine = {
  readonly reference: string
  readonly type: 'payment' | 'refund' | 'payout'
  readonly money: Money
  readonly day: string
}

/** What an entry changes. */
export type Changes = {
  readonly records: readonly RecordChange[]
  /** The payments, refunds and payouts that it is about. */
  readonly ask: readonly string[]
  /** One sentence each, for the operator. */
  readonly alarms: readonly string[]
  /** As it is counted, also if an earlier file brought it. */
  readonly lines: readonly ReadLine[]
}

export const NOTHING: Changes = { records: [], ask: [], alarms: [], lines: [] }

/** One transfer to us, with the payment that it names. */
export type Credit = {
  readonly money: Money
  readonly part: Part | undefined
  readonly reference: string | undefined
}

/** Undefined for an announcement without the bank's reference: the statement brings it again and could not be told apart. */
export function entryKey(statement: Statement, entry: Entry, position: number): string | undefined {
  if (entry.bankRef !== '') return `${statement.iban} ${entry.bankRef}`
  if (statement.kind === 'notification') return undefined
  return `${statement.iban} ${statementKey(statement)} ${position} ${entry.fingerprint}`
}

/** The same for copies of a statement. */
export function statementKey({ closing, sequence, id }: Statement): string {
  return `${closing?.day ?? ''} ${sequence === '' ? id : sequence.padStart(9, '0')}`
}

/** The transfers of an entry, if they add up to it; otherwise the entry as a whole. */
export function partsOf({
  money,
  parts,
}: Entry): readonly { readonly money: Money; readonly part: Part | undefined }[] {
  const [first] = parts
  const each = parts.flatMap((part) => (part.money === undefined ? [] : [{ money: part.money, part }]))
  const sum = each.reduce((total, one) => total + one.money.amount, 0n)
  const isWhole =
    each.length === parts.length &&
    sum === money.amount &&
    each.every((one) => one.money.currency === money.currency)
  return parts.length > 1 && isWhole ? each : [{ money, part: parts.length === 1 ? first : undefined }]
}

export async function findPayment(deps: CreditDeps, part: Part | undefined): Promise<string | undefined> {
  const number = deps.references.numberIn(part?.texts ?? [])
  return number === undefined ? undefined : deps.store.referenceOf(number)
}

/** `credits` are the parts of the entry that are not returns of our own transfers. */
export async function countCredits(
  { store }: CreditDeps,
  entry: Entry,
  key: string,
  credits: readonly Credit[],
): Promise<Changes> {
  const found = (await store.find({ kind: 'entry', key }))?.body
  if (found === undefined) return addCredits(entry, key, credits)
  if (!isCountedAs(found, entry.money)) return addOther(entry, key)
  if (namesAnother(found, key, credits)) return addOther(entry, `${key} ${credits[0]?.reference}`)
  const knowsMore = credits.length !== 1 || credits[0]?.reference !== undefined
  const whole = knowsMore && found.parts === 1 ? await store.find({ kind: 'unmatched', key }) : undefined
  if (whole === undefined) return { ...NOTHING, lines: linesIn(found, entry) }
  const changes = addCredits(entry, key, credits)
  return { ...changes, records: [{ remove: { kind: 'unmatched', key } }, ...changes.records] }
}

function addCredits(entry: Entry, key: string, credits: readonly Credit[]): Changes {
  const keyed = credits.map((credit, at) => ({
    ...credit,
    key: credits.length > 1 ? `${key} ${at + 1}` : key,
  }))
  const lines = keyed.map(({ reference, key: own, money }) => ({
    reference: reference ?? own,
    ...moneyBody(money),
  }))
  const body = { ...moneyBody(entry.money), parts: credits.length, lines, print: entry.fingerprint }
  const unmatched = credits.filter(({ reference }) => reference === undefined)
  return {
    records: [
      ...untold(entry, key, credits),
      { put: { kind: 'entry', key, body } },
      ...keyed.map((credit) => toRecord(entry, credit.key, credit)),
    ],
    ask: credits.flatMap(({ reference }) => reference ?? []),
    alarms: unmatched.map(({ money }) => `${shown(money)} of ${entry.day} names no payment`),
    lines: linesIn(body, entry),
  }
}

/** A further booking under one reference may have come alone before, when nobody could tell it from the first. */
function untold({ money }: Entry, key: string, credits: readonly Credit[]): RecordChange[] {
  const [first] = key.split(' #')
  if (first === undefined || first === key) return []
  const keys = [otherKey(first, money), ...credits.map((one) => otherKey(`${first} ${one.reference}`, money))]
  return keys.map((one) => ({ remove: { kind: 'unmatched', key: one } }))
}

function linesIn({ lines }: RecordBody, { day }: Entry): ReadLine[] {
  return (Array.isArray(lines) ? lines.filter(isObject) : []).flatMap((line) => {
    const money = readMoney(line)
    return money === undefined
      ? []
      : [{ reference: textIn(line, 'reference'), type: 'payment' as const, money, day }]
  })
}

export function isCountedAs(body: RecordBody, money: Money): boolean {
  const counted = readMoney(body)
  return counted !== undefined && isSame(counted, money)
}

/** Whether exactly these were counted: payments, or the keys of credits that name none. */
export function isNamedIn({ lines }: RecordBody, references: readonly (string | undefined)[]): boolean {
  const counted = Array.isArray(lines) ? lines.filter(isObject).map(({ reference }) => reference) : []
  return counted.length === references.length && counted.every((one, at) => one === references[at])
}

/** A transfer for one payment under the reference of a transfer for another one: the bank uses its references again. */
function namesAnother({ lines }: RecordBody, key: string, credits: readonly Credit[]): boolean {
  const [counted, ...others] = Array.isArray(lines) ? lines.filter(isObject) : []
  const [named, ...more] = credits.map(({ reference }) => reference)
  if (counted === undefined || named === undefined || others.length + more.length > 0) return false
  return counted.reference !== key && counted.reference !== named
}

/** Two bookings under one reference: which of them is new cannot be told, so an operator must look. */
function addOther(entry: Entry, key: string): Changes {
  const { money, day } = entry
  const reference = otherKey(key, money)
  return {
    records: [toRecord(entry, reference, { money, part: undefined, reference: undefined })],
    ask: [],
    alarms: [`${shown(money)} of ${day} has the bank reference of another booking`],
    lines: [{ reference, type: 'payment', money, day }],
  }
}

function otherKey(key: string, { amount }: Money): string {
  return `${key} ${amount}`
}

function toRecord(entry: Entry, key: string, { money, part, reference }: Credit): RecordChange {
  const body = {
    ...moneyBody(money),
    at: entry.at.toISOString(),
    payerName: (part?.payerName ?? '').slice(0, 140),
    payerAccount: part?.payerAccount ?? '',
  }
  if (reference !== undefined) return { add: { kind: 'deposit', key, reference, body } }
  const text = (part?.texts ?? []).join(' ').slice(0, 500)
  return { add: { kind: 'unmatched', key, body: { ...body, day: entry.day, text } } }
}
