import type { Money } from '../base/money.ts'
import { type OrderKey, referenceText } from '../orders/order.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import type { Chargeback, DisputeState } from './chargeback.ts'

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

/** Resolves the order's open chargeback and returns it; undefined when none is open. */
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

/** The latest chargeback of the order that took money; or the latest of all. */
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

/** The latest row about a dispute of the channel. */
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
  /** The amount that the channel disputes, if it differs from the chargeback's. */
  readonly disputed: Money | undefined
}

/** Newest first, each with its number of pieces of evidence; `state` null means any state. */
export async function selectChargebacks(
  db: Queryable,
  state: DisputeState | null,
  page: { readonly merNo?: number | undefined; readonly after?: string | undefined; readonly limit: number },
): Promise<ListedChargeback[]> {
  const rows = await db.query<
    Row & { evidence: number; disputed_amount: bigint | null; disputed_currency: string | null }
  >({
    text: `select ${columns}, (select count(*)::int from chargeback_evidence e
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
      ) disputed on true
      where ($1::text is null or state = $1) and ($3::bigint is null or mer_no = $3)
        and ($4::text is null or chargeback_id < $4)
      order by opened_at desc, chargeback_id desc limit $2`,
    values: [state, page.limit, page.merNo ?? null, page.after ?? null],
  })
  return rows.map((row) => {
    const { evidence, disputed_amount: amount, disputed_currency: currency } = row
    const disputed = amount === null || currency === null ? undefined : { amount, currency }
    return { ...toChargeback(row), evidence, disputed }
  })
}

/**
 * A chargeback that an operator opened and no channel has claimed, unless it ended before the channel's dispute began. One
 * over the same amount is preferred; else the latest.
 */
export async function selectUnclaimed(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  { money, at }: { readonly money: Money; readonly at: Date },
): Promise<Chargeback | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from chargebacks
      where mer_no = $1 and trade_no = $2 and dispute_ref is null and (resolved_at is null or resolved_at >= $3)
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

/** The order's latest open chargeback or inquiry, locked; undefined when there is none. */
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

export type DueReminder = {
  readonly merNo: number
  readonly merOrderNo: string
  readonly money: Money
  readonly answerBy: Date
}

/** Counts the reminders that are due at `now`: `first` and `last` are the deadlines that they reach. */
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
  /** Those whose answer is due by then. */
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
