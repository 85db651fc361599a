// Compares a channel's statement with our records, and reports what is missing on either side and what differs. Money that
// arrived and is not booked goes to suspense, once, however often the file is read. A reference of ours determines its order
// and channel, whichever channel the file is imported for; a payment without one is booked as unmatched.
import type { Clock } from '../base/clock.ts'
import { addDays } from '../base/local-day.ts'
import type { Money } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { channelAccount } from '../ledger/account.ts'
import { wasBookedOn } from '../ledger/read-balances.ts'
import { attemptOf } from '../orders/order.ts'
import { findDepositAttempts } from '../payments/deposits/find-deposits.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { bookSuspense, findSuspense, type NewSuspense } from '../suspense/book-suspense.ts'
import { compareLine, type LineKind } from './compare-line.ts'
import { findOwn, type Own, readDone } from './find-movements.ts'
import { type PaymentLine, reconcilePayments } from './listed-payments.ts'
import { lineTypes, type StatementLine } from './statement-line.ts'

export type Difference = {
  readonly kind: Exclude<LineKind, 'matched'> | 'missing there'
  readonly type: StatementLine['type']
  readonly reference: string
  readonly line: number | undefined
  readonly tradeNo: string | undefined
  readonly theirs: Money | undefined
  readonly ours: Money | undefined
}

export type Report = {
  readonly channel: string
  /** The days of the file; undefined when it has no line. */
  readonly days: { readonly first: string; readonly last: string } | undefined
  readonly lines: number
  readonly matched: number
  readonly different: number
  /** The first of them. */
  readonly differences: readonly Difference[]
  /** The number of rows that this run booked to suspense. */
  readonly booked: number
  readonly fees: ReadonlyMap<string, bigint>
  /** The number of lines of other channels, by channel. They are compared and booked there. */
  readonly otherChannels: ReadonlyMap<string, number>
}

const PIECE = 500
const MAX_LISTED = 1_000

type Tally = {
  matched: number
  different: number
  booked: number
  differences: Difference[]
  otherChannels: Map<string, number>
}

/** The state that the pieces of a file share. */
type Run = {
  readonly channel: string
  readonly tally: Tally
  /** How often each reference, and each equal line, has occurred in the file so far. */
  readonly seen: Map<string, number>
  readonly equal: Map<string, number>
}

export type ReconcileDeps = {
  readonly db: Db
  readonly clock: Clock
  /** Called with the number of lines that are compared. */
  readonly progress?: ((done: number) => void) | undefined
}

export async function reconcile(
  { db, clock, progress }: ReconcileDeps,
  channel: string,
  lines: readonly StatementLine[],
): Promise<Report> {
  await requireUsed(db, channel)
  const tally: Tally = { matched: 0, different: 0, booked: 0, differences: [], otherChannels: new Map() }
  const run: Run = { channel, tally, seen: new Map(), equal: new Map() }
  for (let start = 0; start < lines.length; start += PIECE) {
    const piece = lines.slice(start, start + PIECE)
    await db.transaction((tx) => reconcilePiece(tx, run, piece, clock.now()))
    progress?.(start + piece.length)
  }
  const days = daysOf(lines)
  if (days !== undefined) await db.transaction((tx) => findMissingThere(tx, run, days))
  return { channel, days, lines: lines.length, ...tally, fees: feesOf(lines) }
}

/** With a misspelt name the whole file would go to suspense. */
export async function requireUsed(db: Db, channel: string): Promise<void> {
  if (!(await wasBookedOn(db, channelAccount(channel))))
    throw new OperatorRefusal(`no money has ever passed through a channel ${channel}`)
}

type Compared = {
  readonly line: StatementLine
  readonly kind: LineKind
  readonly own: Own | undefined
  readonly ours: Money | undefined
  /** Money without a known owner, to be booked to suspense. */
  readonly unmatched?: NewSuspense | undefined
}

