// Owns the tables chargebacks and chargeback_evidence.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import type { MovementPeriod, MovementRow } from '../../rails/contract/statement.ts'
import { type AttemptKey, attemptKeys, type OrderKey, referenceText } from '../orders/order.ts'
import type { Chargeback, DisputePosition, DisputeState, Evidence } from './chargeback.ts'

type Row = {
  mer_no: bigint
  chargeback_id: string
  trade_no: string
  state: DisputeState
  reason: string
  currency: string
  amount: bigint
  fee: bigint
  dispute_ref: string | null
  opened_at: Date
  resolved_at: Date | null
  answer_by: Date | null
}

const columns =
  'mer_no, chargeback_id, trade_no, state, reason, currency, amount, fee, dispute_ref, opened_at, resolved_at, answer_by'

function toChargeback(row: Row): Chargeback {
  return {
    merNo: Number(row.mer_no),
    chargebackId: row.chargeback_id,
    tradeNo: row.trade_no,
    state: row.state,
    reason: row.reason,
    money: { amount: row.amount, currency: row.currency },
    fee: row.fee,
    disputeRef: row.dispute_ref ?? undefined,
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at ?? undefined,
    answerBy: row.answer_by ?? undefined,
  }
}

export async function insertChargeback(tx: Tx, chargeback: Chargeback): Promise<void> {
  const { merNo, chargebackId, tradeNo, state, reason, money, fee, disputeRef, openedAt } = chargeback
  await tx.query({
    text: `insert into chargebacks (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null, $11)`,
    values: [
      merNo,
      chargebackId,
      tradeNo,
      state,
      reason,
      money.currency,
      money.amount,
      fee,
      disputeRef ?? null,
      openedAt,
      chargeback.answerBy ?? null,
    ],
  })
}

/** Resolves the order's open chargeback and returns it. Returns undefined if no chargeback is open. */
export async function resolveOpen(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  outcome: 'won' | 'lost',
  at: Date,
): Promise<Chargeback | undefined> {
  const [row] = await tx.query<Row>({
    text: `update chargebacks set state = $3, resolved_at = $4
      where mer_no = $1 and trade_no = $2 and state = 'open' returning ${columns}`,
    values: [merNo, tradeNo, outcome, at],
  })
  return row && toChargeback(row)
}

export async function selectLatest(
  db: Queryable,
  merNo: number,
  tradeNo: string,
  which: 'booked' | 'any',
): Promise<Chargeback | undefined> {
  const [row] = await db.query<Row>({
    name: `chargebacks.latest-${which}`,
    text: `select ${columns} from chargebacks
      where mer_no = $1 and trade_no = $2 ${which === 'booked' ? `and state in ('open', 'won', 'lost')` : ''}
      order by opened_at desc, chargeback_id desc limit 1`,
    values: [merNo, tradeNo],
  })
  return row && toChargeback(row)
}

