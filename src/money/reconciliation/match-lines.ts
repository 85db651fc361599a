// Pure rules: match the lines of a statement with stored lines (see statement-line.ts), and compute the amount of each
// line that is left after reversals.
import { isSameMoney, type Money } from '../../platform/base/money.ts'
import type { StatementLine } from './statement-line.ts'

export type PaymentLine = StatementLine & {
  /** The channel that has the money: the channel of our attempt, or else the channel of the statement. */
  readonly channel: string
  /**
   * The reference on the statement. For a reversal with the id of another line, `listedAs` is the reference of that
   * line. For a deposit, `listedAs` is the channel's reference, and `reference` is our reference of the attempt.
   */
  readonly listedAs: string
  /**
   * True for a reversal that repeats the id of the line that it takes back. The id then does not identify the reversal.
   */
  readonly hasIdOfOrigin?: boolean | undefined
}

export type StoredLine = {
  readonly lineNo: string
  /** Our reference of the attempt. Undefined if the line names no order of ours. */
  readonly attempt: string | undefined
  /** The channel. Undefined for a line of a known attempt that an old release of this program stored. */
  readonly channel: string | undefined
  readonly listedAs: string | undefined
  readonly id: string | undefined
  readonly day: string
  /** True if the day is not known. In this case `day` is the latest possible day. */
  readonly isDayUnknown: boolean
  readonly money: Money
  readonly fee: bigint
  readonly line: number
  /**
   * The statement that lists the line. Undefined for lines of an interrupted import, and for lines that an old release
   * of this program stored.
   */
  readonly statementId: string | undefined
  /** True if the line's statement was fetched from the channel, for one day. False for an imported file. */
  readonly isFetched: boolean
  /**
   * False if a corrected statement withdrew the line. If the line is listed again, the same stored line becomes valid
   * again, so its money is not booked twice.
   */
  readonly isStanding: boolean
}

/**
 * Returns the stored line that matches each line. Lines without a match are not in the result. Each stored line is used
 * only once. Stored lines that are not withdrawn are used first.
 */
export function matchLines(
  lines: readonly PaymentLine[],
  known: readonly StoredLine[],
): Map<PaymentLine, StoredLine> {
  const stored = known.toSorted((one, other) => Number(other.isStanding) - Number(one.isStanding))
  const found = new Map<PaymentLine, StoredLine>()
  const free = new Set(stored)
  const byId = Map.groupBy(
    stored.filter(({ id }) => id !== undefined),
    idKey,
  )
  const byOwner = Map.groupBy(stored, ownerOf)
  const use = (line: PaymentLine, one: StoredLine | undefined) => {
    if (one === undefined) return
    found.set(line, one)
    free.delete(one)
  }
  for (const line of lines) {
    if (line.id === undefined) continue
    const named = byId.get(idKey(line)) ?? []
    const isSame = (one: StoredLine) =>
      free.has(one) && isOnSameDay(line, one) && isSameMoney(line.money, one.money)
    use(line, line.hasIdOfOrigin === true ? named.find(isSame) : named[0])
  }
  for (const isSame of [isEqualWithoutId, isEqual, mayBeEqual, isNetOrGross])
    for (const line of lines) {
      if (found.has(line)) continue
      const own = ownersOf(line).flatMap((owner) => byOwner.get(owner) ?? [])
      use(
        line,
        own.find((one) => free.has(one) && isSame(line, one)),
      )
    }
  return found
}

function idKey({
  channel,
  id,
  money,
}: Pick<StoredLine, 'channel' | 'money'> & Pick<StatementLine, 'id'>): string {
  return `${money.amount > 0n} ${channel} ${id}`
}

/**
 * Returns the owner of a stored line: our reference of the attempt, or else the channel together with its reference.
 * The two forms cannot be equal, because our references contain no space.
 */
function ownerOf({ attempt, channel, listedAs }: StoredLine): string {
  return attempt ?? `${channel} ${listedAs}`
}

