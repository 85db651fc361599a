// Stores the payments of a statement. A new line is added, and a known line is updated. Lines of a replaced statement
// that the new statement does not repeat are withdrawn. The caller has called `lockLines`, and settles the returned
// lines in the same transaction.
import { makeId } from '../../platform/base/id.ts'
import { isSameMoney, type Money } from '../../platform/base/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { lockRowsOfLines } from '../suspense/release-suspense.ts'
import {
  insertLines,
  type ReferenceKey,
  selectByIds,
  selectLines,
  selectUnmatched,
  updateLines,
  type WrittenLine,
  withdrawLines,
} from './listed-sql.ts'
import { areNetAndGross, matchLines, type PaymentLine, type StoredLine } from './match-lines.ts'
import { keyOf } from './settle-attempts.ts'

export type Source = {
  readonly statementId: string
  readonly at: Date
  /** The ids of the statements that this statement replaces. */
  readonly replaced: ReadonlySet<string>
  /** True if the channel sent the statement for a day. The next fetch of that day replaces the statement. */
  readonly isFetched: boolean
  /** The ids of all lines of the statement. */
  readonly ids: ReadonlySet<string>
}

/** The lines that have to be settled. */
export type Touched = {
  /** Our references of the attempts. */
  readonly attempts: readonly string[]
  readonly unmatched: readonly ReferenceKey[]
  /**
   * The lines of no known order that were withdrawn, or that now have an attempt, another reference or another
   * currency.
   */
  readonly ended: readonly string[]
}

export type Stored = Touched & {
  readonly lineNos: ReadonlyMap<PaymentLine, string>
  readonly withdrawn: readonly StoredLine[]
}

/** Stores lines. `isOurs` is true for a reference of an attempt. All lines of a reference must be in the same call. */
export async function storeLines(
  tx: Tx,
  source: Source,
  lines: readonly PaymentLine[],
  isOurs: (reference: string) => boolean,
): Promise<Stored> {
  const known = await findKnown(tx, lines, isOurs)
  const found = matchLines(lines, known)
  const decided = await findDecided(tx, lines, found, isOurs)
  const ownerOf = (line: PaymentLine) =>
    isOurs(line.reference) && !decided.has(found.get(line)?.lineNo ?? '') ? line.reference : undefined
  const added = lines.filter((line) => !found.has(line))
  const changed = [...found].map(([line, stored]) => changeOf(source, line, stored, ownerOf(line)))
  const repeated = new Set(found.values())
  const withdrawn = known.filter((one) => !repeated.has(one) && isWithdrawn(source, one))
  // Lines are withdrawn first, because other lines may take over the ids of withdrawn lines.
  if (withdrawn.length > 0) await withdrawLines(tx, withdrawn.map(numberOf), source.statementId)
  if (changed.length > 0) await updateLines(tx, changed)
  const lineNos = new Map([...found].map(([line, { lineNo }]) => [line, lineNo]))
  for (const line of added) lineNos.set(line, makeId('O', 0, source.at))
  const toInsert = added.map((line) => {
    const lineNo = lineNos.get(line) ?? ''
    return { ...toWritten(line, ownerOf(line), line, source.statementId), lineNo }
  })
  if (toInsert.length > 0) await insertLines(tx, toInsert)
  const now = new Map(changed.map((one) => [one.lineNo, one]))
  const before = known.filter(({ lineNo }) => now.has(lineNo))
  const { attempts, unmatched } = ownersOf([...withdrawn, ...before])
  const moved = before.filter(({ lineNo, attempt, listedAs, money }) => {
    const one = now.get(lineNo)
    const isSame = one?.listedAs === listedAs && one?.money.currency === money.currency
    return attempt === undefined && (one?.attempt !== undefined || !isSame)
  })
  return {
    lineNos,
    withdrawn,
    attempts: [...attempts, ...lines.flatMap((line) => ownerOf(line) ?? [])],
    unmatched: [
      ...unmatched,
      ...lines
        .filter((line) => ownerOf(line) === undefined)
        .map(({ channel, listedAs }) => ({ channel, reference: listedAs })),
    ],
    ended: [...withdrawn, ...moved].filter(({ attempt }) => attempt === undefined).map(numberOf),
  }
}

