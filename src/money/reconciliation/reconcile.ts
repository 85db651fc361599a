// Compares a channel's statement with our records, and reports movements that differ or are missing on one side. Money
// that arrived and is not booked goes to suspense once, even if the file is imported again. The money of an open
// attempt is left to the resolver. Money that only a replaced statement lists leaves suspense, unless an operator has
// decided on it. statement-line.ts defines which lines of two statements are the same. If a line has a reference of
// ours, the reference determines its order and channel, even if the file is imported for another channel. A payment
// without a reference of ours is booked as unmatched.
import type { Clock } from '../../platform/base/clock.ts'
import { makeId } from '../../platform/base/id.ts'
import { addDays } from '../../platform/base/local-day.ts'
import type { Money } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { channelAccount } from '../ledger/account.ts'
import { wasBookedOn } from '../ledger/read-balances.ts'
import { attemptOf } from '../orders/order.ts'
import type { Suspense } from '../suspense/suspense.ts'
import { compareLine, type Difference, type LineKind } from './compare-lines.ts'
import { findOwn, type Own, readDone } from './find-movements.ts'
import { lockLines, readNotRepeated, selectOfStatements } from './listed-sql.ts'
import type { PaymentLine, StoredLine } from './match-lines.ts'
import { isPayment, refuseRepeatedIds, withOurReferences } from './name-lines.ts'
import { findOwns, settleAttempts } from './settle-attempts.ts'
import { settleUnmatched } from './settle-unmatched.ts'
import { type Days, lineTypes, type StatementLine } from './statement-line.ts'
import { selectFetched, selectStatement, selectStatements } from './statement-sql.ts'
import { type Source, storeLines, type Touched, withdrawRest } from './store-lines.ts'

export type Report = {
  readonly statementId: string
  readonly channel: string
  /** The day of a fetched statement, or the first and last day of the file. Undefined if the file has no line. */
  readonly days: Days | undefined
  readonly lines: number
  readonly matched: number
  readonly different: number
  /** The differences of the file: at most MAX_LISTED of the kind `not repeated`, and at most MAX_LISTED others. */
  readonly differences: readonly Difference[]
  /** The number of rows that this import booked to suspense. */
  readonly booked: number
  /** The rows that this import withdrew from suspense. */
  readonly withdrawn: readonly Suspense[]
  readonly fees: ReadonlyMap<string, bigint>
  /** The number of lines that belong to other channels, by channel. Each line is booked for its own channel. */
  readonly otherChannels: ReadonlyMap<string, number>
}

const PIECE = 500
const MAX_LISTED = 1_000

type Tally = {
  matched: number
  different: number
  booked: number
  withdrawn: Suspense[]
  differences: Difference[]
  otherChannels: Map<string, number>
}

/** The state of one import, which all pieces of the file share. */
type Run = Source & {
  readonly channel: string
  readonly tally: Tally
  /**
   * The number of lines so far by type and reference, so that repeated lines are found. Withdrawn lines are counted
   * too, so that they are not also reported as missing.
   */
  readonly seen: Map<string, number>
}

type ReconcileDeps = {
  readonly db: Db
  readonly clock: Clock
  /** Reports the number of lines that have been compared so far. */
  readonly progress?: ((done: number) => void) | undefined
}

type About = {
  /** The day that the channel sent the statement for. The statement lists all movements of that day. */
  readonly day?: string | undefined
  /** The id of the earlier statement that this statement replaces, if an operator named one. */
  readonly replaces?: string | undefined
}

export async function reconcile(
  { db, clock, progress }: ReconcileDeps,
  channel: string,
  lines: readonly StatementLine[],
  { day, replaces }: About = {},
): Promise<Report> {
  await requireUsed(db, channel)
  const days = day === undefined ? daysOf(lines) : { first: day, last: day }
  const named = await withOurReferences(db, channel, lines)
  refuseRepeatedIds(named)
  const replaced = await findReplaced(db, channel, { day, replaces })
  const tally: Tally = {
    matched: 0,
    different: 0,
    booked: 0,
    withdrawn: [],
    differences: [],
    otherChannels: new Map(),
  }
  const ids = new Set(named.flatMap(({ id }) => id ?? []))
  const at = clock.now()
  const statementId = makeId('I', 0, at)
  const run: Run = {
    channel,
    tally,
    seen: new Map(),
    statementId,
    at,
    replaced,
    ids,
    isFetched: day !== undefined,
  }
  let done = 0
  for (const piece of inPieces(named)) {
    await db.transaction((tx) => reconcilePiece(tx, run, piece, clock.now()))
    done += piece.length
    progress?.(done)
  }
  while (replaced.size > 0 && (await db.transaction((tx) => withdrawPiece(tx, run, clock.now())))) {}
  if (days !== undefined) await db.transaction((tx) => findUnlisted(tx, run, days))
  // Differences without a line come last.
  tally.differences.sort((one, other) => (one.line ?? lines.length + 2) - (other.line ?? lines.length + 2))
  return { statementId, channel, days, lines: lines.length, ...tally, fees: feesOf(lines) }
}