/** Returns the latest chargeback or inquiry of a channel's dispute. */
export async function selectOfDispute(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  disputeRef: string,
): Promise<Chargeback | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from chargebacks where mer_no = $1 and trade_no = $2 and dispute_ref = $3
      order by opened_at desc, chargeback_id desc limit 1`,
    values: [merNo, tradeNo, disputeRef],
  })
  return row && toChargeback(row)
}

export async function closeInquiry(tx: Tx, { merNo, chargebackId }: Chargeback, at: Date): Promise<void> {
  await tx.query({
    text: `update chargebacks set state = 'closed', resolved_at = $3
      where mer_no = $1 and chargeback_id = $2 and state = 'inquiry'`,
    values: [merNo, chargebackId, at],
  })
}

export async function selectOfOrder(
  db: Queryable,
  merNo: number,
  tradeNo: string,
  limit: number,
): Promise<Chargeback[]> {
  const rows = await db.query<Row>({
    name: 'chargebacks.of-order',
    text: `select ${columns} from chargebacks where mer_no = $1 and trade_no = $2
      order by opened_at, chargeback_id limit $3`,
    values: [merNo, tradeNo, limit],
  })
  return rows.map(toChargeback)
}

export type ListedChargeback = Chargeback & {
  readonly evidence: number
  /** The amount that the channel disputes, if it differs from the amount of the chargeback. */
  readonly disputed: Money | undefined
}

export type ChargebackPage = {
  /** The merchant whose chargebacks are selected. Undefined for all merchants. */
  readonly merNo?: number | undefined
  /** The last chargeback id of the previous page. */
  readonly after?: string | undefined
  readonly limit: number
}

type ListedDisputeRow = Row & {
  evidence: number
  disputed_amount: bigint | null
  disputed_currency: string | null
}

const listedText = `select ${columns}, (select count(*)::int from chargeback_evidence e
    where e.mer_no = c.mer_no and e.chargeback_id = c.chargeback_id) as evidence,
    disputed_amount, disputed_currency
  from chargebacks c
  left join lateral (
    select reported.amount as disputed_amount, reported.currency as disputed_currency
    from current_attempts a
    join channel_disputes reported on reported.reference = ${referenceText('a')}
    where a.mer_no = c.mer_no and a.trade_no = c.trade_no and reported.chargeback_id = c.chargeback_id
      and (reported.amount, reported.currency) <> (c.amount, c.currency)
    order by reported.told_at desc limit 1
  ) disputed on true`

function toListed(row: ListedDisputeRow): ListedChargeback {
  const { evidence, disputed_amount: amount, disputed_currency: currency } = row
  const disputed = amount === null || currency === null ? undefined : { amount, currency }
  return { ...toChargeback(row), evidence, disputed }
}

/** Selects chargebacks and inquiries, newest first, with the count of their evidence. `state` null means any state. */
export async function selectChargebacks(
  db: Queryable,
  state: DisputeState | null,
  page: ChargebackPage,
): Promise<ListedChargeback[]> {
  const rows = await db.query<ListedDisputeRow>({
    text: `${listedText}
      where ($1::text is null or state = $1) and ($3::bigint is null or mer_no = $3)
        and ($4::text is null or chargeback_id < $4)
      order by opened_at desc, chargeback_id desc limit $2`,
    values: [state, page.limit, page.merNo ?? null, page.after ?? null],
  })
  return rows.map(toListed)
}

export type DeadlinePage = Pick<ChargebackPage, 'merNo' | 'limit'> & {
  readonly after?: DisputePosition | undefined
}

/**
 * Selects first the open disputes, by deadline, so that overdue disputes come first, and then the ended disputes,
 * newest first.
 */
export async function selectByDeadline(
  db: Queryable,
  state: DisputeState | null,
  { merNo, limit, after }: DeadlinePage,
): Promise<ListedChargeback[]> {
  const rows = await db.query<ListedDisputeRow>({
    text: `with page as materialized (
        select * from (
          select mer_no, chargeback_id, false as is_ended, answer_by as at from chargebacks
          where state in ('inquiry', 'open') and ($1::text is null or state = $1) and ($3::bigint is null or mer_no = $3)
            and $4::boolean is not true and ($5::timestamptz is null or (answer_by, chargeback_id) > ($5, $6::text))
          order by answer_by, chargeback_id limit $2) undecided
        union all
        select * from (
          select mer_no, chargeback_id, true, opened_at from chargebacks
          where state in ('closed', 'won', 'lost') and ($1::text is null or state = $1)
            and ($3::bigint is null or mer_no = $3)
            and ($4::boolean is not true or (opened_at, chargeback_id) < ($5, $6::text))
          order by opened_at desc, chargeback_id desc limit $2) ended
      )
      ${listedText} join page using (mer_no, chargeback_id)
      order by is_ended, case when not is_ended then at end, case when not is_ended then chargeback_id end,
        at desc, chargeback_id desc
      limit $2`,
    values: [
      state,
      limit,
      merNo ?? null,
      after?.isEnded ?? null,
      after?.at ?? null,
      after?.chargebackId ?? null,
    ],
  })
  return rows.map(toListed)
}

/**
 * Returns the chargeback that an operator opened before the channel reported the dispute. This chargeback has no
 * dispute reference. It is open, was resolved at `at` or later, or was lost. A lost chargeback always matches, because
 * an order has no chargeback after a lost one. A chargeback of the same amount is preferred, then the latest
 * chargeback.
 */
export async function selectUnclaimed(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  { money, at }: { readonly money: Money; readonly at: Date },
): Promise<Chargeback | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from chargebacks
      where mer_no = $1 and trade_no = $2 and dispute_ref is null
        and (resolved_at is null or resolved_at >= $3 or state = 'lost')
      order by (amount = $4 and currency = $5) desc, opened_at desc, chargeback_id desc limit 1`,
    values: [merNo, tradeNo, at, money.amount, money.currency],
  })
  return row && toChargeback(row)
}

