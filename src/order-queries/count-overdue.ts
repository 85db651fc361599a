// Outcomes that take too long, for the alarm of operators: unknown for a day, or on their way for a week. A payment that waits
// for its payer ends by itself after three days at most, unless its channel does not say what came of it.
import type { Queryable } from '../postgres/db.ts'

const DAY_MS = 86_400_000
/** Banks take weekends and holidays. */
const ON_THE_WAY_MS = 7 * DAY_MS

export type Overdue = {
  readonly count: number
  readonly oldest:
    | {
        readonly kind: 'payment' | 'refund' | 'payout' | 'return'
        /** The refund number of a refund, else the trade number. */
        readonly id: string
        readonly since: Date
      }
    | undefined
}

type Row = { count: bigint } & NonNullable<Overdue['oldest']>

/** One that is calling for so long has a call that was lost, and a channel that nobody asks: it is no longer set up. */
const BEFORE = `case when state = 'pending' then $2::timestamptz else $1 end`

const text = `
  select count(*) over () as count, kind, id, since from (
    select 'payment' as kind, trade_no as id, created_at as since from attempt_rows
    where ask_at is not null and created_at < ${BEFORE}
    union all
    select 'refund', refund_no, created_at from refunds
    where ask_at is not null and created_at < ${BEFORE}
    union all
    select 'payout', trade_no, sending_at from payouts
    where ask_at is not null and state = 'sending' and sending_at < $2
    union all
    select 'return', trade_no, decided_at from reviews
    where ask_at is not null and decided_at < $2
  ) overdue
  order by since, id
  limit 1`

export async function countOverdue(db: Queryable, now: Date): Promise<Overdue> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [row] = await db.query<Row>({ text, values: [before(DAY_MS), before(ON_THE_WAY_MS)] })
  if (row === undefined) return { count: 0, oldest: undefined }
  const { count, kind, id, since } = row
  return { count: Number(count), oldest: { kind, id, since } }
}
