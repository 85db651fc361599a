// Owns the table statement_lines, and reads the payments that the lines name. A change of lines also changes the column
// lines_fingerprint of channel_statements.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, day, int4, int8, itself, listOf, text } from '../../platform/postgres/lists.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import type { MovementPeriod, MovementRow } from '../../rails/contract/statement.ts'
import { type AttemptKey, attemptKeys, attemptReference } from '../orders/order.ts'
import { linesFingerprint } from './fingerprints.ts'
import type { StoredLine } from './match-lines.ts'
import type { Days } from './statement-line.ts'

/**
 * Serialises imports. Without this lock, two imports of the same new line would both add the line. Each transaction of
 * an import takes this lock before all other locks, and processes one piece of the file.
 */
export async function lockLines(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtextextended('statement lines', 0))` })
}

type Row = {
  line_no: string
  trade_no: string | null
  attempt_no: number | null
  channel: string | null
  reference: string | null
  line_id: string | null
  day: string
  is_day_unknown: boolean
  currency: string
  amount: bigint
  fee: bigint
  line: number
  statement_id: string | null
  is_fetched: boolean | null
  is_standing: boolean
}

/**
 * The columns of a line. A statement is stored after its lines, so after an interrupted import the lines have no
 * statement. Their `statement_id` is then read as null, and the next import takes over the lines.
 */
const columns = `
  l.line_no, l.trade_no, l.attempt_no, l.channel, l.reference, l.line_id, l.day::text as day, l.is_day_unknown, l.currency,
  l.amount, l.fee, l.line, l.withdrawn_by is null as is_standing,
  (select s.statement_id from channel_statements s where s.mer_no = 0 and s.statement_id = l.statement_id) as statement_id,
  (select s.is_fetched from channel_statements s where s.mer_no = 0 and s.statement_id = l.statement_id) as is_fetched`

const inOrder = 'order by l.day, l.line, l.line_no'

type Kept = 'attempt' | 'isDayUnknown' | 'statementId' | 'isFetched' | 'isStanding'

export type WrittenLine = Omit<StoredLine, Kept> & {
  readonly attempt: AttemptKey | undefined
  readonly statementId: string
}

export async function insertLines(tx: Tx, lines: readonly WrittenLine[]): Promise<void> {
  await tx.query({
    text: `
      insert into statement_lines (line_no, mer_no, trade_no, attempt_no, channel, reference, line_id, day, currency,
        amount, fee, line, statement_id)
      select line_no, mer_no, trade_no, attempt_no, channel, reference, line_id, day, currency, amount, fee, line,
        statement_id
      from ${written.text}`,
    values: written.values(lines),
  })
}

const written = listOf<WrittenLine>({
  line_no: text((one) => one.lineNo),
  mer_no: int8((one) => one.attempt?.merNo ?? 0),
  trade_no: text((one) => one.attempt?.tradeNo),
  attempt_no: int4((one) => one.attempt?.attemptNo),
  channel: text((one) => one.channel),
  reference: text((one) => one.listedAs),
  line_id: text((one) => one.id),
  day: day((one) => one.day),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  fee: int8((one) => one.fee),
  line: int4((one) => one.line),
  statement_id: text((one) => one.statementId),
})

/** Writes changed lines. A line that was withdrawn is no longer withdrawn. */
export async function updateLines(tx: Tx, lines: readonly WrittenLine[]): Promise<void> {
  const lineNos = lines.map(({ lineNo }) => lineNo)
  await toggleLines(tx, lineNos)
  await tx.query({
    text: `
      update statement_lines l set mer_no = g.mer_no, trade_no = g.trade_no, attempt_no = g.attempt_no,
        channel = g.channel, reference = g.reference, line_id = g.line_id, day = g.day, is_day_unknown = false,
        currency = g.currency, amount = g.amount, fee = g.fee, line = g.line, statement_id = g.statement_id,
        withdrawn_by = null
      from ${written.text}
      where l.line_no = g.line_no`,
    values: written.values(lines),
  })
  await toggleLines(tx, lineNos)
}

export async function withdrawLines(tx: Tx, lineNos: readonly string[], statementId: string): Promise<void> {
  await toggleLines(tx, lineNos)
  await tx.query({
    text: `update statement_lines set withdrawn_by = $2 where line_no = any (${withdrawn.text})`,
    values: [withdrawn.value(lineNos), statementId],
  })
  await toggleLines(tx, lineNos)
}

const withdrawn = arrayOf(text<string>(itself))

/**
 * Adds the lines to the fingerprints of their statements, or removes them if the fingerprints contain them. Runs before
 * and after each change of lines. For a statement that is being imported, `writeFingerprints` adds the lines at the
 * end.
 */
async function toggleLines(tx: Tx, lineNos: readonly string[]): Promise<void> {
  await tx.query({
    text: `
      update channel_statements s set lines_fingerprint = s.lines_fingerprint # g.fingerprint
      from (
        select l.statement_id, ${linesFingerprint} as fingerprint from statement_lines l
        where l.line_no = any (${toggled.text}) group by l.statement_id
      ) g
      where s.mer_no = 0 and s.statement_id = g.statement_id`,
    values: [toggled.value(lineNos)],
  })
}

const toggled = arrayOf(text<string>(itself))

/** Returns the lines of these attempts, including withdrawn lines. */
export async function selectLines(tx: Tx, attempts: readonly AttemptKey[]): Promise<StoredLine[]> {
  const rows = await tx.query<Row>({
    text: `
      select ${columns} from ${attemptKeys.text} join statement_lines l using (mer_no, trade_no, attempt_no)
      ${inOrder}`,
    values: attemptKeys.values(attempts),
  })
  return rows.map(toLine)
}

export type ReferenceKey = { readonly channel: string; readonly reference: string }

/** Returns the lines that have these references and no known order, including withdrawn lines. */
export async function selectUnmatched(tx: Tx, keys: readonly ReferenceKey[]): Promise<StoredLine[]> {
  const rows = await tx.query<Row>({
    text: `
      select ${columns} from statement_lines l
      where (l.channel, l.reference) in (select channel, reference from ${referred.text}) and l.trade_no is null
      ${inOrder}`,
    values: referred.values(keys),
  })
  return rows.map(toLine)
}

const referred = listOf<ReferenceKey>({
  channel: text((one) => one.channel),
  reference: text((one) => one.reference),
})

type IdKey = { readonly channel: string; readonly id: string }

/** Returns the lines with these ids, including withdrawn lines. */
export async function selectByIds(db: Queryable, keys: readonly IdKey[]): Promise<StoredLine[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from statement_lines l
      where (l.channel, l.line_id) in (select channel, line_id from ${identified.text}) ${inOrder}`,
    values: identified.values(keys),
  })
  return rows.map(toLine)
}

