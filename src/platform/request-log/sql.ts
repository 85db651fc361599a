import { timeOfUuid } from '../base/uuid.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { bytes, type Column, int4, int8, listOf, text } from '../postgres/lists.ts'
import { type ListedRequest, PAYMENT, type RequestFilter, type RequestRow, SUCCESS } from './entry.ts'
import { groupPayments, idsAround, lastOfSlice, mayFindPayments, type Payments } from './payments.ts'

type PackedBlock = { readonly blockId: string; readonly packed: Buffer }

function uuid<Row>(of: (row: Row) => string): Column<Row> {
  return { type: 'text', of, cast: 'uuid' }
}

const rows = listOf<RequestRow>(
  {
    mer_no: int8((one) => one.merNo),
    request_id: uuid((one) => one.requestId),
    endpoint: text((one) => one.endpoint),
    code: text((one) => one.code),
    status: int4((one) => one.status),
    duration_ms: int4((one) => one.durationMs),
    mer_order_no: text((one) => one.merOrderNo),
    trade_no: text((one) => one.tradeNo),
    reason: text((one) => one.reason),
    sealed_sign: bytes((one) => one.sealedSign),
    place: int4((one) => one.place),
  },
  3,
)

const columns = `mer_no, request_id, endpoint, code, status, duration_ms, mer_order_no, trade_no, reason, sealed_sign, place`

/** Joins the values of a group with line feeds, for the statement to split. No value contains a control character. */
function joined(of: (row: RequestRow) => string | number | undefined): Column<Payments> {
  return text(({ rows }) => rows.map(of).join('\n'))
}

const paymentRows = (first: number) =>
  listOf<Payments>(
    {
      mer_no: int8((one) => one.merNo),
      last_id: { type: 'text', of: (one) => one.lastId, cast: 'uuid' },
      request_ids: joined((row) => row.requestId),
      mer_order_nos: joined((row) => row.merOrderNo),
      trade_nos: joined((row) => row.tradeNo),
      durations_ms: joined((row) => row.durationMs),
      places: joined((row) => row.place),
    },
    first,
  )

const split = (name: string, type: string) => `string_to_array(${name}, e'\\n')::${type}[]`

const payments = paymentRows(14)

export async function insertRequests(
  db: Db,
  requests: { readonly payments: readonly RequestRow[]; readonly others: readonly RequestRow[] },
  { blockId, packed }: PackedBlock,
): Promise<void> {
  await db.query({
    name: 'request-log.insert',
    text: `
      with packed as (insert into request_log_bodies (block_id, packed) values ($1, $2)),
        payments as (${insertPaymentsText(payments.text)})
      insert into request_log (${columns}, block_id) select ${columns}, $1 from ${rows.text}`,
    values: [
      blockId,
      packed,
      ...rows.values(requests.others),
      ...payments.values(groupPayments(requests.payments)),
    ],
  })
}

/** Returns a statement that inserts payments. The bodies of these payments are in the block `$1`. */
function insertPaymentsText(rows: string): string {
  return `
    insert into request_log_payments
      (mer_no, last_id, block_id, request_ids, mer_order_nos, trade_nos, durations_ms, places)
    select mer_no, last_id, $1, ${split('request_ids', 'uuid')}, ${split('mer_order_nos', 'text')},
      ${split('trade_nos', 'text')}, ${split('durations_ms', 'integer')}, ${split('places', 'integer')}
    from ${rows}`
}

/** Returns a query for the payments of the groups, with the columns of request_log. */
function unpackedText(groups: string): string {
  return `
    select p.mer_no, r.request_id, '${PAYMENT}' as endpoint, '${SUCCESS}' as code, 200 as status, r.duration_ms,
      r.mer_order_no, r.trade_no, null::text as reason, null::bytea as sealed_sign, p.block_id, r.place
    from (${groups}) p cross join lateral unnest(p.request_ids, p.mer_order_nos, p.trade_nos, p.durations_ms, p.places)
      as r (request_id, mer_order_no, trade_no, duration_ms, place)`
}

type Row = Omit<ListedRequest, 'merNo' | 'at'> & { readonly merNo: bigint }

const listed = `mer_no as "merNo", request_id as "requestId", endpoint, code, status, duration_ms as "durationMs",
  mer_order_no as "merOrderNo", trade_no as "tradeNo", reason`

export async function selectRequests(
  db: Queryable,
  filter: RequestFilter,
  limit: number,
): Promise<ListedRequest[]> {
  const values: unknown[] = [filter.merNo]
  const value = (one: unknown) => `$${values.push(one)}`
  const sources = [requestsText(filter, limit, value)]
  if (mayFindPayments(filter)) sources.push(paymentsText(filter, limit, value))
  const found = await db.query<Row>({
    text: `
      select * from (${sources.map((source) => `(${source})`).join(' union all ')}) r
      order by "requestId" desc limit ${limit}`,
    values,
  })
  return found.map(toListed)
}

type AddValue = (value: unknown) => string

function requestsText(filter: RequestFilter, limit: number, value: AddValue): string {
  const { order, code, endpoint } = filter
  const where = ['mer_no = $1', ...between('request_id', filter, value)]
  if (order !== undefined) where.push(`mer_order_no = ${value(order.merOrderNo)}`)
  if (code !== undefined) where.push(`code = ${value(code)}`)
  if (endpoint !== undefined) where.push(`endpoint = ${value(endpoint)}`)
  // PostgreSQL uses a partial index only for a statement that contains the index's condition. The next lines add the
  // condition.
  if (endpoint !== undefined && endpoint !== PAYMENT) where.push(`endpoint <> '${PAYMENT}'`)
  const isRefused = filter.refusedOnly === true || (code !== undefined && code !== SUCCESS)
  if (isRefused) where.push(`code <> '${SUCCESS}'`)
  return `select ${listed} from request_log where ${where.join(' and ')} order by request_id desc limit ${limit}`
}

