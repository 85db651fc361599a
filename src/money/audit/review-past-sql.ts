// Lists mistakes of earlier versions, each with a query for the rows that the mistake may have damaged. A later release
// removes this file.
//
// Earlier versions stored a statement line of an unknown order only as money in suspense, under the line's reference. A
// second line with the same reference was not booked. If the money of the first line was still held, the statement has
// a difference for the second line. If an operator had already decided on that money, no row contains the second line.
// The review therefore lists such a decision until the statements that were imported after it are imported again.
import type { Tx } from '../../platform/postgres/db.ts'

/** The maximum number of rows in one list. */
const MAX_ROWS = 200

export type Mistake = {
  readonly name: string
  readonly what: string
  readonly toDo: string
  /**
   * The SQL query that finds the rows. Its columns are mer_no, subject, currency, amount, at, and details, which is an
   * object of texts, numbers and amounts of money.
   */
  readonly text: string
}

export type Fact = string | number | null | { readonly amount: string; readonly currency: string }

export type DamagedRow = {
  mer_no: bigint
  subject: string
  currency: string
  amount: bigint
  at: Date
  details: Readonly<Record<string, Fact>>
  count: number
}

/** Returns the oldest damaged rows after the first `skip` rows. Each row contains the number of all damaged rows. */
export function selectDamaged(tx: Tx, { text }: Mistake, skip: number): Promise<DamagedRow[]> {
  return tx.query<DamagedRow>({
    text: `
      select mer_no::bigint, subject, currency, amount::bigint, at, details, count(*) over ()::int as count
      from (${text}) damaged order by at, mer_no, subject, details::text offset $1 limit ${MAX_ROWS}`,
    values: [skip],
  })
}

const appliedAt = (migration: string) => `(select applied_at from migrations where name = '${migration}')`
const returnsCorrected = appliedAt('0056_returned_amounts.sql')
const linesCorrected = appliedAt('0057_statement_lines_by_identity.sql')
const money = (amount: string, currency: string) =>
  `json_build_object('amount', (${amount})::text, 'currency', ${currency})`
/** True if an earlier version imported the statement `s`, and no import since the upgrade covers its days. */
const isOldImport = `s.imported_at < ${linesCorrected} and not exists (
  select from channel_statements again
  where again.channel = s.channel and again.first_day <= s.first_day and again.last_day >= s.last_day
    and again.imported_at >= ${linesCorrected})`

