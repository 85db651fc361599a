// Lists payments, refunds and payouts whose outcome is unknown, which an operator may decide by hand. The back office,
// the metrics and the doctor all read the relation `unresolved` below, so that they agree.
//
// An outcome in the state `unknown` is unresolved at once, because the channel's response is missing or makes no sense.
// Any other open outcome becomes unresolved when the channel takes longer than it normally needs:
// - a pending payment: a day after the end of the payer's time;
// - a refund or payout that the channel has accepted: a week after we began to send it, because banks do not process
//   refunds and payouts on weekends and holidays;
// - a payment, refund or payout that the channel has not accepted: a day after we began to send it.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { int4, itself, listOf, text } from '../../platform/postgres/lists.ts'
import { isMethod, type Method, methodNames, methods } from '../../rails/methods/methods.ts'
import type { OrderKey } from '../orders/order.ts'

type UnresolvedKind = 'payment' | 'refund' | 'payout'

export type Unresolved = OrderKey & {
  readonly kind: UnresolvedKind
  readonly merOrderNo: string
  readonly attemptNo: number | undefined
  readonly refundNo: string | undefined
  readonly method: string
  readonly channel: string
  /** The reference that the channel or rail gave. Undefined if there is none. */
  readonly channelRef: string | undefined
  readonly state: string
  readonly money: Money
  /**
   * The sum of the attempt's unused deposits in the order's currency. Set for a payment if this sum is above zero or
   * the method is paid by transfer.
   */
  readonly received: Money | undefined
  readonly createdAt: Date
  readonly asks: number
  readonly askAt: Date
}

type UnresolvedFilter = {
  readonly now: Date
  readonly merNo?: number | undefined
  readonly tradeNo?: string | undefined
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined
  readonly limit: number
}

type Row = Omit<Unresolved, 'money' | 'received' | 'attemptNo' | 'refundNo' | 'channelRef'> &
  Money & {
    readonly received: bigint
    readonly attemptNo: number | null
    readonly refundNo: string | null
    readonly channelRef: string | null
  }

export function idOf({
  tradeNo,
  refundNo,
}: {
  readonly tradeNo: string
  readonly refundNo?: string | undefined
}): string {
  return refundNo ?? tradeNo
}

const waits = listOf<Method>(
  { method: text(itself), minutes: int4((one) => methods[one].awaitsPayerMinutes) },
  2,
)

/** Returns the first parameters of every statement that reads `unresolved`. */
function unresolvedValues(now: Date): unknown[] {
  return [now, ...waits.values(methodNames())]
}

/**
 * The relation of unresolved outcomes. `late_at` is the time after which the channel takes longer than it normally
 * needs.
 */
const unresolved = `(
  select * from (
    select a.mer_no, a.trade_no, 'payment' as kind, o.mer_order_no, a.attempt_no, null as refund_no, o.method, a.channel,
      a.channel_ref, a.state, o.currency, o.amount, a.created_at, a.asks, a.ask_at, a.trade_no as id, since.at as since,
      since.at + interval '1 day' as late_at
    from attempt_rows a join orders o using (mer_no, trade_no) left join ${waits.text} on g.method = o.method
    cross join lateral (
      select case when a.state = 'pending' then a.created_at + make_interval(mins => g.minutes) else a.created_at end as at
    ) since
    where a.ask_at is not null
    union all
    select r.mer_no, r.trade_no, 'refund', r.mer_order_no, null, r.refund_no, '', r.channel,
      r.channel_ref, r.state, r.currency, r.amount, r.created_at, r.asks, r.ask_at, r.refund_no, since.at,
      since.at + case when r.state = 'pending' then interval '7 days' else interval '1 day' end
    from refunds r cross join lateral (
      select coalesce(max(e.at), r.created_at) as at from refund_events e
      where e.mer_no = r.mer_no and e.refund_no = r.refund_no and e.from_state = 'waiting'
    ) since
    where r.ask_at is not null
    union all
    select p.mer_no, p.trade_no, 'payout', o.mer_order_no, null, null, '', p.rail,
      p.rail_ref, p.state, o.currency, o.amount, p.created_at, p.asks, p.ask_at, p.trade_no, p.sending_at,
      p.sending_at + case when p.rail_ref is null then interval '1 day' else interval '7 days' end
    from payouts p join orders o using (mer_no, trade_no)
    where p.ask_at is not null and p.state = 'sending'
  ) open_ones
  where state = 'unknown' or late_at < $1
) unresolved`

