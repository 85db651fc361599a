import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { int4, int8, listOf, text } from '../../../platform/postgres/lists.ts'

export type BulkRow = {
  readonly merNo: number
  readonly bulkId: string
  readonly userId: string
  readonly email: string
  readonly address: string
  readonly reason: string
  readonly state: 'checked' | 'running' | 'done' | 'cancelled'
  readonly version: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export type RefundRow = {
  readonly rowNo: number
  readonly number: string
  readonly tradeNo: string | null
  readonly merOrderNo: string
  readonly currency: string
  readonly amount: bigint
  readonly state: 'ready' | 'refused' | 'accepted' | 'failed'
  readonly message: string
  readonly refundNo: string | null
}

type Stored = Omit<BulkRow, 'merNo'> & { readonly merNo: bigint }

const columns = `
  mer_no as "merNo", bulk_id as "bulkId", user_id as "userId", email, address, reason, state, version,
  created_at as "createdAt", finished_at as "finishedAt"`

function toBulk(row: Stored): BulkRow {
  return { ...row, merNo: Number(row.merNo) }
}

export async function insertBulk(tx: Tx, bulk: BulkRow, rows: readonly RefundRow[]): Promise<void> {
  const { merNo, bulkId, userId, email, address, reason, version, createdAt } = bulk
  await tx.query({
    text: `insert into bulk_refunds (
        mer_no, bulk_id, user_id, email, address, reason, state, version, created_at)
      values ($1, $2, $3, $4, $5, $6, 'checked', $7, $8)`,
    values: [merNo, bulkId, userId, email, address, reason, version, createdAt],
  })
  await tx.query({
    text: `
      insert into bulk_refund_rows (
        mer_no, bulk_id, row_no, number, trade_no, mer_order_no, currency, amount, state, message)
      select $1, $2, row_no, number, trade_no, mer_order_no, currency, amount, state, message from ${inserted.text}`,
    values: [merNo, bulkId, ...inserted.values(rows)],
  })
}

const inserted = listOf<RefundRow>(
  {
    row_no: int4((one) => one.rowNo),
    number: text((one) => one.number),
    trade_no: text((one) => one.tradeNo ?? undefined),
    mer_order_no: text((one) => one.merOrderNo),
    currency: text((one) => one.currency),
    amount: int8((one) => one.amount),
    state: text((one) => one.state),
    message: text((one) => one.message),
  },
  3,
)

export async function selectBulks(db: Queryable, merNo: number, limit: number): Promise<BulkRow[]> {
  const rows = await db.query<Stored>({
    text: `select ${columns} from bulk_refunds where mer_no = $1 order by bulk_id desc limit $2`,
    values: [merNo, limit],
  })
  return rows.map(toBulk)
}

export async function selectBulk(db: Queryable, merNo: number, bulkId: string): Promise<BulkRow | undefined> {
  const [row] = await db.query<Stored>({
    text: `select ${columns} from bulk_refunds where mer_no = $1 and bulk_id = $2`,
    values: [merNo, bulkId],
  })
  return row && toBulk(row)
}

export function selectRows(db: Queryable, merNo: number, bulkId: string): Promise<RefundRow[]> {
  return db.query<RefundRow>({
    text: `select row_no as "rowNo", number, trade_no as "tradeNo", mer_order_no as "merOrderNo", currency, amount,
        state, message, refund_no as "refundNo"
      from bulk_refund_rows where mer_no = $1 and bulk_id = $2 order by row_no`,
    values: [merNo, bulkId],
  })
}

/** Returns undefined if the bulk refund has changed since the person saw it. */
export async function startBulk(
  tx: Tx,
  { merNo, bulkId, version }: Pick<BulkRow, 'merNo' | 'bulkId' | 'version'>,
  at: Date,
): Promise<BulkRow | undefined> {
  const [row] = await tx.query<Stored>({
    text: `
      update bulk_refunds set state = 'running', version = version + 1, started_at = $4, leased_until = $4
      where mer_no = $1 and bulk_id = $2 and version = $3 and state = 'checked'
      returning ${columns}`,
    values: [merNo, bulkId, version, at],
  })
  return row && toBulk(row)
}

/** Returns false if the bulk refund does not exist, or has already been started or cancelled. */
export async function cancelBulk(tx: Tx, merNo: number, bulkId: string, at: Date): Promise<boolean> {
  const rows = await tx.query<{ bulk_id: string }>({
    text: `update bulk_refunds set state = 'cancelled', version = version + 1, finished_at = $3
      where mer_no = $1 and bulk_id = $2 and state = 'checked' returning bulk_id`,
    values: [merNo, bulkId, at],
  })
  return rows.length > 0
}

export async function claimBulk(db: Queryable, now: Date, leaseUntil: Date): Promise<BulkRow | undefined> {
  const [row] = await db.query<Stored>({
    text: `
      update bulk_refunds set leased_until = $2 where (mer_no, bulk_id) = (
        select mer_no, bulk_id from bulk_refunds where leased_until <= $1
        order by leased_until limit 1 for update skip locked)
      returning ${columns}`,
    values: [now, leaseUntil],
  })
  return row && toBulk(row)
}

export async function updateRow(
  db: Queryable,
  { merNo, bulkId }: BulkRow,
  rowNo: number,
  result: Pick<RefundRow, 'state' | 'message' | 'refundNo'>,
): Promise<void> {
  await db.query({
    text: `update bulk_refund_rows set state = $4, message = $5, refund_no = $6
      where mer_no = $1 and bulk_id = $2 and row_no = $3 and state = 'ready'`,
    values: [merNo, bulkId, rowNo, result.state, result.message, result.refundNo],
  })
}

export async function renewLease(db: Queryable, { merNo, bulkId }: BulkRow, leaseUntil: Date): Promise<void> {
  await db.query({
    text: `update bulk_refunds set leased_until = $3 where mer_no = $1 and bulk_id = $2 and state = 'running'`,
    values: [merNo, bulkId, leaseUntil],
  })
}

/** Returns false if another worker has already ended the bulk refund. */
export async function endBulk(tx: Tx, { merNo, bulkId }: BulkRow, at: Date): Promise<boolean> {
  const rows = await tx.query<{ bulk_id: string }>({
    text: `update bulk_refunds set state = 'done', version = version + 1, finished_at = $3, leased_until = null
      where mer_no = $1 and bulk_id = $2 and state = 'running' returning bulk_id`,
    values: [merNo, bulkId, at],
  })
  return rows.length > 0
}