/**
 * Returns the two owners that the stored line of this line may have. The stored line has no attempt if the channel
 * reported the deposit only after the stored line was imported.
 */
function ownersOf({ reference, channel, listedAs }: PaymentLine): string[] {
  return [reference, `${channel} ${listedAs}`]
}

/**
 * True if the lines are equal and both have no id. This rule is tried before `isEqual`, so that stored lines with an id
 * stay free, because a later statement may list them by their ids.
 */
function isEqualWithoutId(line: PaymentLine, stored: StoredLine): boolean {
  return line.id === undefined && stored.id === undefined && isEqual(line, stored)
}

function isEqual(line: PaymentLine, stored: StoredLine): boolean {
  return isOnSameDay(line, stored) && mayBeSameMoney(line, stored)
}

function isOnSameDay(line: PaymentLine, stored: StoredLine): boolean {
  return !stored.isDayUnknown && line.day === stored.day
}

function mayBeEqual(line: PaymentLine, stored: StoredLine): boolean {
  return stored.isDayUnknown && line.day <= stored.day && mayBeSameMoney(line, stored)
}

function mayBeSameMoney(line: PaymentLine, stored: StoredLine): boolean {
  return !haveOwnIds(line, stored) && isSameMoney(line.money, stored.money)
}

function isNetOrGross(line: PaymentLine, stored: StoredLine): boolean {
  return (
    !haveOwnIds(line, stored) &&
    stored.isStanding &&
    isOnSameDay(line, stored) &&
    areNetAndGross(line, stored)
  )
}

function haveOwnIds(line: PaymentLine, stored: StoredLine): boolean {
  return line.id !== undefined && stored.id !== undefined
}

type Charged = Pick<StoredLine, 'money' | 'fee'>

export function areNetAndGross(one: Charged, other: Charged): boolean {
  const [a, b] = [one.money.amount, other.money.amount]
  const isIncoming = a > 0n && b > 0n && one.money.currency === other.money.currency
  return isIncoming && a !== b && (a + one.fee === b || b + other.fee === a)
}

type Amount = { readonly amount: bigint; readonly id?: string | undefined }

export type Left<Line> = {
  /** The amount that is left of each line of incoming money. */
  readonly left: ReadonlyMap<Line, bigint>
  /** For each reversal: the lines that it takes back, and the part of the reversal that no line covers. */
  readonly reversals: ReadonlyMap<Line, { readonly from: readonly Line[]; readonly beyond: bigint }>
}

/**
 * Applies the reversals to the lines. A reversal first takes back the line with its id, or else a line of the same
 * amount. The rest of its amount is taken from the other lines, beginning with the first.
 */
export function takeBack<Line extends Amount>(lines: readonly Line[]): Left<Line> {
  const left = new Map(lines.flatMap((one) => (one.amount > 0n ? [[one, one.amount]] : [])))
  const reversals = new Map<Line, { from: Line[]; beyond: bigint }>()
  const take = (reversal: Line, from: Line) => {
    const rest = reversals.get(reversal)
    const open = left.get(from) ?? 0n
    if (rest === undefined || rest.beyond === 0n || open === 0n) return
    const amount = open < rest.beyond ? open : rest.beyond
    left.set(from, open - amount)
    rest.from.push(from)
    rest.beyond -= amount
  }
  const negative = lines.filter(({ amount }) => amount < 0n)
  for (const one of negative) reversals.set(one, { from: [], beyond: -one.amount })
  const isById = (reversal: Line, one: Line) => reversal.id !== undefined && reversal.id === one.id
  const isWhole = (reversal: Line, one: Line) => left.get(one) === -reversal.amount
  for (const isIts of [isById, isWhole])
    for (const reversal of negative) {
      const its = left.keys().find((one) => isIts(reversal, one))
      if (its !== undefined && reversals.get(reversal)?.from.length === 0) take(reversal, its)
    }
  for (const reversal of negative) for (const one of left.keys()) take(reversal, one)
  return { left, reversals }
}
