// Settles payments on statements that name no order of ours. Each line is booked to suspense in its own row, under
// merchant 0, so that an operator can assign or return the money. If a reversal takes the money back or the line is
// withdrawn, the money leaves suspense, even if an operator has assigned it to an order. Money that an operator has
// accepted or returned stays booked.
import type { Tx } from '../../platform/postgres/db.ts'
import { bookSuspense, type NewSuspense } from '../suspense/book-suspense.ts'
import { chooseWithdrawn, lockRowsOfLines, withdrawSuspense } from '../suspense/release-suspense.ts'
import type { Suspense } from '../suspense/suspense.ts'
import type { LineKind } from './compare-lines.ts'
import { type ReferenceKey, selectUnmatched } from './listed-sql.ts'
import { type StoredLine, takeBack } from './match-lines.ts'

export type SettledLine = {
  readonly kind: LineKind
  /** The suspense row of the line, if the row waits for an operator's decision. */
  readonly suspenseId: string | undefined
}

export type SettledUnmatched = {
  /** The number of rows that were booked to suspense. */
  readonly booked: number
  readonly withdrawn: readonly Suspense[]
  /** The result for each line that is not withdrawn, by `lineNo`. */
  readonly compared: ReadonlyMap<string, SettledLine>
  /** Lines with more money booked than the statements still list, because an operator has decided on the money. */
  readonly decided: ReadonlySet<string>
}

/**
 * Books and withdraws money until suspense agrees with the lines of these references. `ended` contains the lines that
 * were withdrawn, and the lines that now have an attempt, another reference or another currency.
 */
export async function settleUnmatched(
  tx: Tx,
  keys: readonly ReferenceKey[],
  ended: readonly string[],
  at: Date,
): Promise<SettledUnmatched> {
  const stored = keys.length === 0 ? [] : await selectUnmatched(tx, keys)
  const lines = stored.filter(({ isStanding }) => isStanding)
  const groups = Map.groupBy(lines, nameOf)
    .values()
    .map((own) => takeBack(own.map(toAmount)))
    .toArray()
  const targets = new Map(ended.map((lineNo) => [lineNo, 0n]))
  for (const { left } of groups) for (const [{ lineNo }, amount] of left) targets.set(lineNo, amount)
  const rows = Map.groupBy(await lockRowsOfLines(tx, [...targets.keys()]), ({ lineNo }) => lineNo)
  const byNo = new Map(lines.map((line) => [line.lineNo, line]))
  const moved = new Set(ended)
  const toBook: NewSuspense[] = []
  const withdrawn: Suspense[] = []
  const decided = new Set<string>()
  for (const [lineNo, target] of targets) {
    const line = byNo.get(lineNo)
    const own = (rows.get(lineNo) ?? []).filter(({ state }) => state !== 'assigned')
    const held = own.filter(({ state }) => state === 'held')
    const kept = own.filter(({ state, money }) => state !== 'held' && money.currency === line?.money.currency)
    // All held money of an ended line is withdrawn. If the line has a new reference or currency, the money is then
    // booked again.
    const isMoved = moved.has(lineNo)
    const booked = sumOf(isMoved ? kept : [...held, ...kept])
    const excess = booked > target ? booked - target : 0n
    const chosen = isMoved ? { rows: held, rest: 0n } : chooseWithdrawn(held, excess)
    await withdrawSuspense(tx, chosen, at)
    withdrawn.push(...chosen.rows)
    if (line !== undefined && target > booked) toBook.push(toSuspense(line, target - booked, at))
    if (own.length > held.length + kept.length || sumOf(kept) > target) decided.add(lineNo)
  }
  const booked = await bookSuspense(tx, toBook)
  const now = Map.groupBy(await lockRowsOfLines(tx, [...byNo.keys()]), ({ lineNo }) => lineNo)
  const compared = new Map<string, SettledLine>()
  for (const { left, reversals } of groups) {
    for (const { lineNo } of left.keys()) {
      const held = now.get(lineNo)?.find(({ merNo, state }) => merNo === 0 && state === 'held')
      const kind = held === undefined ? 'matched' : 'missing here'
      compared.set(lineNo, { kind, suspenseId: held?.suspenseId })
    }
    for (const [{ lineNo }, { from, beyond }] of reversals) {
      const isDone = beyond === 0n && !from.some((one) => decided.has(one.lineNo))
      compared.set(lineNo, { kind: isDone ? 'matched' : 'reversed', suspenseId: undefined })
    }
    for (const { lineNo } of left.keys())
      if (decided.has(lineNo) && !isReversed(lineNo, reversals))
        compared.set(lineNo, { kind: 'differs', suspenseId: undefined })
  }
  return { booked: booked.length, withdrawn, compared, decided }
}

function isReversed(
  lineNo: string,
  reversals: ReadonlyMap<unknown, { readonly from: readonly { readonly lineNo: string }[] }>,
): boolean {
  return reversals.values().some(({ from }) => from.some((one) => one.lineNo === lineNo))
}

function sumOf(rows: readonly Suspense[]): bigint {
  return rows.reduce((sum, { money }) => sum + money.amount, 0n)
}

function nameOf({ channel, listedAs, money }: StoredLine): string {
  return `${channel} ${money.currency} ${listedAs}`
}

function toAmount({ lineNo, id, money }: StoredLine) {
  return { lineNo, id, amount: money.amount }
}

function toSuspense(line: StoredLine, amount: bigint, at: Date): NewSuspense {
  const { lineNo, channel = '', listedAs = '', money } = line
  return {
    merNo: 0,
    channel,
    reference: listedAs,
    origin: 'statement',
    lineNo,
    money: { amount, currency: money.currency },
    why: 'unmatched',
    at,
  }
}