/** Withdraws lines whose references the statement does not name. */
export async function withdrawRest(
  tx: Tx,
  { statementId }: Source,
  lines: readonly StoredLine[],
): Promise<Touched> {
  await withdrawLines(tx, lines.map(numberOf), statementId)
  const ended = lines.filter(({ attempt }) => attempt === undefined).map(numberOf)
  return { ...ownersOf(lines), ended }
}

function ownersOf(lines: readonly StoredLine[]): Pick<Touched, 'attempts' | 'unmatched'> {
  return {
    attempts: lines.flatMap(({ attempt }) => attempt ?? []),
    unmatched: lines.flatMap(({ attempt, channel, listedAs }) =>
      attempt !== undefined || channel === undefined || listedAs === undefined
        ? []
        : [{ channel, reference: listedAs }],
    ),
  }
}

/** Returns the stored lines that may match the given lines. */
async function findKnown(
  tx: Tx,
  lines: readonly PaymentLine[],
  isOurs: (reference: string) => boolean,
): Promise<StoredLine[]> {
  const own = [...new Set(lines.map(({ reference }) => reference))].filter(isOurs)
  const references = lines.map(({ channel, listedAs }) => ({ channel, reference: listedAs }))
  const ids = lines.flatMap(({ channel, id }) => (id === undefined ? [] : [{ channel, id }]))
  const found = [
    ...(own.length === 0 ? [] : await selectLines(tx, own.map(keyOf))),
    ...(await selectUnmatched(tx, references)),
    ...(ids.length === 0 ? [] : await selectByIds(tx, ids)),
  ]
  return [...new Map(found.map((line) => [line.lineNo, line])).values()]
}

/**
 * Finds the stored lines that must not move to an attempt. These lines were stored without a known order. The statement
 * now names an attempt, but an operator has already decided on the money. Locks the orders before the suspense rows, as
 * all other code does.
 */
async function findDecided(
  tx: Tx,
  lines: readonly PaymentLine[],
  found: ReadonlyMap<PaymentLine, StoredLine>,
  isOurs: (reference: string) => boolean,
): Promise<Set<string>> {
  const moved = [...found].filter(([line, one]) => one.attempt === undefined && isOurs(line.reference))
  if (moved.length === 0) return new Set()
  const own = new Set([
    ...lines.map(({ reference }) => reference).filter(isOurs),
    ...found.values().flatMap(({ attempt }) => attempt ?? []),
  ])
  await lockOrders(tx, [...own].map(keyOf))
  const rows = await lockRowsOfLines(
    tx,
    moved.map(([, one]) => one.lineNo),
  )
  return new Set(rows.flatMap(({ state, lineNo }) => (state === 'held' ? [] : (lineNo ?? []))))
}

function isWithdrawn({ replaced, ids }: Source, { isStanding, statementId, id }: StoredLine): boolean {
  if (!isStanding || statementId === undefined || !replaced.has(statementId)) return false
  // A line is not withdrawn if the statement lists its id under another reference.
  return id === undefined || !ids.has(id)
}

/**
 * Returns the statement that a stored line belongs to from now on: the latest statement that lists the line. As an
 * exception, a fetched statement takes no line from a file, unless it replaces the file. Otherwise a later fetch that
 * lacks the line would withdraw the line of the file.
 */
function statementOf({ statementId, isFetched, replaced }: Source, stored: StoredLine): string {
  const file = stored.isStanding && !stored.isFetched ? stored.statementId : undefined
  return isFetched && file !== undefined && !replaced.has(file) ? file : statementId
}

/**
 * Returns a stored line as the statement lists it now. If one of the two amounts is net and the other gross, the stored
 * amount is kept.
 */
function changeOf(
  source: Source,
  line: PaymentLine,
  stored: StoredLine,
  owner: string | undefined,
): WrittenLine {
  const isAlike = isSameMoney(line.money, stored.money) || areNetAndGross(line, stored)
  const id = line.id ?? stored.id
  const { lineNo } = stored
  return {
    ...toWritten({ ...line, id }, owner, isAlike ? stored : line, statementOf(source, stored)),
    lineNo,
  }
}

function toWritten(
  line: PaymentLine,
  owner: string | undefined,
  { money, fee }: { readonly money: Money; readonly fee: bigint },
  statementId: string,
): Omit<WrittenLine, 'lineNo'> {
  const { channel, listedAs, id, day } = line
  const attempt = owner === undefined ? undefined : keyOf(owner)
  return { attempt, channel, listedAs, id, day, money, fee, line: line.line, statementId }
}

function numberOf({ lineNo }: StoredLine): string {
  return lineNo
}
