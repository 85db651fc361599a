// Owns the tables channel_statements and statement_differences. Only listed-sql.ts, which changes lines, also updates
// lines_fingerprint. The rows belong to the platform, because a statement lists money of many merchants.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, int4, int8, itself, listOf, text } from '../../platform/postgres/lists.ts'
import { containsAnyCase } from '../../platform/postgres/texts.ts'
import type { Difference } from './compare-lines.ts'
import { importFingerprint, linesFingerprint } from './fingerprints.ts'

/**
 * The state of a difference. `explained`: a person explained the difference. `decided`: an operator decided on the
 * money. `listed`: a later statement lists the reference, replaces the difference, or has withdrawn the money.
 */
type DifferenceState = 'open' | 'explained' | 'decided' | 'listed'

export type StoredStatement = {
  readonly statementId: string
  readonly channel: string
  readonly fileName: string
  readonly days: { readonly first: string; readonly last: string } | undefined
  readonly lines: number
  readonly matched: number
  readonly different: number
  readonly booked: number
  readonly withdrawn: number
  /** The fees by currency, as decimals. */
  readonly fees: Readonly<Record<string, string>>
  readonly importedBy: string
  readonly importedAt: Date
}

export type ListedStatement = StoredStatement & {
  /** The number of open differences. */
  readonly open: number
}

export type StoredDifference = Difference & {
  readonly no: number
  /** The suspense row that holds the money of the difference. */
  readonly suspenseId: string | undefined
  readonly state: DifferenceState
  readonly closedBy: string | undefined
  readonly closedAt: Date | undefined
  readonly note: string | undefined
}

export type NewDifference = Difference & Pick<StoredDifference, 'no' | 'suspenseId'>

/**
 * Inserts a statement. `isFetched` is true if the channel sent the statement for a day. The caller has called
 * `lockLines`.
 */
export async function insertStatement(
  tx: Tx,
  statement: StoredStatement & { readonly isFetched: boolean },
): Promise<void> {
  const { statementId, channel, fileName, isFetched, days, lines, matched, different, booked } = statement
  await tx.query({
    text: `
      insert into channel_statements (mer_no, statement_id, channel, file_name, first_day, last_day, lines, matched,
        different, booked, fees, imported_by, imported_at, withdrawn, is_fetched, import_no)
      values (0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
        (select coalesce(max(import_no), 0) + 1 from channel_statements))`,
    values: [
      statementId,
      channel,
      fileName,
      days?.first ?? null,
      days?.last ?? null,
      lines,
      matched,
      different,
      booked,
      JSON.stringify(statement.fees),
      statement.importedBy,
      statement.importedAt,
      statement.withdrawn,
      isFetched,
    ],
  })
}

/** Writes the fingerprints of a new statement. The caller has stored its lines and differences. */
export async function writeFingerprints(tx: Tx, statementId: string): Promise<void> {
  await tx.query({
    text: `
      update channel_statements s set fingerprint = ${importFingerprint}, lines_fingerprint = (
        select ${linesFingerprint} from statement_lines l where l.statement_id = $1 and l.withdrawn_by is null)
      where s.mer_no = 0 and s.statement_id = $1`,
    values: [statementId],
  })
}

/**
 * Inserts differences. If a person explained the same difference before, the new difference is explained too, with the
 * same note.
 */
export async function insertDifferences(
  tx: Tx,
  { statementId, channel }: Pick<StoredStatement, 'statementId' | 'channel'>,
  differences: readonly NewDifference[],
): Promise<void> {
  await tx.query({
    text: `
      insert into statement_differences (mer_no, statement_id, difference_no, channel, kind, type, reference, line,
        trade_no, suspense_id, listed_by, their_amount, their_currency, our_amount, our_currency, state, closed_by,
        closed_at, note)
      select 0, $1, g.difference_no, $2, g.kind, g.type, g.reference, g.line, g.trade_no, g.suspense_id, g.listed_by,
        g.their_amount, g.their_currency, g.our_amount, g.our_currency, coalesce(e.state, 'open'), e.closed_by,
        e.closed_at, e.note
      from ${inserted.text}
      left join lateral (
        select d.state, d.closed_by, d.closed_at, d.note from statement_differences d
        where d.state = 'explained' and d.channel = $2 and d.reference = g.reference
          and d.type = g.type and d.kind = g.kind
          and (d.their_amount, d.their_currency) is not distinct from (g.their_amount, g.their_currency)
          and (d.our_amount, d.our_currency) is not distinct from (g.our_amount, g.our_currency)
        order by d.statement_id desc limit 1
      ) e on true`,
    values: [statementId, channel, ...inserted.values(differences)],
  })
}

