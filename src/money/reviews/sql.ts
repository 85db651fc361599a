// Owns the tables reviews and review_files.
import type { Claim } from '../../platform/concurrency/claim-loop.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, int4, int8, itself, listOf, text } from '../../platform/postgres/lists.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import type { MovementPeriod, MovementRow } from '../../rails/contract/statement.ts'
import { type OrderKey, orderKeys } from '../orders/order.ts'
import {
  isSuffix,
  newReview,
  type ReturnKey,
  type Review,
  type ReviewFile,
  type ReviewState,
} from './review.ts'

type Row = {
  mer_no: bigint
  trade_no: string
  state: ReviewState
  note: string
  sealed: Buffer | null
  asked_at: Date | null
  submitted_at: Date | null
  decided_at: Date | null
  ask_at: Date | null
  asks: number
  returns: number
}

const columns = `mer_no, trade_no, state, note, sealed, asked_at, submitted_at, decided_at, ask_at, asks, returns`

function toReview(row: Row): Review {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    state: row.state,
    note: row.note,
    sealed: row.sealed ?? undefined,
    askedAt: row.asked_at ?? undefined,
    submittedAt: row.submitted_at ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    askAt: row.ask_at ?? undefined,
    asks: row.asks,
    returns: row.returns,
  }
}

/**
 * Locks and returns the review of an order. The caller has locked the order. If the review has no row, or a
 * row in state `picked`, the returned state is `asked`.
 */
export async function lockReview(tx: Tx, key: OrderKey): Promise<Review> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from reviews where mer_no = $1 and trade_no = $2 for update`,
    values: [key.merNo, key.tradeNo],
  })
  if (row === undefined) return newReview(key, 'asked')
  return row.state === 'picked' ? { ...toReview(row), state: 'asked' } : toReview(row)
}

export async function selectReview(db: Queryable, { merNo, tradeNo }: OrderKey): Promise<Review | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${columns} from reviews where mer_no = $1 and trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return row && toReview(row)
}

/** Returns the reviews of these orders that have a row, by trade number. */
export async function selectReviews(db: Queryable, keys: readonly OrderKey[]): Promise<Map<string, Review>> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from reviews
      join ${orderKeys.text} using (mer_no, trade_no)`,
    values: orderKeys.values(keys),
  })
  return new Map(rows.map((row) => [row.trade_no, toReview(row)]))
}

export async function saveReview(tx: Tx, review: Review): Promise<void> {
  await tx.query({
    text: `
      insert into reviews (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (mer_no, trade_no) do update set
        state = excluded.state, note = excluded.note, sealed = excluded.sealed, asked_at = excluded.asked_at,
        submitted_at = excluded.submitted_at, decided_at = excluded.decided_at, ask_at = excluded.ask_at,
        asks = excluded.asks, returns = excluded.returns`,
    values: [
      review.merNo,
      review.tradeNo,
      review.state,
      review.note,
      review.sealed,
      review.askedAt,
      review.submittedAt,
      review.decidedAt,
      review.askAt,
      review.asks,
      review.returns,
    ],
  })
}

/** Claims reviews whose next call to the channel is due, each with a lease. */
export async function claimReturns(db: Queryable, { now, leaseUntil, limit }: Claim): Promise<Review[]> {
  const rows = await db.query<Row>({
    text: `
      update reviews set ask_at = $2, asks = asks + 1
      where (mer_no, trade_no) in (
        select mer_no, trade_no from reviews where ask_at <= $1 order by ask_at limit $3 for update skip locked)
      returning ${columns}`,
    values: [now, leaseUntil, limit],
  })
  return rows.map(toReview)
}

/** Renews the lease. Returns false if the return was claimed or decided since the caller read the review. */
export async function renewLease(db: Queryable, review: Review, until: Date): Promise<boolean> {
  const { merNo, tradeNo, asks, returns, state } = review
  const rows = await db.query({
    text: `
      update reviews set ask_at = case when ask_at is not null then greatest(ask_at, $6) end
      where mer_no = $1 and trade_no = $2 and asks = $3 and returns = $4 and state = $5
      returning 1`,
    values: [merNo, tradeNo, asks, returns, state, until],
  })
  return rows.length > 0
}

export async function countReturning(db: Queryable): Promise<number> {
  const [row] = await db.query<{ reviews: number }>({
    text: 'select count(*)::int as reviews from reviews where ask_at is not null',
  })
  return row?.reviews ?? 0
}

type FileRow = {
  mer_no: bigint
  file_id: string
  trade_no: string | null
  proves: string | null
  suffix: string
  bytes: number
  sha256: string
  uploaded_at: Date
}

const fileColumns = 'mer_no, file_id, trade_no, proves, suffix, bytes, sha256, uploaded_at'

function toFile(row: FileRow): ReviewFile {
  if (!isSuffix(row.suffix)) throw new Error(`unknown suffix in review_files: ${row.suffix}`)
  return {
    merNo: Number(row.mer_no),
    fileId: row.file_id,
    tradeNo: row.trade_no ?? undefined,
    proves: row.proves ?? undefined,
    suffix: row.suffix,
    bytes: row.bytes,
    sha256: row.sha256,
    uploadedAt: row.uploaded_at,
  }
}

