// Owns the table suspense.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, int4, int8, itself, listOf, text, time } from '../../platform/postgres/lists.ts'
import {
  ASSIGNED,
  type AttemptKey,
  type Suspense,
  type SuspenseCause,
  type SuspenseOrigin,
  type SuspenseState,
} from './suspense.ts'

type Row = {
  mer_no: bigint
  suspense_id: string
  channel: string
  reference: string
  trade_no: string | null
  attempt_no: number | null
  origin: SuspenseOrigin
  line_no: string | null
  currency: string
  amount: bigint
  why: SuspenseCause
  state: SuspenseState
  booked_at: Date
  decided_at: Date | null
}

const columns = `
  mer_no, suspense_id, channel, reference, trade_no, attempt_no, origin, line_no, currency, amount, why, state,
  booked_at, decided_at`

/**
 * Inserts rows and returns the inserted rows. Rows of origin `statement` are always inserted. A row of another origin
 * is skipped if a row with the same merchant, channel and reference, and not of origin `statement`, is stored.
 */
export async function insertSuspense(tx: Tx, items: readonly Suspense[]): Promise<Suspense[]> {
  const rows = await tx.query<Row>({
    text: `
      insert into suspense (${columns})
      select ${columns} from ${inserted.text}
      order by mer_no, channel, reference
      on conflict (mer_no, channel, reference) where origin <> 'statement' do nothing
      returning ${columns}`,
    values: inserted.values(items),
  })
  return rows.map(toSuspense)
}

const inserted = listOf<Suspense>({
  mer_no: int8((one) => one.merNo),
  suspense_id: text((one) => one.suspenseId),
  channel: text((one) => one.channel),
  reference: text((one) => one.reference),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
  origin: text((one) => one.origin),
  line_no: text((one) => one.lineNo),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  why: text((one) => one.why),
  state: text((one) => one.state),
  booked_at: time((one) => one.bookedAt),
  decided_at: time((one) => one.decidedAt),
})

export async function lockSuspense(tx: Tx, merNo: number, suspenseId: string): Promise<Suspense | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from suspense where mer_no = $1 and suspense_id = $2 for update`,
    values: [merNo, suspenseId],
  })
  return row && toSuspense(row)
}

export async function selectSuspense(
  db: Queryable,
  merNo: number,
  suspenseId: string,
): Promise<Suspense | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${columns} from suspense where mer_no = $1 and suspense_id = $2`,
    values: [merNo, suspenseId],
  })
  return row && toSuspense(row)
}

/** Finds open rows by suspense id, trade number or reference, oldest first. Few rows are open, so this is fast. */
export async function selectHeldNumbered(db: Queryable, number: string, limit: number): Promise<Suspense[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from suspense
      where state = 'held' and (suspense_id = $1 or trade_no = $1 or reference = $1)
      order by booked_at, suspense_id limit $2`,
    values: [number, limit],
  })
  return rows.map(toSuspense)
}

/** Locks and returns the open rows of one attempt in one currency. */
export async function lockHeld(
  tx: Tx,
  { merNo, tradeNo, attemptNo }: AttemptKey,
  currency: string,
): Promise<Suspense[]> {
  const rows = await tx.query<Row>({
    text: `
      select ${columns} from suspense
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and currency = $4 and state = 'held'
      order by suspense_id
      for update`,
    values: [merNo, tradeNo, attemptNo, currency],
  })
  return rows.map(toSuspense)
}

/** Locks and returns the suspense rows of these statement lines, except withdrawn rows. */
export async function lockOfLines(tx: Tx, lineNos: readonly string[]): Promise<Suspense[]> {
  const rows = await tx.query<Row>({
    text: `
      select ${columns} from suspense where line_no = any (${lined.text}) and state <> 'withdrawn'
      order by mer_no, suspense_id
      for update`,
    values: [lined.value(lineNos)],
  })
  return rows.map(toSuspense)
}

const lined = arrayOf(text<string>(itself))

/**
 * Returns the condition for money of a returned refund or payout that an operator assigned to an order. The channel
 * reported this money as a return, and no statement lists it for the attempt. Therefore the money must not be compared
 * with the attempt's deposits and lines. The condition includes the origin, because a channel's id of a deposit may
 * also begin with `ASSIGNED`.
 */
function isAssignedReturn(row: string): string {
  return `(${row}.origin = 'statement' and starts_with(${row}.reference, '${ASSIGNED}') and ${row}.line_no is null)`
}

/**
 * Returns the sums of an attempt by currency. Rows of a surplus (`split`) do not count, because the accepted rows
 * already contain their amount. Withdrawn rows and assigned returns (`isAssignedReturn`) do not count.
 */
export async function selectBooked(
  tx: Tx,
  { merNo, tradeNo, attemptNo }: AttemptKey,
): Promise<Map<string, { readonly booked: bigint; readonly listed: bigint }>> {
  const rows = await tx.query<{ currency: string; booked: bigint; listed: bigint }>({
    text: `
      select currency, sum(amount)::bigint as booked,
        coalesce(sum(amount) filter (where origin = 'statement'), 0)::bigint as listed
      from suspense
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and origin <> 'split' and state <> 'withdrawn'
        and not ${isAssignedReturn('suspense')}
      group by currency`,
    values: [merNo, tradeNo, attemptNo],
  })
  return new Map(rows.map(({ currency, booked, listed }) => [currency, { booked, listed }]))
}

export async function decideSuspense(
  tx: Tx,
  merNo: number,
  suspenseIds: readonly string[],
  state: Exclude<SuspenseState, 'held'>,
  at: Date,
): Promise<void> {
  await tx.query({
    text: `
      update suspense set state = $3, decided_at = $4
      where mer_no = $1 and suspense_id = any (${decided.text})`,
    values: [merNo, decided.value(suspenseIds), state, at],
  })
}

const decided = arrayOf(text<string>(itself), 2)

export type HeldCount = { readonly count: number; readonly since: Date | null }

export async function selectHeldCount(db: Queryable): Promise<HeldCount> {
  const [row] = await db.query<HeldCount>({
    text: `select count(*)::int as count, min(booked_at) as since from suspense where state = 'held'`,
  })
  return row ?? { count: 0, since: null }
}

/**
 * Returns the rows that wait for an operator, oldest first. `after` is the last row of the previous page. The page is
 * correct even if an operator has decided on that row since.
 */
export async function selectHeld(
  db: Queryable,
  merNo: number | undefined,
  limit: number,
  after: { readonly merNo: number; readonly suspenseId: string } | undefined,
): Promise<Suspense[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from suspense
      where state = 'held' and ($1::bigint is null or mer_no = $1)
        and ($3::bigint is null or (booked_at, suspense_id) > (
          select l.booked_at, l.suspense_id from suspense l where l.mer_no = $3 and l.suspense_id = $4))
      order by booked_at, suspense_id limit $2`,
    values: [merNo, limit, after?.merNo, after?.suspenseId],
  })
  return rows.map(toSuspense)
}