/**
 * Refuses a channel that never had a booking. Otherwise, after a misspelt channel name, all money of the file would go
 * to suspense.
 */
export async function requireUsed(db: Db, channel: string): Promise<void> {
  if (!(await wasBookedOn(db, channelAccount(channel))))
    throw new OperatorRefusal(`no money has ever passed through a channel ${channel}`)
}

export async function requireStatement(db: Queryable, channel: string, statementId: string): Promise<void> {
  if ((await selectStatement(db, statementId))?.channel === channel) return
  const newest = await selectStatements(db, { channel, after: undefined, limit: NEWEST_NAMED })
  const names = newest.map((one) => `${one.statementId} (${one.fileName}, ${spanOf(one.days)})`)
  throw new OperatorRefusal(
    `${channel} has no statement ${statementId}; its newest are ${names.join(', ') || 'none'}`,
  )
}

/** The number of statements that a refusal names. */
const NEWEST_NAMED = 5

function spanOf(days: Days | undefined): string {
  return days === undefined ? 'no days' : `${days.first} to ${days.last}`
}

/** The maximum number of earlier fetches of a day that a fetch replaces. Usually the newest of them has all lines. */
const MAX_FETCHES = 20

/** Returns the ids of the earlier statements that a statement replaces, by the rules of statement-line.ts. */
async function findReplaced(db: Queryable, channel: string, { day, replaces }: About): Promise<Set<string>> {
  if (replaces !== undefined) await requireStatement(db, channel, replaces)
  const earlier = day === undefined ? [] : await selectFetched(db, channel, day, MAX_FETCHES)
  return new Set([...earlier, ...(replaces === undefined ? [] : [replaces])])
}

/** Splits a file into pieces. Lines with the same reference are settled together, so they are in the same piece. */
function inPieces(lines: readonly PaymentLine[]): PaymentLine[][] {
  const pieces: PaymentLine[][] = []
  let piece: PaymentLine[] = []
  for (const group of Map.groupBy(lines, keyOf).values()) {
    if (piece.length + group.length > PIECE && piece.length > 0) {
      pieces.push(piece)
      piece = []
    }
    piece.push(...group)
  }
  return piece.length === 0 ? pieces : [...pieces, piece]
}

type Compared = {
  readonly line: PaymentLine
  readonly kind: LineKind
  readonly own?: Own | undefined
  readonly ours?: Money | undefined
  readonly suspenseId?: string | undefined
}

async function reconcilePiece(tx: Tx, run: Run, piece: readonly PaymentLine[], at: Date): Promise<void> {
  await lockLines(tx)
  const known = await findOutgoing(tx, piece)
  const payments = await comparePayments(tx, run, piece.filter(isPayment), at)
  for (const line of piece) {
    const occurrence = countOf(run.seen, keyOf(line))
    const own = known.get(keyOf(line))
    note(run, payments.get(line) ?? { line, kind: compareLine(line, own, occurrence), own, ours: own?.money })
  }
}

async function comparePayments(
  tx: Tx,
  run: Run,
  lines: readonly PaymentLine[],
  at: Date,
): Promise<Map<StatementLine, Compared>> {
  if (lines.length === 0) return new Map()
  const owns = await findOwns(
    tx,
    lines.map(({ reference }) => reference),
  )
  // A line with a reference of ours belongs to the channel of its payment. Other lines belong to the imported channel.
  const owned = new Map(
    lines.map((line) => [{ ...line, channel: owns.get(line.reference)?.channel ?? run.channel }, line]),
  )
  const stored = await storeLines(tx, run, [...owned.keys()], (reference) => owns.has(reference))
  const { attempts, unmatched } = await settle(tx, run, stored, at)
  for (const line of stored.withdrawn) if (unmatched.decided.has(line.lineNo)) noteWithdrawn(run, line)
  const compared = new Map<StatementLine, Compared>()
  for (const [as, lineNo] of stored.lineNos) {
    const line = owned.get(as) ?? as
    const payment = attempts.compared.get(lineNo)
    const settled = unmatched.compared.get(lineNo)
    if (payment !== undefined)
      compared.set(line, { line, ...payment, ours: payment.known ?? doneMoney(payment.own) })
    else if (settled !== undefined) compared.set(line, { line, ...settled })
  }
  return compared
}