const identified = listOf<IdKey>({
  channel: text((one) => one.channel),
  line_id: text((one) => one.id),
})

/** Returns the lines of these statements, except withdrawn lines. */
export async function selectOfStatements(
  db: Queryable,
  statementIds: readonly string[],
  limit?: number,
): Promise<StoredLine[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from statement_lines l
      where l.statement_id = any (${stated.text}) and l.withdrawn_by is null
      order by l.line_no limit $2`,
    values: [stated.value(statementIds), limit],
  })
  return rows.map(toLine)
}

const stated = arrayOf(text<string>(itself))

type OfDays = { readonly channel: string; readonly days: Days; readonly statementId: string }

/** Yields the lines that other statements of the channel list on these days, except withdrawn lines. */
export async function* readNotRepeated(
  tx: Tx,
  { channel, days, statementId }: OfDays,
): AsyncGenerator<StoredLine[]> {
  const pieces = readInPieces<Row>(tx, {
    text: `
      select ${columns} from channel_statements earlier join statement_lines l using (statement_id)
      where earlier.mer_no = 0 and earlier.channel = $1 and earlier.first_day <= $3 and earlier.last_day >= $2
        and earlier.statement_id <> $4 and l.withdrawn_by is null and l.day between $2 and $3
      order by earlier.statement_id, l.line, l.line_no`,
    values: [channel, days.first, days.last, statementId],
  })
  for await (const rows of pieces) yield rows.map(toLine)
}

function toLine(row: Row): StoredLine {
  const { trade_no: tradeNo, attempt_no: attemptNo } = row
  return {
    lineNo: row.line_no,
    attempt: tradeNo === null || attemptNo === null ? undefined : attemptReference(tradeNo, attemptNo),
    channel: row.channel ?? undefined,
    listedAs: row.reference ?? undefined,
    id: row.line_id ?? undefined,
    day: row.day,
    isDayUnknown: row.is_day_unknown,
    money: { amount: row.amount, currency: row.currency },
    fee: row.fee,
    line: row.line,
    statementId: row.statement_id ?? undefined,
    isFetched: row.is_fetched ?? false,
    isStanding: row.is_standing,
  }
}

/** Returns the given attempts that succeeded. */
export async function selectSucceeded(tx: Tx, attempts: readonly AttemptKey[]): Promise<AttemptKey[]> {
  const rows = await tx.query<{ mer_no: bigint; trade_no: string; attempt_no: number }>({
    text: `
      select a.mer_no, a.trade_no, a.attempt_no
      from ${attemptKeys.text} join current_attempts a using (mer_no, trade_no, attempt_no)
      where a.state = 'succeeded'`,
    values: attemptKeys.values(attempts),
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
  }))
}

export type PaymentRow = MovementRow & { readonly attempt_no: number }

const paymentColumns = `
  a.mer_no, a.trade_no, a.attempt_no, a.channel, o.currency, coalesce(o.received, o.amount) as amount, a.state`

export function selectPayments(db: Queryable, keys: readonly AttemptKey[]): Promise<PaymentRow[]> {
  return db.query<PaymentRow>({
    text: `
      select ${paymentColumns} from ${attemptKeys.text}
      join current_attempts a on a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no
      join current_orders o on o.mer_no = a.mer_no and o.trade_no = a.trade_no`,
    values: attemptKeys.values(keys),
  })
}

export function readPaid(tx: Tx, { channel, from, until }: MovementPeriod): AsyncGenerator<PaymentRow[]> {
  return readInPieces<PaymentRow>(tx, {
    text: `
      select ${paymentColumns} from current_attempts a
      join current_orders o on o.mer_no = a.mer_no and o.trade_no = a.trade_no
      where a.channel = $1 and a.state = 'succeeded' and a.decided_at >= $2 and a.decided_at < $3`,
    values: [channel, from, until],
  })
}