function paymentsText({ order, ...filter }: RequestFilter, limit: number, value: AddValue): string {
  const around = order && idsAround(order)
  const where = [...between('request_id', filter, value), ...between('request_id', around ?? {}, value)]
  if (order !== undefined) where.push(`mer_order_no = ${value(order.merOrderNo)}`)
  const { from = filter.from, below = filter.below } = around ?? {}
  const groups = groupsText({ from, below }, order === undefined ? limit : undefined, value)
  const condition = where.length === 0 ? '' : `where ${where.join(' and ')}`
  return `select ${listed} from (${unpackedText(groups)}) r ${condition} order by request_id desc limit ${limit}`
}

type Ids = Pick<RequestFilter, 'from' | 'below'>

/**
 * Returns a query for the groups that may contain ids from `from` on and below `below`. A group contains ids of one
 * slice of time, up to its last id. The query finds groups whose last id is in the range. With a limit, only the newest
 * of these groups are found. Groups in the slice of `below` that end after the range are found too, because they may
 * begin in the range.
 */
function groupsText({ from, below }: Ids, limit: number | undefined, value: AddValue): string {
  const inside = ['mer_no = $1', ...between('last_id', { from, below }, value)].join(' and ')
  const newest = limit === undefined ? '' : `order by last_id desc limit ${limit}`
  const whole = `select * from request_log_payments where ${inside} ${newest}`
  if (below === undefined) return whole
  const beyond = `mer_no = $1 and last_id >= ${value(below)} and last_id <= ${value(lastOfSlice(below))}`
  return `(${whole}) union all (select * from request_log_payments where ${beyond})`
}

function between(column: string, { from, below }: Ids, value: AddValue): string[] {
  const conditions = from === undefined ? [] : [`${column} >= ${value(from)}::uuid`]
  return below === undefined ? conditions : [...conditions, `${column} < ${value(below)}::uuid`]
}

function toListed(row: Row): ListedRequest {
  return { ...row, merNo: Number(row.merNo), at: timeOfUuid(row.requestId) }
}

/** Returns requests that name the order only by its trade number, newest first. */
export async function selectByTradeNo(
  db: Queryable,
  merNo: number,
  tradeNo: string,
  limit: number,
): Promise<ListedRequest[]> {
  const found = await db.query<Row>({
    text: `
      select ${listed} from request_log where mer_no = $1 and mer_order_no is null and trade_no = $2
      order by request_id desc limit ${limit}`,
    values: [merNo, tradeNo],
  })
  return found.map(toListed)
}

type FoundRequest = ListedRequest & {
  readonly sealedSign: Buffer | null
  readonly place: number
  readonly packed: Buffer
}

export async function selectRequest(
  db: Queryable,
  merNo: number,
  requestId: string,
): Promise<FoundRequest | undefined> {
  const group = `
    select * from request_log_payments
    where mer_no = $1 and last_id >= $2 and last_id <= $3 and request_ids @> array[$2::uuid]`
  const [row] = await db.query<Row & Pick<FoundRequest, 'sealedSign' | 'place' | 'packed'>>({
    text: `
      select ${listed}, sealed_sign as "sealedSign", place, packed
      from (
        (select ${columns}, block_id from request_log where mer_no = $1 and request_id = $2)
        union all
        (select ${columns}, block_id from (${unpackedText(group)}) p where request_id = $2)
      ) r join request_log_bodies using (block_id)`,
    values: [merNo, requestId, lastOfSlice(requestId)],
  })
  return row && { ...toListed(row), sealedSign: row.sealedSign, place: row.place, packed: row.packed }
}

/** The id column in the key of each table. */
const tablesOfLog = { request_log: 'request_id', request_log_payments: 'last_id' } as const
type TableOfLog = keyof typeof tablesOfLog

/** Finds the merchants with requests, by one step in the index per merchant. */
export async function selectMerchantsOfLog(db: Queryable, table: TableOfLog): Promise<number[]> {
  const found = await db.query<{ merNo: bigint }>({
    text: `
      with recursive known as (
        (select mer_no from ${table} order by mer_no limit 1)
        union all
        select (select r.mer_no from ${table} r where r.mer_no > known.mer_no order by r.mer_no limit 1)
        from known where known.mer_no is not null
      )
      select mer_no as "merNo" from known where mer_no is not null`,
  })
  return found.map(({ merNo }) => Number(merNo))
}

/** Deletes at most `limit` rows below the id `below`. Returns true if more rows may be left. */
export async function deleteRequests(
  db: Db,
  table: TableOfLog,
  merNo: number,
  below: string,
  limit: number,
): Promise<boolean> {
  const id = tablesOfLog[table]
  const deleted = await db.query({
    text: `
      delete from ${table} where mer_no = $1 and ${id} in (
        select ${id} from ${table} where mer_no = $1 and ${id} < $2 order by ${id} limit $3)
      returning mer_no`,
    values: [merNo, below, limit],
  })
  return deleted.length === limit
}

/**
 * Deletes old blocks. Returns true if blocks may be left. A block is newer than its requests, so no block is deleted
 * too early.
 */
export async function deleteBlocks(db: Db, below: string, limit: number): Promise<boolean> {
  const deleted = await db.query({
    text: `
      delete from request_log_bodies where block_id in (
        select block_id from request_log_bodies where block_id < $1 order by block_id limit $2)
      returning block_id`,
    values: [below, limit],
  })
  return deleted.length === limit
}