async function settle(tx: Tx, { tally }: Run, { attempts, unmatched, ended }: Touched, at: Date) {
  const settled = {
    attempts: await settleAttempts(tx, attempts, at),
    unmatched: await settleUnmatched(tx, unmatched, ended, at),
  }
  for (const { booked, withdrawn } of Object.values(settled)) {
    tally.booked += booked
    tally.withdrawn.push(...withdrawn)
  }
  return settled
}

/**
 * Withdraws at most `PIECE` lines of replaced statements that the new statement has not taken over or withdrawn,
 * because it does not name their references. Returns false if there are no such lines.
 */
async function withdrawPiece(tx: Tx, run: Run, at: Date): Promise<boolean> {
  await lockLines(tx)
  const lines = await selectOfStatements(tx, [...run.replaced], PIECE)
  if (lines.length === 0) return false
  const { attempts, unmatched } = await settle(tx, run, await withdrawRest(tx, run, lines), at)
  for (const line of lines) {
    const own = line.attempt === undefined ? undefined : attempts.unlisted.get(line.attempt)
    if (own !== undefined || unmatched.decided.has(line.lineNo)) noteWithdrawn(run, line, own)
  }
  return true
}

function noteWithdrawn({ tally, seen }: Run, { attempt, listedAs, money }: StoredLine, own?: Own): void {
  const reference = attempt ?? listedAs ?? ''
  countOf(seen, keyOf({ type: 'payment', reference }))
  const tradeNo = own?.tradeNo
  const nothing = { line: undefined, theirs: undefined }
  list(tally, { kind: 'withdrawn', type: 'payment', reference, tradeNo, ours: money, ...nothing })
}

function countOf(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
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

function note({ channel, tally }: Run, { line, kind, own, ours, suspenseId }: Compared): void {
  if (own !== undefined && own.channel !== channel) countOf(tally.otherChannels, own.channel)
  if (kind === 'matched') {
    tally.matched++
    return
  }
  const { type, reference, money: theirs } = line
  const difference = { kind, type, reference, line: line.line, tradeNo: own?.tradeNo, theirs, ours }
  list(tally, { ...difference, ...(suspenseId !== undefined && { suspenseId }) })
}

/** Finds our movements, and lines of earlier statements, that this statement does not list. */
async function findUnlisted(tx: Tx, run: Run, days: Days): Promise<void> {
  const { channel, seen, tally, statementId } = run
  const from = new Date(`${days.first}T00:00:00Z`)
  const until = new Date(`${addDays(days.last, 1)}T00:00:00Z`)
  const missing = new Set<string>()
  for await (const piece of readDone(tx, { channel, from, until })) {
    for (const own of piece.filter((one) => !seen.has(keyOf(one)))) {
      const { type, reference, tradeNo, money: ours } = own
      missing.add(keyOf(own))
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
  // Differences `not repeated` have a limit of their own, so that other differences do not use up their limit. The
  // import closes the same differences of earlier statements, so each of them must be listed again here.
  const notRepeated: Difference[] = []
  for await (const piece of readNotRepeated(tx, { channel, days, statementId })) {
    for (const { attempt, listedAs, money: ours, statementId: listedBy } of piece) {
      const line = { type: 'payment', reference: attempt ?? listedAs ?? '' } as const
      // If our payment is not on the statement, the loop above has already reported the difference.
      if (missing.has(keyOf(line))) continue
      const tradeNo = attempt === undefined ? undefined : attemptOf(attempt)?.tradeNo
      const found = { ...line, line: undefined, tradeNo, theirs: undefined, ours, listedBy }
      list(tally, { kind: 'not repeated', ...found }, notRepeated)
    }
  }
  tally.differences.push(...notRepeated)
}

function list(tally: Tally, difference: Difference, differences = tally.differences): void {
  tally.different++
  if (differences.length < MAX_LISTED) differences.push(difference)
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