const listText = `
  select u.kind, u.mer_no::float8 as "merNo", u.trade_no as "tradeNo", u.mer_order_no as "merOrderNo",
    u.attempt_no as "attemptNo", u.refund_no as "refundNo", u.method, u.channel,
    u.channel_ref as "channelRef", u.state, u.currency, u.amount,
    u.created_at as "createdAt", u.asks, u.ask_at as "askAt", coalesce((
    select sum(d.amount) from deposits d
    where d.mer_no = u.mer_no and d.trade_no = u.trade_no and d.attempt_no = u.attempt_no
      and d.state = 'waiting' and d.currency = u.currency), 0)::bigint as received
  from (
    select * from ${unresolved}
    where ($4::bigint is null or mer_no = $4) and ($5::text is null or trade_no = $5)
      and ($6::timestamptz is null or (created_at, id) > ($6, $7::text))
    order by created_at, id
    limit $8) u
  order by u.created_at, u.id`

/** Lists the unresolved outcomes, the oldest first. */
export async function listUnresolved(db: Queryable, filter: UnresolvedFilter): Promise<Unresolved[]> {
  const { now, merNo, tradeNo, after, limit } = filter
  const rows = await db.query<Row>({
    text: listText,
    values: [
      ...unresolvedValues(now),
      merNo ?? null,
      tradeNo ?? null,
      after?.createdAt ?? null,
      after?.id ?? null,
      limit,
    ],
  })
  return rows.map(toUnresolved)
}

function toUnresolved({ amount, currency, received, ...row }: Row): Unresolved {
  const isInParts = received > 0n || (isMethod(row.method) && methods[row.method].paidByTransfer === true)
  return {
    ...row,
    attemptNo: row.attemptNo ?? undefined,
    refundNo: row.refundNo ?? undefined,
    channelRef: row.channelRef ?? undefined,
    money: { amount, currency },
    received: row.kind === 'payment' && isInParts ? { amount: received, currency } : undefined,
  }
}

/** Counts the unresolved outcomes. `since` is the creation time of the oldest unresolved outcome. */
export async function countUnresolved(
  db: Queryable,
  now: Date,
): Promise<{ readonly count: number; readonly since: Date | null }> {
  const [row] = await db.query<{ count: bigint; since: Date | null }>({
    text: `select count(*) as count, min(created_at) as since from ${unresolved}`,
    values: unresolvedValues(now),
  })
  return { count: Number(row?.count ?? 0), since: row?.since ?? null }
}

type Overdue = {
  readonly count: number
  readonly oldest:
    | {
        readonly kind: 'payment' | 'refund' | 'payout' | 'return'
        /** The refund number of a refund, and otherwise the trade number. */
        readonly id: string
        readonly since: Date
      }
    | undefined
}

type OverdueRow = { count: bigint } & NonNullable<Overdue['oldest']>

const overdueText = `
  select count(*) over () as count, kind, id, since from (
    select kind, id, since from ${unresolved} where late_at < $1
    union all
    select 'return', trade_no, decided_at from reviews
    where ask_at is not null and decided_at < $1::timestamptz - interval '7 days'
  ) overdue
  order by since, id
  limit 1`

/**
 * Counts the outcomes for which an operator must ask the channel:
 * - unresolved outcomes for which the channel takes longer than it normally needs;
 * - returns of rejected payments, a week after the rejection. Returns are not in the relation `unresolved`, because an
 *   operator decides them with their reviews.
 */
export async function countOverdue(db: Queryable, now: Date): Promise<Overdue> {
  const [row] = await db.query<OverdueRow>({ text: overdueText, values: unresolvedValues(now) })
  if (row === undefined) return { count: 0, oldest: undefined }
  const { count, kind, id, since } = row
  return { count: Number(count), oldest: { kind, id, since } }
}