const inserted = listOf<NewDifference>(
  {
    difference_no: int4((one) => one.no),
    kind: text((one) => one.kind),
    type: text((one) => one.type),
    reference: text((one) => one.reference),
    line: int4((one) => one.line),
    trade_no: text((one) => one.tradeNo),
    suspense_id: text((one) => one.suspenseId),
    listed_by: text((one) => one.listedBy),
    their_amount: int8((one) => one.theirs?.amount),
    their_currency: text((one) => one.theirs?.currency),
    our_amount: int8((one) => one.ours?.amount),
    our_currency: text((one) => one.ours?.currency),
  },
  3,
)

type StatementRow = {
  statement_id: string
  channel: string
  file_name: string
  first_day: string | null
  last_day: string | null
  lines: number
  matched: number
  different: number
  booked: number
  withdrawn: number
  fees: Record<string, string>
  imported_by: string
  imported_at: Date
  open: number
}

const statementColumns = `
  s.statement_id, s.channel, s.file_name, s.first_day::text, s.last_day::text, s.lines, s.matched, s.different, s.booked,
  s.withdrawn, s.fees, s.imported_by, s.imported_at,
  (select count(*)::int from statement_differences d
    where d.mer_no = 0 and d.statement_id = s.statement_id and d.state = 'open') as open`

/** Selects statements, newest first. */
export async function selectStatements(
  db: Queryable,
  { channel, after, limit }: { channel: string | undefined; after: string | undefined; limit: number },
): Promise<ListedStatement[]> {
  const rows = await db.query<StatementRow>({
    text: `
      select ${statementColumns} from channel_statements s
      where s.mer_no = 0 and ($1::text is null or s.channel = $1) and ($2::text is null or s.statement_id < $2)
      order by s.statement_id desc limit $3`,
    values: [channel, after, limit],
  })
  return rows.map(toStatement)
}

export async function selectStatement(
  db: Queryable,
  statementId: string,
): Promise<ListedStatement | undefined> {
  const [row] = await db.query<StatementRow>({
    text: `select ${statementColumns} from channel_statements s where s.mer_no = 0 and s.statement_id = $1`,
    values: [statementId],
  })
  return row && toStatement(row)
}

function toStatement(row: StatementRow): ListedStatement {
  const { first_day: first, last_day: last } = row
  return {
    statementId: row.statement_id,
    channel: row.channel,
    fileName: row.file_name,
    days: first === null || last === null ? undefined : { first, last },
    lines: row.lines,
    matched: row.matched,
    different: row.different,
    booked: row.booked,
    withdrawn: row.withdrawn,
    fees: row.fees,
    importedBy: row.imported_by,
    importedAt: row.imported_at,
    open: row.open,
  }
}

type DifferenceRow = {
  difference_no: number
  kind: Difference['kind']
  type: Difference['type']
  reference: string
  line: number | null
  trade_no: string | null
  suspense_id: string | null
  listed_by: string | null
  their_amount: bigint | null
  their_currency: string | null
  our_amount: bigint | null
  our_currency: string | null
  state: DifferenceState
  closed_by: string | null
  closed_at: Date | null
  note: string | null
}

/** Selects differences in the order of the statement's lines. Differences without a line come last. */
export async function selectDifferences(
  db: Queryable,
  page: { statementId: string; isOpen: boolean | undefined; after: number; limit: number },
): Promise<StoredDifference[]> {
  const rows = await db.query<DifferenceRow>({
    text: `
      select difference_no, kind, type, reference, line, trade_no, suspense_id, listed_by, their_amount,
        their_currency, our_amount, our_currency, state, closed_by, closed_at, note
      from statement_differences
      where mer_no = 0 and statement_id = $1 and difference_no > $2
        and ($3::boolean is null or (state = 'open') = $3)
      order by difference_no limit $4`,
    values: [page.statementId, page.after, page.isOpen, page.limit],
  })
  return rows.map((row) => ({
    no: row.difference_no,
    kind: row.kind,
    type: row.type,
    reference: row.reference,
    line: row.line ?? undefined,
    tradeNo: row.trade_no ?? undefined,
    suspenseId: row.suspense_id ?? undefined,
    listedBy: row.listed_by ?? undefined,
    theirs: toMoney(row.their_amount, row.their_currency),
    ours: toMoney(row.our_amount, row.our_currency),
    state: row.state,
    closedBy: row.closed_by ?? undefined,
    closedAt: row.closed_at ?? undefined,
    note: row.note ?? undefined,
  }))
}

function toMoney(amount: bigint | null, currency: string | null): Money | undefined {
  return amount === null || currency === null ? undefined : { amount, currency }
}

export type OpenDifferences = { readonly count: number; readonly since: Date | undefined }

export async function selectOpen(db: Queryable): Promise<OpenDifferences> {
  const [row] = await db.query<{ open: number; since: Date | null }>({
    text: `
      select count(*)::int as open, min(s.imported_at) as since
      from statement_differences d join channel_statements s using (mer_no, statement_id)
      where d.state = 'open'`,
  })
  return { count: row?.open ?? 0, since: row?.since ?? undefined }
}

