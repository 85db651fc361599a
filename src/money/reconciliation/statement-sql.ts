// Owns channel_statements and statement_differences. Both belong to the platform: a statement lists money of many merchants.
import type { Money } from '../base/money.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { arrayOf, int4, int8, itself, listOf, text } from '../postgres/lists.ts'
import type { Difference } from './reconcile.ts'

/** `decided`: an operator decided on its money. `listed`: a later statement lists the reference. */
export type DifferenceState = 'open' | 'explained' | 'decided' | 'listed'

export type StoredStatement = {
  readonly statementId: string
  readonly channel: string
  readonly fileName: string
  readonly days: { readonly first: string; readonly last: string } | undefined
  readonly lines: number
  readonly matched: number
  readonly different: number
  readonly booked: number
  /** By currency, as decimals. */
  readonly fees: Readonly<Record<string, string>>
  readonly importedBy: string
  readonly importedAt: Date
}

export type ListedStatement = StoredStatement & {
  /** Differences that nobody has dealt with. */
  readonly open: number
}

export type StoredDifference = Difference & {
  readonly no: number
  /** The money that was booked because of it. */
  readonly suspenseId: string | undefined
  readonly state: DifferenceState
  readonly closedBy: string | undefined
  readonly closedAt: Date | undefined
  readonly note: string | undefined
}

export type NewDifference = Difference & Pick<StoredDifference, 'no' | 'suspenseId'>

export async function insertStatement(tx: Tx, statement: StoredStatement): Promise<void> {
  const { statementId, channel, fileName, days, lines, matched, different, booked } = statement
  await tx.query({
    text: `
      insert into channel_statements (mer_no, statement_id, channel, file_name, first_day, last_day, lines, matched,
        different, booked, fees, imported_by, imported_at)
      values (0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
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
    ],
  })
}

/** What a person explained stays explained: the same difference in a later import takes over the note. */
export async function insertDifferences(
  tx: Tx,
  { statementId, channel }: Pick<StoredStatement, 'statementId' | 'channel'>,
  differences: readonly NewDifference[],
): Promise<void> {
  await tx.query({
    text: `
      insert into statement_differences (mer_no, statement_id, difference_no, channel, kind, type, reference, line,
        trade_no, suspense_id, their_amount, their_currency, our_amount, our_currency, state, closed_by, closed_at, note)
      select 0, $1, g.difference_no, $2, g.kind, g.type, g.reference, g.line, g.trade_no, g.suspense_id, g.their_amount,
        g.their_currency, g.our_amount, g.our_currency, coalesce(e.state, 'open'), e.closed_by, e.closed_at, e.note
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
    their_amount: int8((one) => one.theirs?.amount),
    their_currency: text((one) => one.theirs?.currency),
    our_amount: int8((one) => one.ours?.amount),
    our_currency: text((one) => one.ours?.currency),
  },
  3,
)

export type LineKey = Pick<Difference, 'type' | 'reference'>

/** Of earlier statements of the channel. */
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
        and d.statement_id < $1`,
    values: [statementId, channel, importedAt, ...listed.values(lines)],
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

/** False if it is not open, or there is none. */
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
  fees: Record<string, string>
  imported_by: string
  imported_at: Date
  open: number
}

const statementColumns = `
  s.statement_id, s.channel, s.file_name, s.first_day::text, s.last_day::text, s.lines, s.matched, s.different, s.booked,
  s.fees, s.imported_by, s.imported_at,
  (select count(*)::int from statement_differences d
    where d.mer_no = 0 and d.statement_id = s.statement_id and d.state = 'open') as open`

/** Newest first. */
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
  their_amount: bigint | null
  their_currency: string | null
  our_amount: bigint | null
  our_currency: string | null
  state: DifferenceState
  closed_by: string | null
  closed_at: Date | null
  note: string | null
}

/** In the order of the file; those that only we have come last. */
export async function selectDifferences(
  db: Queryable,
  page: { statementId: string; isOpen: boolean | undefined; after: number; limit: number },
): Promise<StoredDifference[]> {
  const rows = await db.query<DifferenceRow>({
    text: `
      select difference_no, kind, type, reference, line, trade_no, suspense_id, their_amount, their_currency,
        our_amount, our_currency, state, closed_by, closed_at, note
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
