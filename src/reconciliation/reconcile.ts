// Lays a channel's statement beside what we recorded: what one side misses, what differs. Money that came and that we have
// no place for is booked to suspense, once, however often the same file is read.
import type { Clock } from '../base/clock.ts'
import type { Db, Tx } from '../base/db.ts'
import { OperatorRefusal } from '../base/error.ts'
import { addDays } from '../base/local-day.ts'
import type { Money } from '../base/money.ts'
import { channelAccount } from '../ledger/account.ts'
import { wasBookedOn } from '../ledger/read-balances.ts'
import { bookSuspense, findSuspense, type NewSuspense } from '../suspense/book-suspense.ts'
import { type Judgement, judgeLine } from './judge-line.ts'
import { type Own, selectDone, selectOurs } from './sql.ts'
import { lineTypes, type StatementLine } from './statement-line.ts'

export type Difference = {
  readonly kind: Exclude<Judgement['kind'], 'matched'> | 'missing there'
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
  /** How much of it was booked to suspense by this run. */
  readonly booked: number
  readonly fees: ReadonlyMap<string, bigint>
}

const PIECE = 500
const MAX_LISTED = 1_000

type Tally = { matched: number; different: number; booked: number; differences: Difference[] }

export async function reconcile(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  channel: string,
  lines: readonly StatementLine[],
): Promise<Report> {
  // A slip in its name would put the whole file into suspense.
  if (!(await wasBookedOn(db, channelAccount(channel))))
    throw new OperatorRefusal(`no money has ever passed through a channel ${channel}`)
  const tally: Tally = { matched: 0, different: 0, booked: 0, differences: [] }
  const seen = new Map<string, number>()
  for (let start = 0; start < lines.length; start += PIECE) {
    const piece = lines.slice(start, start + PIECE)
    await db.transaction((tx) => reconcilePiece(tx, channel, piece, { seen, tally, at: clock.now() }))
  }
  const days = daysOf(lines)
  if (days !== undefined) await db.transaction((tx) => findMissingThere(tx, channel, days, { seen, tally }))
  return { channel, days, lines: lines.length, ...tally, fees: feesOf(lines) }
}

type Judged = { readonly line: StatementLine; readonly ours: Own | undefined; readonly judgement: Judgement }

async function reconcilePiece(
  tx: Tx,
  channel: string,
  lines: readonly StatementLine[],
  { seen, tally, at }: { seen: Map<string, number>; tally: Tally; at: Date },
): Promise<void> {
  const known = await findOurs(tx, channel, lines)
  const judged = lines.map((line): Judged => {
    const occurrence = (seen.get(keyOf(line)) ?? 0) + 1
    seen.set(keyOf(line), occurrence)
    const ours = known.get(keyOf(line))
    return { line, ours, judgement: judgeLine(line, ours, occurrence) }
  })
  const toBook = judged.flatMap((one) => newSuspense(one, channel, at))
  tally.booked += (await bookSuspense(tx, toBook)).length
  const dealtWith = await decidedReferences(tx, channel, toBook)
  for (const one of judged) {
    const { kind, unmatched } = one.judgement
    if (kind === 'matched' || dealtWith.has(unmatched?.reference ?? '')) tally.matched++
    else note(tally, differenceOf(one, kind))
  }
}

async function findOurs(tx: Tx, channel: string, lines: readonly StatementLine[]): Promise<Map<string, Own>> {
  const found = new Map<string, Own>()
  for (const type of lineTypes) {
    const references = lines.filter((line) => line.type === type).map((line) => line.reference)
    for (const own of await selectOurs(tx, type, channel, references)) found.set(keyOf(own), own)
  }
  return found
}

function newSuspense({ ours, judgement }: Judged, channel: string, at: Date): NewSuspense[] {
  const { unmatched } = judgement
  if (unmatched === undefined) return []
  const owner = ours === undefined ? { merNo: 0 } : { merNo: ours.merNo, tradeNo: ours.tradeNo }
  return [{ ...owner, ...unmatched, channel, at }]
}

/** What an operator has accepted or returned since an earlier run is no difference any more. */
async function decidedReferences(
  tx: Tx,
  channel: string,
  items: readonly NewSuspense[],
): Promise<Set<string>> {
  const found = await findSuspense(tx, channel, items)
  return new Set(found.filter((item) => item.state !== 'held').map((item) => item.reference))
}

function differenceOf({ line, ours }: Judged, kind: Difference['kind']): Difference {
  const { type, reference, money: theirs } = line
  return { kind, type, reference, line: line.line, tradeNo: ours?.tradeNo, theirs, ours: ours?.money }
}

async function findMissingThere(
  tx: Tx,
  channel: string,
  { first, last }: { first: string; last: string },
  { seen, tally }: { seen: ReadonlyMap<string, number>; tally: Tally },
): Promise<void> {
  const from = new Date(`${first}T00:00:00Z`)
  const until = new Date(`${addDays(last, 1)}T00:00:00Z`)
  for await (const piece of selectDone(tx, channel, from, until)) {
    for (const own of piece.filter((one) => !seen.has(keyOf(one)))) {
      const { type, reference, tradeNo, money: ours } = own
      note(tally, {
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

function note(tally: Tally, difference: Difference): void {
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