/**
 * Inserts a file. Returns false if already `mostLoose` files of the merchant wait to be submitted. Concurrent uploads
 * may exceed this limit.
 */
export async function insertFile(
  db: Queryable,
  file: ReviewFile,
  sealed: Buffer,
  mostLoose: number,
): Promise<boolean> {
  const { merNo, fileId, suffix, bytes, sha256, uploadedAt } = file
  const rows = await db.query({
    text: `
      insert into review_files (mer_no, file_id, suffix, bytes, sha256, sealed, uploaded_at)
      select $1, $2, $3, $4, $5, $6, $7
      where (select count(*) from review_files where mer_no = $1 and trade_no is null) < $8
      returning file_id`,
    values: [merNo, fileId, suffix, bytes, sha256, sealed, uploadedAt, mostLoose],
  })
  return rows.length === 1
}

/** Locks the files with these ids and returns them as `given`. Returns the order's files as `own`, without a lock. */
export async function lockFiles(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  fileIds: readonly string[],
): Promise<{ readonly given: readonly ReviewFile[]; readonly own: readonly ReviewFile[] }> {
  const rows = await tx.query<FileRow>({
    text: `
      select ${fileColumns} from review_files
      where mer_no = $1 and file_id = any (${wantedFiles.text}) order by file_id for update`,
    values: [merNo, wantedFiles.value(fileIds)],
  })
  return { given: rows.map(toFile), own: await selectFiles(tx, { merNo, tradeNo }) }
}

const wantedFiles = arrayOf(text<string>(itself), 2)

/** Returns the files that were submitted for the order. */
export async function selectFiles(db: Queryable, { merNo, tradeNo }: OrderKey): Promise<ReviewFile[]> {
  const rows = await db.query<FileRow>({
    text: `select ${fileColumns} from review_files where mer_no = $1 and trade_no = $2 order by file_id`,
    values: [merNo, tradeNo],
  })
  return rows.map(toFile)
}

type ProvingFile = { readonly fileId: string; readonly proves: string }

export async function attachFiles(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  files: readonly ProvingFile[],
): Promise<void> {
  await tx.query({
    text: `
      update review_files f set trade_no = $2, proves = g.proves
      from ${attached.text}
      where f.mer_no = $1 and f.file_id = g.file_id`,
    values: [merNo, tradeNo, ...attached.values(files)],
  })
}

const attached = listOf<ProvingFile>(
  { file_id: text((one) => one.fileId), proves: text((one) => one.proves) },
  3,
)

export async function selectFile(
  db: Queryable,
  merNo: number,
  fileId: string,
): Promise<{ readonly file: ReviewFile; readonly sealed: Buffer } | undefined> {
  const [row] = await db.query<FileRow & { sealed: Buffer }>({
    text: `select ${fileColumns}, sealed from review_files where mer_no = $1 and file_id = $2`,
    values: [merNo, fileId],
  })
  return row && { file: toFile(row), sealed: row.sealed }
}

/** Deletes up to `limit` files that were uploaded before this time and never submitted. Returns their number. */
export async function deleteLooseFiles(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from review_files where trade_no is null and (mer_no, file_id) in (
        select mer_no, file_id from review_files where trade_no is null and uploaded_at < $1
        order by uploaded_at limit $2 for update skip locked)
      returning file_id`,
    values: [before, limit],
  })
  return rows.length
}

export type ReturnRow = MovementRow & { readonly returns: number }

const returnedMoney = `
  join current_orders o on o.mer_no = v.mer_no and o.trade_no = v.trade_no
  join current_attempts a on a.mer_no = v.mer_no and a.trade_no = v.trade_no and a.state = 'succeeded'`

export function selectReturns(db: Queryable, keys: readonly ReturnKey[]): Promise<ReturnRow[]> {
  return db.query<ReturnRow>({
    text: `
      select v.mer_no, v.trade_no, g.returns, a.channel, o.currency, o.amount,
        case when g.returns < v.returns or v.state not in ('returning', 'rejected') then 'failed'
          when v.state = 'rejected' then 'succeeded' else 'open' end as state
      from ${returnKeyed.text}
      join reviews v on v.mer_no = g.mer_no and v.trade_no = g.trade_no and g.returns <= v.returns
      ${returnedMoney}`,
    values: returnKeyed.values(keys),
  })
}

const returnKeyed = listOf<ReturnKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  returns: int4((one) => one.returns),
})

export function readReturned(tx: Tx, { channel, from, until }: MovementPeriod): AsyncGenerator<ReturnRow[]> {
  return readInPieces<ReturnRow>(tx, {
    text: `
      select v.mer_no, v.trade_no, v.returns, a.channel, o.currency, o.amount, 'succeeded' as state
      from reviews v ${returnedMoney}
      where a.channel = $1 and v.state = 'rejected' and v.returns > 0 and o.decided_at >= $2 and o.decided_at < $3`,
    values: [channel, from, until],
  })
}