type LineKey = Pick<Difference, 'type' | 'reference'>

/**
 * Closes differences of the channel's earlier statements whose references this statement lists. A difference about
 * money of no known order stays open while the money is held in suspense, because other lines may have the same
 * reference.
 */
export async function closeListed(
  tx: Tx,
  { statementId, channel, importedAt }: Pick<StoredStatement, 'statementId' | 'channel' | 'importedAt'>,
  lines: readonly LineKey[],
): Promise<void> {
  await tx.query({
    text: `
      update statement_differences d set state = 'listed', closed_by = $1, closed_at = $3
      from ${listed.text}
      where d.state = 'open' and d.channel = $2 and d.type = g.type and d.reference = g.reference
        and d.statement_id < $1 and (d.trade_no is not null or d.suspense_id is null)`,
    values: [statementId, channel, importedAt, ...listed.values(lines)],
  })
}

/**
 * Closes differences of earlier statements about money in these suspense rows. This statement has withdrawn the money,
 * or has a difference about the same row.
 */
export async function closeReplaced(
  tx: Tx,
  { statementId, importedAt }: Pick<StoredStatement, 'statementId' | 'importedAt'>,
  suspenseIds: readonly string[],
): Promise<void> {
  await tx.query({
    text: `
      update statement_differences set state = 'listed', closed_by = $2, closed_at = $3
      where state = 'open' and statement_id < $2 and suspense_id = any (${decided.text})`,
    values: [decided.value(suspenseIds), statementId, importedAt],
  })
}

/**
 * Closes `not repeated` differences of earlier statements in two cases:
 * - This statement covers all days of the earlier statement. Lines that are still not repeated are now differences of
 *   this statement.
 * - The missing lines belong to the statement `replaced`. This statement has repeated or withdrawn them.
 */
export async function closeNotRepeated(
  tx: Tx,
  { statementId, channel, days, importedAt }: StoredStatement,
  replaced: string | undefined,
): Promise<void> {
  await tx.query({
    text: `
      update statement_differences d set state = 'listed', closed_by = $1, closed_at = $3
      from channel_statements s
      where s.mer_no = 0 and s.statement_id = d.statement_id and s.statement_id < $1
        and d.state = 'open' and d.kind = 'not repeated' and d.channel = $2
        and (s.first_day >= $4 and s.last_day <= $5 or d.listed_by = $6)`,
    values: [statementId, channel, importedAt, days?.first ?? null, days?.last ?? null, replaced],
  })
}

const listed = listOf<LineKey>({ type: text((one) => one.type), reference: text((one) => one.reference) }, 4)

export type Closing = { readonly by: string; readonly at: Date }

export async function closeBySuspense(
  tx: Tx,
  suspenseIds: readonly string[],
  { by, at }: Closing,
): Promise<void> {
  await tx.query({
    text: `
      update statement_differences set state = 'decided', closed_by = $2, closed_at = $3
      where state = 'open' and suspense_id = any (${decided.text})`,
    values: [decided.value(suspenseIds), by, at],
  })
}

const decided = arrayOf(text<string>(itself))

/** Closes a difference with an explanation. Returns false if the difference is not open or does not exist. */
export async function closeExplained(
  tx: Tx,
  { statementId, no }: { readonly statementId: string; readonly no: number },
  { by, at, note }: Closing & { readonly note: string },
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      update statement_differences set state = 'explained', closed_by = $3, closed_at = $4, note = $5
      where mer_no = 0 and statement_id = $1 and difference_no = $2 and state = 'open' returning difference_no`,
    values: [statementId, no, by, at, note],
  })
  return rows.length > 0
}

type NamedStatement = {
  readonly statementId: string
  readonly channel: string
  readonly fileName: string
}

const NEWEST_SEARCHED = 1_000

/**
 * Finds statements by part of the file's name, newest first. Only the newest statements are searched, to bound the
 * time.
 */
export function searchStatements(db: Queryable, part: string, limit: number): Promise<NamedStatement[]> {
  return db.query({
    text: `
      select statement_id as "statementId", channel, file_name as "fileName" from (
        select statement_id, channel, file_name from channel_statements where mer_no = 0
        order by statement_id desc limit ${NEWEST_SEARCHED}
      ) newest
      where file_name ~ $1
      order by statement_id desc limit $2`,
    values: [containsAnyCase(part), limit],
  })
}

/** Returns the ids of the statements that were fetched from the channel for this day, newest first. */
export async function selectFetched(
  db: Queryable,
  channel: string,
  day: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ statement_id: string }>({
    text: `
      select statement_id from channel_statements
      where mer_no = 0 and channel = $1 and first_day = $2 and last_day = $2 and is_fetched
      order by statement_id desc limit $3`,
    values: [channel, day, limit],
  })
  return rows.map((row) => row.statement_id)
}
