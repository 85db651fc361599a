import { timeOfUuid } from '../base/uuid.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { bytes, type Column, int4, int8, listOf, text } from '../postgres/lists.ts'
import { type ListedRequest, SUCCESS } from './entry.ts'

export type RequestRow = {
  readonly merNo: number
  readonly requestId: string
  readonly endpoint: string
  readonly code: string
  readonly status: number
  readonly durationMs: number
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
  readonly reason: string | undefined
  readonly sealedSign: Buffer | undefined
  readonly place: number
}

export type PackedBlock = { readonly blockId: string; readonly packed: Buffer }

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

export async function insertRequests(
  db: Db,
  requests: readonly RequestRow[],
  { blockId, packed }: PackedBlock,
): Promise<void> {
  await db.query({
    name: 'request-log.insert',
    text: `
      with packed as (insert into request_log_bodies (block_id, packed) values ($1, $2))
      insert into request_log (${columns}, block_id) select ${columns}, $1 from ${rows.text}`,
    values: [blockId, packed, ...rows.values(requests)],
  })
}

export type RequestFilter = {
  readonly merNo: number
  readonly endpoint?: string | undefined
  readonly code?: string | undefined
  readonly refusedOnly?: boolean | undefined
  readonly merOrderNo?: string | undefined
  /** Ids from here on, and below that one. */
  readonly from?: string | undefined
  readonly below?: string | undefined
}

type Row = Omit<ListedRequest, 'merNo' | 'at'> & { readonly merNo: bigint }

const listed = `mer_no as "merNo", request_id as "requestId", endpoint, code, status, duration_ms as "durationMs",
  mer_order_no as "merOrderNo", trade_no as "tradeNo", reason`

/** Newest first. */
export async function selectRequests(
  db: Queryable,
  filter: RequestFilter,
  limit: number,
): Promise<ListedRequest[]> {
  const values: unknown[] = [filter.merNo]
  const where = ['mer_no = $1']
  const add = (condition: string, value: unknown) => where.push(`${condition} $${values.push(value)}`)
  if (filter.merOrderNo !== undefined) add('mer_order_no =', filter.merOrderNo)
  if (filter.code !== undefined) add('code =', filter.code)
  if (filter.endpoint !== undefined) add('endpoint =', filter.endpoint)
  if (filter.from !== undefined) add('request_id >=', filter.from)
  if (filter.below !== undefined) add('request_id <', filter.below)
  // These name the partial index that serves the filter.
  if (filter.endpoint !== undefined && filter.endpoint !== '/payment') where.push(`endpoint <> '/payment'`)
  const isRefused = filter.refusedOnly === true || (filter.code !== undefined && filter.code !== SUCCESS)
  if (isRefused) where.push(`code <> '${SUCCESS}'`)
  const found = await db.query<Row>({
    text: `select ${listed} from request_log where ${where.join(' and ')} order by request_id desc limit ${limit}`,
    values,
  })
  return found.map(toListed)
}

function toListed(row: Row): ListedRequest {
  return { ...row, merNo: Number(row.merNo), at: timeOfUuid(row.requestId) }
}

/** By its order number, or by its trade number where the endpoint knows only that. Newest first. */
export async function selectRequestsOfOrder(
  db: Queryable,
  merNo: number,
  { merOrderNo, tradeNo }: { readonly merOrderNo: string; readonly tradeNo: string },
  limit: number,
): Promise<ListedRequest[]> {
  const found = await db.query<Row>({
    text: `
      (select ${listed} from request_log where mer_no = $1 and mer_order_no = $2
        order by request_id desc limit ${limit})
      union all
      (select ${listed} from request_log where mer_no = $1 and mer_order_no is null and trade_no = $3
        order by request_id desc limit ${limit})
      order by 2 desc limit ${limit}`,
    values: [merNo, merOrderNo, tradeNo],
  })
  return found.map(toListed)
}

export type FoundRequest = ListedRequest & {
  readonly sealedSign: Buffer | null
  readonly place: number
  readonly packed: Buffer
}

export async function selectRequest(
  db: Queryable,
  merNo: number,
  requestId: string,
): Promise<FoundRequest | undefined> {
  const [row] = await db.query<Row & Pick<FoundRequest, 'sealedSign' | 'place' | 'packed'>>({
    text: `
      select r.mer_no as "merNo", r.request_id as "requestId", r.endpoint, r.code, r.status,
        r.duration_ms as "durationMs", r.mer_order_no as "merOrderNo", r.trade_no as "tradeNo", r.reason,
        r.sealed_sign as "sealedSign", r.place, b.packed
      from request_log r join request_log_bodies b on b.block_id = r.block_id
      where r.mer_no = $1 and r.request_id = $2`,
    values: [merNo, requestId],
  })
  return row && { ...toListed(row), sealedSign: row.sealedSign, place: row.place, packed: row.packed }
}

/** The merchants that have requests, found by steps through the index. */
export async function selectMerchantsOfLog(db: Queryable): Promise<number[]> {
  const found = await db.query<{ merNo: bigint }>({
    text: `
      with recursive known as (
        (select mer_no from request_log order by mer_no limit 1)
        union all
        select (select r.mer_no from request_log r where r.mer_no > known.mer_no order by r.mer_no limit 1)
        from known where known.mer_no is not null
      )
      select mer_no as "merNo" from known where mer_no is not null`,
  })
  return found.map(({ merNo }) => Number(merNo))
}

/** At most `limit`. Returns whether there may be more. */
export async function deleteRequests(db: Db, merNo: number, below: string, limit: number): Promise<boolean> {
  const deleted = await db.query({
    text: `
      delete from request_log where mer_no = $1 and request_id in (
        select request_id from request_log where mer_no = $1 and request_id < $2 order by request_id limit $3)
      returning place`,
    values: [merNo, below, limit],
  })
  return deleted.length === limit
}

/** At most `limit`. A block is younger than its requests. Returns whether there may be more. */
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