export type ReferenceKey = { readonly merNo: number; readonly reference: string }

export async function selectByReference(
  db: Queryable,
  channel: string,
  keys: readonly ReferenceKey[],
): Promise<Suspense[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from suspense
      where (mer_no, channel, reference) in (
        select mer_no, $1, reference from ${referred.text})`,
    values: [channel, ...referred.values(keys)],
  })
  return rows.map(toSuspense)
}

const referred = listOf<ReferenceKey>(
  { mer_no: int8((one) => one.merNo), reference: text((one) => one.reference) },
  2,
)

function toSuspense(row: Row): Suspense {
  return {
    merNo: Number(row.mer_no),
    suspenseId: row.suspense_id,
    channel: row.channel,
    reference: row.reference,
    tradeNo: row.trade_no ?? undefined,
    attemptNo: row.attempt_no ?? undefined,
    origin: row.origin,
    lineNo: row.line_no ?? undefined,
    money: { amount: row.amount, currency: row.currency },
    why: row.why,
    state: row.state,
    bookedAt: row.booked_at,
    decidedAt: row.decided_at ?? undefined,
  }
}

export type OrderKey = { readonly merNo: number; readonly tradeNo: string }

/** Returns the trade numbers of the orders that were paid from suspense. */
export async function selectAcceptedOrders(db: Queryable, orders: readonly OrderKey[]): Promise<string[]> {
  const rows = await db.query<{ trade_no: string }>({
    text: `
      select distinct s.trade_no from ${ordersGiven.text} join suspense s using (mer_no, trade_no)
      where s.state = 'accepted'`,
    values: ordersGiven.values(orders),
  })
  return rows.map((row) => row.trade_no)
}

const ordersGiven = listOf<OrderKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

/** Returns the rows of these orders that wait for an operator, oldest first. */
export async function selectHeldOfOrders(db: Queryable, orders: readonly OrderKey[]): Promise<Suspense[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from suspense
      where state = 'held' and (mer_no, trade_no) in (select mer_no, trade_no from ${ordersGiven.text})
      order by suspense_id`,
    values: ordersGiven.values(orders),
  })
  return rows.map(toSuspense)
}

export type AttemptSums = {
  readonly trade_no: string
  readonly attempt_no: number
  readonly currency: string
  readonly booked: bigint
  readonly from_channel: bigint
  readonly assigned: bigint
  readonly held_from_channel: bigint
  readonly held_from_statement: bigint
  readonly held_from_own_lines: bigint
}

/**
 * Sums rows by attempt and currency. Withdrawn rows, assigned returns (`isAssignedReturn`) and `split` rows do not
 * count. A `split` row brought no new money.
 */
export function selectSums(tx: Tx, attempts: readonly AttemptKey[]): Promise<AttemptSums[]> {
  return tx.query<AttemptSums>({
    text: `
      select s.trade_no, s.attempt_no, s.currency, sum(s.amount)::bigint as booked,
        coalesce(sum(s.amount) filter (where s.origin = 'channel'), 0)::bigint as from_channel,
        coalesce(sum(s.amount) filter (where s.line_no is not null), 0)::bigint as assigned,
        coalesce(sum(s.amount) filter (where s.origin = 'channel' and s.state = 'held'), 0)::bigint
          as held_from_channel,
        coalesce(sum(s.amount) filter (where s.origin = 'statement' and s.state = 'held'), 0)::bigint
          as held_from_statement,
        coalesce(sum(s.amount) filter (where s.origin = 'statement' and s.state = 'held' and s.line_no is null), 0)::bigint
          as held_from_own_lines
      from ${attemptsGiven.text} join suspense s using (mer_no, trade_no, attempt_no)
      where s.origin <> 'split' and s.state <> 'withdrawn' and not ${isAssignedReturn('s')}
      group by s.trade_no, s.attempt_no, s.currency`,
    values: attemptsGiven.values(attempts),
  })
}

const attemptsGiven = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})
