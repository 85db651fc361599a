// Owns statement_lines, and reads what other domains booked for the attempts that they name.

import { type AttemptKey, attemptReference } from '../orders/keys.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import type { Booked } from './judge-listed.ts'

export type ListedLine = AttemptKey & {
  readonly day: string
  readonly currency: string
  readonly amount: bigint
  /** Tells equal lines of one file apart. */
  readonly occurrence: number
  readonly line: number
}

/** Keeps those that no file has brought before. */
export async function rememberLines(tx: Tx, lines: readonly ListedLine[]): Promise<void> {
  const given = lines.map((one) => ({ ...toKey(one), ...one, amount: one.amount.toString() }))
  await tx.query({
    text: `
      insert into statement_lines (mer_no, trade_no, attempt_no, day, currency, amount, occurrence, line)
      select mer_no, trade_no, attempt_no, day, currency, amount, occurrence, line
      from json_to_recordset($1) as g (
        mer_no bigint, trade_no text, attempt_no smallint, day date, currency text, amount bigint, occurrence integer,
        line integer)
      order by mer_no, trade_no, attempt_no, day, currency, amount, occurrence
      on conflict do nothing`,
    values: [JSON.stringify(given)],
  })
}

const attemptsGiven = 'json_to_recordset($1) as g (mer_no bigint, trade_no text, attempt_no smallint)'

/** All that statements ever listed for the attempts, in the order of the days. */
export async function selectLines(tx: Tx, attempts: readonly AttemptKey[]): Promise<ListedLine[]> {
  const rows = await tx.query<{
    mer_no: bigint
    trade_no: string
    attempt_no: number
    day: string
    currency: string
    amount: bigint
    occurrence: number
    line: number
  }>({
    text: `
      select l.mer_no, l.trade_no, l.attempt_no, l.day::text as day, l.currency, l.amount, l.occurrence, l.line
      from ${attemptsGiven}
      join statement_lines l using (mer_no, trade_no, attempt_no)
      order by l.mer_no, l.trade_no, l.attempt_no, l.day, l.line, l.occurrence`,
    values: [JSON.stringify(attempts.map(toKey))],
  })
  return rows.map(({ mer_no: merNo, trade_no: tradeNo, attempt_no: attemptNo, ...row }) => {
    return { merNo: Number(merNo), tradeNo, attemptNo, ...row }
  })
}

type BookedRow = {
  trade_no: string
  attempt_no: number
  currency: string
  paid: bigint
  in_suspense: bigint
  from_channel: bigint
  held_from_statement: bigint
  statement_rows: number
  unused: bigint
  taken: bigint
  deposits: string | null
}

export type BookedFor = Booked & {
  readonly reference: string
  readonly currency: string
  /** Rows of suspense that statements brought. */
  readonly statementRows: number
}

/** What was booked from the channel for the attempts, one row for each currency that anything came in. */
export async function selectBooked(tx: Tx, attempts: readonly AttemptKey[]): Promise<BookedFor[]> {
  const rows = await tx.query<BookedRow>({
    text: bookedText,
    values: [JSON.stringify(attempts.map(toKey))],
  })
  return rows.map(toBooked)
}

// Money that was accepted out of suspense is the suspense row's: its payment is not debited to the channel. Rows that were
// split off another brought no money.
const bookedText = `
  select
    trade_no, attempt_no, currency,
    coalesce(sum(amount) filter (where part = 'paid'), 0)::bigint as paid,
    coalesce(sum(amount) filter (where part in ('channel', 'statement')), 0)::bigint as in_suspense,
    coalesce(sum(amount) filter (where part = 'channel'), 0)::bigint as from_channel,
    coalesce(sum(amount) filter (where part = 'statement' and state = 'held'), 0)::bigint as held_from_statement,
    (count(*) filter (where part = 'statement'))::integer as statement_rows,
    coalesce(sum(amount) filter (where part = 'deposit' and state = 'suspense'), 0)::bigint as unused,
    coalesce(sum(amount) filter (where part = 'deposit' and state = 'taken'), 0)::bigint as taken,
    string_agg(amount::text, ',') filter (where part = 'deposit') as deposits
  from (
    select g.trade_no, g.attempt_no, e.currency, 'paid' as part, a.state, e.amount
    from ${attemptsGiven}
    join current_attempts a using (mer_no, trade_no, attempt_no)
    join ledger_entries e on e.mer_no = g.mer_no and e.subject = g.trade_no and e.step in ('payment', 'review')
    where a.state = 'succeeded' and starts_with(e.debit, 'rail:')
    union all
    select g.trade_no, g.attempt_no, s.currency, s.origin, s.state, s.amount
    from ${attemptsGiven} join suspense s using (mer_no, trade_no, attempt_no)
    where s.origin <> 'split'
    union all
    select g.trade_no, g.attempt_no, d.currency, 'deposit', d.state, d.amount
    from ${attemptsGiven} join deposits d using (mer_no, trade_no, attempt_no)
  ) as parts
  group by trade_no, attempt_no, currency`

function toBooked(row: BookedRow): BookedFor {
  const booked = row.paid + row.in_suspense
  const surplus = row.taken > row.paid ? row.taken - row.paid : 0n
  // Reported after a statement had brought it: it was booked once, as the statement's.
  const confirmed = most(row.unused + surplus - row.from_channel, 0n)
  const unconfirmed = most(row.held_from_statement - confirmed, 0n)
  return {
    reference: attemptReference(row.trade_no, row.attempt_no),
    currency: row.currency,
    booked,
    known: booked - unconfirmed,
    deposits: (row.deposits ?? '').split(',').filter(Boolean).map(BigInt),
    statementRows: row.statement_rows,
  }
}

/** Our references of the attempts that these deposits came for, by the channel's own names of them. */
export async function selectDepositAttempts(
  db: Queryable,
  channel: string,
  depositRefs: readonly string[],
): Promise<Map<string, string>> {
  if (depositRefs.length === 0) return new Map()
  const rows = await db.query<{ deposit_ref: string; reference: string }>({
    text: 'select deposit_ref, reference from deposit_owners where channel = $1 and deposit_ref = any($2)',
    values: [channel, depositRefs],
  })
  return new Map(rows.map((row) => [row.deposit_ref, row.reference]))
}

function toKey({ merNo, tradeNo, attemptNo }: AttemptKey) {
  return { mer_no: merNo, trade_no: tradeNo, attempt_no: attemptNo }
}

const most = (one: bigint, other: bigint) => (one > other ? one : other)