export const mistakes: readonly Mistake[] = [
  {
    name: 'short-transfer-credited',
    what: 'An operator recorded as succeeded a transfer that had brought less than the amount of its order: all of it was credited',
    toDo: "Compare with the channel's statement, and book what never came with `ledger correct` from merchant:available to rail:CHANNEL. If the rest came later, it waits in suspense as a surplus that is none: `suspense return` books it back to the channel, and nothing is due to the payer.",
    text: `
      select o.mer_no, o.trade_no as subject, o.currency, o.amount - d.taken as amount, l.at, json_build_object(
        'credited', ${money('o.amount', 'o.currency')}, 'received', ${money('d.taken', 'o.currency')},
        'reported later', ${money('d.in_suspense', 'o.currency')}, 'method', o.method, 'attempt', a.attempt_no,
        'decided by', l.actor, 'reason', l.reason) as details
      from audit_log l
      join orders o on o.mer_no = l.mer_no and o.trade_no = l.subject
      join current_attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
      cross join lateral (
        select coalesce(sum(amount) filter (where state = 'taken'), 0) as taken,
          coalesce(sum(amount) filter (where state = 'suspense'), 0) as in_suspense
        from deposits d where d.mer_no = o.mer_no and d.trade_no = o.trade_no and d.attempt_no = a.attempt_no
          and d.currency = o.currency
      ) d
      where l.action = 'outcome.decide' and l.after ->> 'state' = 'succeeded' and o.kind = 'payment'
        and o.received = o.amount and d.taken < o.amount
        and (d.taken > 0 or o.method in ('sepa', 'spei', 'per_transfer', 'vn_bank', 'crypto'))`,
  },
  {
    name: 'refund-beside-chargeback',
    what: 'A refund was approved while a chargeback of its order was open, or after a lost one',
    toDo: 'A refund that succeeded beside a lost chargeback paid the payer twice: ask the payer or the merchant for the money. Ask the channel to stop a refund that is still under way.',
    text: `
      select r.mer_no, r.refund_no as subject, r.currency, r.amount, e.at, json_build_object(
        'order', r.trade_no, 'refund', r.state, 'chargeback', c.state, 'chargeback id', c.chargeback_id,
        'disputed', ${money('c.amount', 'c.currency')}) as details
      from refund_events e
      join refunds r on r.mer_no = e.mer_no and r.refund_no = e.refund_no
      join chargebacks c on c.mer_no = r.mer_no and c.trade_no = r.trade_no
      where e.from_state = 'waiting' and e.to_state = 'calling' and r.state not in ('failed', 'returned')
        and c.state in ('open', 'won', 'lost') and c.opened_at <= e.at
        and (c.resolved_at is null or c.resolved_at > e.at or c.state = 'lost')`,
  },
  {
    name: 'return-credited-in-full',
    what: 'Money that was sent came back and was credited or held in full, however much of it came back',
    toDo: "Compare with the rail's statement, and book what a bank kept with `ledger correct` from merchant:available to rail:CHANNEL. SEPA file channels recorded only whole amounts as returns, so their rows are right.",
    text: `
      select mer_no, refund_no as subject, currency, amount, decided_at as at,
        json_build_object('kind', 'refund', 'order', trade_no, 'channel', channel) as details
      from refunds
      where state = 'returned' and returned_amount is null and decided_at < ${returnsCorrected}
      union all
      select p.mer_no, p.trade_no, o.currency, o.amount, o.decided_at,
        json_build_object('kind', 'payout', 'channel', p.rail)
      from payouts p join current_orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no
      where p.state = 'returned' and p.returned_amount is null and o.decided_at < ${returnsCorrected}
      union all
      select mer_no, suspense_id, currency, amount, booked_at,
        json_build_object('kind', 'rejected payment', 'reference', reference, 'channel', channel, 'suspense', state)
      from suspense
      where reference ~ '^V[0-9A-Z]{26}[1-9][0-9]*$' and origin = 'channel' and why = 'unmatched'
        and booked_at < ${returnsCorrected}`,
  },
  {
    name: 'line-not-booked',
    what: 'Candidates: a statement listed money of no known order under a reference that was booked before, and no row has the money',
    toDo: "Import the channel's earlier statements and this one again with `reconcile`, oldest first: what is booked nowhere goes to suspense then, and the row leaves this list. If the files are gone, look for the reference at the channel.",
    text: `
      select distinct on (d.channel, d.reference, d.their_currency, d.their_amount, s.first_day, s.last_day)
        0 as mer_no, d.statement_id as subject, d.their_currency as currency, d.their_amount as amount,
        s.imported_at as at, json_build_object('channel', d.channel, 'reference', d.reference, 'file', s.file_name,
          'line', d.line, 'first day', s.first_day::text, 'last day', s.last_day::text) as details
      from statement_differences d
      join channel_statements s on s.mer_no = d.mer_no and s.statement_id = d.statement_id
      where d.type = 'payment' and d.kind in ('missing here', 'twice') and d.trade_no is null and d.their_amount > 0
        and ${isOldImport}
        and not exists (
          select from statement_lines l
          where l.trade_no is null and l.channel = d.channel and l.reference = d.reference
            and l.currency = d.their_currency and l.amount = d.their_amount
            and (l.day between s.first_day and s.last_day and not l.is_day_unknown or l.is_day_unknown and exists (
              select from suspense w
              cross join lateral (
                select b.first_day, b.last_day from channel_statements b
                where b.channel = l.channel and b.imported_at >= w.booked_at order by b.imported_at limit 1
              ) booked
              where w.mer_no = 0 and w.line_no = l.line_no
                and booked.first_day <= s.last_day and booked.last_day >= s.first_day)))
      order by d.channel, d.reference, d.their_currency, d.their_amount, s.first_day, s.last_day, s.imported_at`,
  },
  {
    name: 'line-hidden-by-decision',
    what: 'Candidates: money of no known order was decided on, and later statements of its channel counted every line with its reference as matched',
    toDo: 'Only references that payers may repeat, such as a name or a word, can have hidden money. Import the statements of these days again with `reconcile`, oldest first: what is booked nowhere goes to suspense then, and the row leaves this list.',
    text: `
      select w.mer_no, w.suspense_id as subject, w.currency, w.amount, w.decided_at as at, json_build_object(
        'channel', w.channel, 'reference', w.reference, 'decided as', w.state, 'later statements', s.statements,
        'first day', s.first_day::text, 'last day', s.last_day::text) as details
      from suspense w
      cross join lateral (
        select count(*)::int as statements, min(s.first_day) as first_day, max(s.last_day) as last_day
        from channel_statements s
        where s.channel = w.channel and s.matched > 0 and s.imported_at > w.decided_at
          and ${isOldImport}
      ) s
      where w.mer_no = 0 and w.trade_no is null and w.origin = 'statement' and w.state in ('returned', 'assigned')
        and s.statements > 0`,
  },
  {
    name: 'line-booked-twice',
    what: "Candidates: a statement's line may be an earlier line with another amount or day, and was booked to suspense as further money",
    toDo: "Compare both lines with the channel's last statement: two payments of one payer look the same. If only one was received, `suspense return` takes a held row back and nothing is due to the payer; book an accepted one back with `ledger correct` from merchant:available to rail:CHANNEL.",
    text: `
      select s.mer_no, s.suspense_id as subject, s.currency, s.amount, s.booked_at as at, json_build_object(
        'order', s.trade_no, 'channel', s.channel, 'suspense', s.state,
        'line', ${money('l.amount', 'l.currency')}, 'line day', l.day::text,
        'other line', ${money('l.other_amount', 'l.other_currency')}, 'other day', l.other_day::text) as details
      from suspense s
      cross join lateral (
        select one.day, one.currency, one.amount, other.day as other_day, other.currency as other_currency,
          other.amount as other_amount
        from statement_lines one
        join statement_lines other on other.mer_no = one.mer_no and other.trade_no = one.trade_no
          and other.attempt_no = one.attempt_no and other.line_no <> one.line_no
        where one.mer_no = s.mer_no and one.trade_no = s.trade_no and one.attempt_no = s.attempt_no
          and one.withdrawn_by is null and other.withdrawn_by is null and one.amount > 0 and other.amount > 0
          and s.currency in (one.currency, other.currency)
          and (one.day = other.day) <> ((one.amount, one.currency) = (other.amount, other.currency))
        order by one.day, one.amount, one.line_no, other.day, other.amount, other.line_no limit 1
      ) l
      where s.origin = 'statement' and s.reference like 'statement:%' and s.state in ('held', 'accepted', 'returned')
        and s.booked_at < ${linesCorrected}`,
  },
]