async function reconcilePiece(tx: Tx, run: Run, piece: readonly StatementLine[], at: Date): Promise<void> {
  const { tally, seen, equal } = run
  const lines = (await withOurReferences(tx, run.channel, piece)).map((line): PaymentLine => {
    return { ...line, occurrence: countOf(equal, equalityOf(line)) }
  })
  const payments = lines.filter(({ type }) => type === 'payment')
  const { booked, compared: listed } = await reconcilePayments(tx, payments, at)
  const known = await findOutgoing(tx, lines)
  const compared = lines.map((line): Compared => {
    const occurrence = countOf(seen, keyOf(line))
    const payment = listed.get(line)
    if (payment !== undefined) return { line, ...payment, ours: payment.known ?? doneMoney(payment.own) }
    const own = known.get(keyOf(line))
    const kind = compareLine(line, own, occurrence)
    const unmatched = line.type === 'payment' ? unmatchedOf(run.channel, line, occurrence, at) : undefined
    return { line, kind, own, ours: own?.money, unmatched }
  })
  const toBook = compared.flatMap(({ unmatched }) => unmatched ?? [])
  tally.booked += booked + (await bookSuspense(tx, toBook)).length
  const decided = await decidedReferences(tx, run.channel, toBook)
  for (const one of compared) note(run, one, decided)
}

/** Replaces the channel's reference of a deposit by our reference of its attempt. */
async function withOurReferences(
  tx: Tx,
  channel: string,
  lines: readonly StatementLine[],
): Promise<readonly StatementLine[]> {
  const others = lines.filter(({ type, reference }) => type === 'payment' && !attemptOf(reference))
  const names = await findDepositAttempts(
    tx,
    channel,
    others.map(({ reference }) => reference),
  )
  return lines.map((line) => {
    const reference = line.type === 'payment' ? names.get(line.reference) : undefined
    return reference === undefined ? line : { ...line, reference }
  })
}

/** Increments the count and returns it. */
function countOf(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}

function equalityOf({ type, reference, day, money }: StatementLine): string {
  return `${type} ${reference} ${day} ${money.amount} ${money.currency}`
}

function doneMoney({ standing, money }: Own): Money | undefined {
  return standing === 'failed' ? undefined : money
}

async function findOutgoing(tx: Tx, lines: readonly StatementLine[]): Promise<Map<string, Own>> {
  const found = new Map<string, Own>()
  for (const type of lineTypes.filter((one) => one !== 'payment')) {
    const references = lines.filter((line) => line.type === type).map((line) => line.reference)
    for (const own of await findOwn(tx, type, references)) found.set(keyOf(own), own)
  }
  return found
}

function unmatchedOf(channel: string, line: StatementLine, occurrence: number, at: Date): NewSuspense {
  const reference = occurrence === 1 ? line.reference : `${line.reference}#${occurrence}`
  return { merNo: 0, channel, reference, origin: 'statement', money: line.money, why: 'unmatched', at }
}

/** References of money that an operator has decided on since an earlier run: no difference is left. */
async function decidedReferences(
  tx: Tx,
  channel: string,
  items: readonly NewSuspense[],
): Promise<Set<string>> {
  const found = await findSuspense(tx, channel, items)
  return new Set(found.filter((item) => item.state !== 'held').map((item) => item.reference))
}

function note({ channel, tally }: Run, compared: Compared, decided: ReadonlySet<string>): void {
  const { line, kind, own, ours, unmatched } = compared
  if (own !== undefined && own.channel !== channel) countOf(tally.otherChannels, own.channel)
  if (kind === 'matched' || decided.has(unmatched?.reference ?? '')) {
    tally.matched++
    return
  }
  const { type, reference, money: theirs } = line
  list(tally, { kind, type, reference, line: line.line, tradeNo: own?.tradeNo, theirs, ours })
}

async function findMissingThere(
  tx: Tx,
  { channel, seen, tally }: Run,
  { first, last }: { first: string; last: string },
): Promise<void> {
  const from = new Date(`${first}T00:00:00Z`)
  const until = new Date(`${addDays(last, 1)}T00:00:00Z`)
  for await (const piece of readDone(tx, { channel, from, until })) {
    for (const own of piece.filter((one) => !seen.has(keyOf(one)))) {
      const { type, reference, tradeNo, money: ours } = own
      list(tally, {
        kind: 'missing there',
        type,
        reference,
        line: undefined,
        tradeNo,
        theirs: undefined,
        ours,
      })
    }
  }
}

function list(tally: Tally, difference: Difference): void {
  tally.different++
  if (tally.differences.length < MAX_LISTED) tally.differences.push(difference)
}

function keyOf({ type, reference }: Pick<Own, 'type' | 'reference'>): string {
  return `${type} ${reference}`
}

function daysOf(lines: readonly StatementLine[]): Report['days'] {
  const days = lines.map((line) => line.day).sort()
  const [first, last] = [days[0], days.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

function feesOf(lines: readonly StatementLine[]): Map<string, bigint> {
  const fees = new Map<string, bigint>()
  for (const { fee, money } of lines) fees.set(money.currency, (fees.get(money.currency) ?? 0n) + fee)
  return fees
}