export async function setDisputeRef(
  tx: Tx,
  { merNo, chargebackId }: Chargeback,
  disputeRef: string,
): Promise<void> {
  await tx.query({
    text: 'update chargebacks set dispute_ref = $3 where mer_no = $1 and chargeback_id = $2',
    values: [merNo, chargebackId, disputeRef],
  })
}

/** Locks and returns the order's latest open chargeback or inquiry, if there is one. */
export async function lockUndecided(tx: Tx, { merNo, tradeNo }: OrderKey): Promise<Chargeback | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from chargebacks
      where mer_no = $1 and trade_no = $2 and state in ('inquiry', 'open')
      order by opened_at desc, chargeback_id desc limit 1 for update`,
    values: [merNo, tradeNo],
  })
  return row && toChargeback(row)
}

export async function updateDeadline(
  tx: Tx,
  { merNo, chargebackId }: Chargeback,
  answerBy: Date,
): Promise<void> {
  await tx.query({
    text: `update chargebacks set answer_by = $3, reminders = 0
      where mer_no = $1 and chargeback_id = $2 and answer_by is distinct from $3`,
    values: [merNo, chargebackId, answerBy],
  })
}

type DueReminder = {
  readonly merNo: number
  readonly merOrderNo: string
  readonly money: Money
  readonly answerBy: Date
}

/**
 * Marks the due reminders as written and returns their disputes. The first reminder is due for deadlines from `now` to
 * `first`, the last reminder for deadlines up to `last`.
 */
export async function takeDueReminders(
  tx: Tx,
  { now, first, last, limit }: { now: Date; first: Date; last: Date; limit: number },
): Promise<DueReminder[]> {
  const rows = await tx.query<Row & { mer_order_no: string; answer_by: Date }>({
    text: `
      with due as (
        select mer_no, chargeback_id from chargebacks
        where state in ('inquiry', 'open') and reminders < 2 and answer_by > $1 and answer_by <= $2
          and (reminders = 0 or answer_by <= $3)
        order by answer_by limit $4
        for update skip locked
      )
      update chargebacks c set reminders = case when c.answer_by <= $3 then 2 else 1 end
      from due, current_orders o
      where c.mer_no = due.mer_no and c.chargeback_id = due.chargeback_id
        and o.mer_no = c.mer_no and o.trade_no = c.trade_no
      returning c.mer_no, o.mer_order_no, c.amount, c.currency, c.answer_by`,
    values: [now, first, last, limit],
  })
  return rows.map((row) => {
    const { amount, currency, mer_order_no: merOrderNo, answer_by: answerBy } = row
    return { merNo: Number(row.mer_no), merOrderNo, money: { amount, currency }, answerBy }
  })
}

export type OpenChargebacks = {
  readonly count: number
  readonly since: Date | null
  /** The number of open chargebacks whose deadline is not later than the given time. */
  readonly due: number
  readonly nextDue: Date | null
}

export async function selectOpenCount(db: Queryable, dueBy: Date): Promise<OpenChargebacks> {
  const [row] = await db.query<OpenChargebacks>({
    text: `
      select count(*)::int as count, min(opened_at) as since, min(answer_by) as "nextDue",
        (count(*) filter (where answer_by <= $1))::int as due
      from chargebacks where state = 'open'`,
    values: [dueBy],
  })
  return row ?? { count: 0, since: null, due: 0, nextDue: null }
}

export type DueChargeback = {
  readonly tradeNo: string
  readonly money: Money
  readonly answerBy: Date
}

/** Selects the merchant's open chargebacks without evidence whose deadline has not passed, the next deadline first. */
export async function selectNextDue(
  db: Queryable,
  merNo: number,
  now: Date,
  limit: number,
): Promise<DueChargeback[]> {
  const rows = await db.query<{ trade_no: string; amount: bigint; currency: string; answer_by: Date }>({
    text: `
      select trade_no, amount, currency, answer_by from chargebacks c
      where mer_no = $1 and state = 'open' and answer_by > $2 and not exists (
        select from chargeback_evidence e where e.mer_no = c.mer_no and e.chargeback_id = c.chargeback_id)
      order by answer_by, trade_no limit $3`,
    values: [merNo, now, limit],
  })
  return rows.map(({ trade_no: tradeNo, amount, currency, answer_by: answerBy }) => {
    return { tradeNo, money: { amount, currency }, answerBy }
  })
}

/** Adds evidence to the order's open chargeback, or else to its inquiry. Returns false if the order has neither. */
export async function insertEvidence(
  tx: Queryable,
  evidence: Evidence,
  sealed: Buffer | undefined,
): Promise<boolean> {
  const { merNo, evidenceId, tradeNo, note, file, by, at } = evidence
  const rows = await tx.query({
    text: `insert into chargeback_evidence (
        mer_no, evidence_id, chargeback_id, note, file_name, file_bytes, file_sha256, file_sealed, added_by, added_at)
      select mer_no, $2, chargeback_id, $4, $5, $6, $7, $8, $9, $10 from chargebacks
      where mer_no = $1 and trade_no = $3 and state in ('inquiry', 'open')
      order by (state = 'open') desc, opened_at desc, chargeback_id desc limit 1
      returning evidence_id`,
    values: [
      merNo,
      evidenceId,
      tradeNo,
      note,
      file?.name ?? null,
      file?.bytes ?? null,
      file?.sha256 ?? null,
      sealed ?? null,
      by ?? null,
      at,
    ],
  })
  return rows.length === 1
}

/** Moves the evidence of an inquiry to the chargeback that followed. */
export async function moveEvidence(tx: Tx, from: Chargeback, to: Chargeback): Promise<void> {
  await tx.query({
    text: 'update chargeback_evidence set chargeback_id = $3 where mer_no = $1 and chargeback_id = $2',
    values: [from.merNo, from.chargebackId, to.chargebackId],
  })
}

type EvidenceRow = {
  evidence_id: string
  note: string
  file_name: string | null
  file_bytes: number | null
  file_sha256: string | null
  added_by: string | null
  added_at: Date
}

/** Returns the evidence of one chargeback, oldest first. */
export async function selectEvidence(
  db: Queryable,
  { merNo, tradeNo, chargebackId }: Chargeback,
): Promise<Evidence[]> {
  const rows = await db.query<EvidenceRow>({
    text: `select evidence_id, note, file_name, file_bytes, file_sha256, added_by, added_at
      from chargeback_evidence where mer_no = $1 and chargeback_id = $2 order by evidence_id`,
    values: [merNo, chargebackId],
  })
  return rows.map((row) => {
    const { file_name: name, file_bytes: bytes, file_sha256: sha256 } = row
    const file = name === null || bytes === null || sha256 === null ? undefined : { name, bytes, sha256 }
    const { evidence_id: evidenceId, note, added_by: by, added_at: at } = row
    return { merNo, evidenceId, tradeNo, note, file, by: by ?? undefined, at }
  })
}

export async function selectFile(
  db: Queryable,
  merNo: number,
  evidenceId: string,
): Promise<{ readonly name: string; readonly sealed: Buffer } | undefined> {
  const [row] = await db.query<{ file_name: string; file_sealed: Buffer }>({
    text: `select file_name, file_sealed from chargeback_evidence
      where mer_no = $1 and evidence_id = $2 and file_sealed is not null`,
    values: [merNo, evidenceId],
  })
  return row && { name: row.file_name, sealed: row.file_sealed }
}

export type ChargebackMovementRow = MovementRow & { readonly attempt_no: number }

// The channel took the money when the chargeback was opened, so the state is always `succeeded`.
const movementColumns = `c.mer_no, c.trade_no, a.attempt_no, a.channel, c.currency, c.amount, 'succeeded' as state`

const tookMoney = `c.state in ('open', 'won', 'lost')`

/** Returns, for each given attempt, the latest chargeback of the attempt's order. */
export function selectMovements(
  db: Queryable,
  keys: readonly AttemptKey[],
): Promise<ChargebackMovementRow[]> {
  return db.query<ChargebackMovementRow>({
    text: `
      select distinct on (c.mer_no, c.trade_no) ${movementColumns}
      from ${attemptKeys.text}
      join current_attempts a on a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no
      join chargebacks c on c.mer_no = a.mer_no and c.trade_no = a.trade_no and ${tookMoney}
      order by c.mer_no, c.trade_no, c.opened_at desc, c.chargeback_id desc`,
    values: attemptKeys.values(keys),
  })
}

export function readOpened(
  tx: Tx,
  { channel, from, until }: MovementPeriod,
): AsyncGenerator<ChargebackMovementRow[]> {
  return readInPieces<ChargebackMovementRow>(tx, {
    text: `
      select ${movementColumns} from chargebacks c
      join current_attempts a on a.mer_no = c.mer_no and a.trade_no = c.trade_no and a.state = 'succeeded'
      where a.channel = $1 and ${tookMoney} and c.opened_at >= $2 and c.opened_at < $3`,
    values: [channel, from, until],
  })
}
