// Reads what other domains wrote, by the references that channels know; writes nothing.

import { merNoOf } from '../base/id.ts'
import { attemptOf, attemptReference } from '../payments/payment.ts'
import { payoutReference } from '../payouts/payout.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { given, int4, int8, text } from '../postgres/lists.ts'
import { refundReference } from '../refunds/refund.ts'
import { returnOf, returnReference } from '../reviews/review.ts'
import type { Ours } from './judge-line.ts'
import type { LineType } from './statement-line.ts'

type Row = {
  mer_no: bigint
  trade_no: string
  /** What the reference is made of, beside the trade number. */
  number: string
  channel: string
  currency: string
  amount: bigint
  state: string
}

export type Own = Ours & { readonly type: LineType; readonly reference: string }

/** Those of the references that are ours. Each names its own channel, whichever the statement came from. */
export async function selectOurs(
  db: Queryable,
  type: LineType,
  references: readonly string[],
): Promise<Own[]> {
  const keys = references.flatMap((reference) => keyOf(type, reference))
  if (keys.length === 0) return []
  const rows = await db.query<Row>({ text: byKeyTexts[type], values: keyed.values(keys) })
  return rows.map((row) => toOwn(type, row))
}

type Key = { readonly merNo: number; readonly number: string; readonly attemptNo?: number }

function keyOf(type: LineType, reference: string): Key[] {
  const key = keyIn(type, reference)
  const merNo = key && merNoOf(key.number)
  return key === undefined || merNo === undefined ? [] : [{ merNo, ...key }]
}

/** A reference is its number with another letter in front. */
function keyIn(type: LineType, reference: string): Omit<Key, 'merNo'> | undefined {
  const rest = reference.slice(1)
  const back = type === 'refund' ? returnOf(reference) : undefined
  if (back !== undefined) return { number: back.tradeNo, attemptNo: back.returns }
  if (type === 'refund') return refundReference(`R${rest}`) === reference ? { number: `R${rest}` } : undefined
  if (type === 'payout') return payoutReference(`T${rest}`) === reference ? { number: `T${rest}` } : undefined
  const attempt = attemptOf(reference)
  return attempt && { number: attempt.tradeNo, attemptNo: attempt.attemptNo }
}

function referenceOf(type: LineType, { trade_no: tradeNo, number }: Row): string {
  if (type === 'refund')
    return number.startsWith('R') ? refundReference(number) : returnReference(tradeNo, Number(number))
  return type === 'payout' ? payoutReference(tradeNo) : attemptReference(tradeNo, Number(number))
}

function toOwn(type: LineType, row: Row): Own {
  const { mer_no, trade_no: tradeNo, channel, currency, amount, state } = row
  const standing = state === 'succeeded' ? 'done' : state === 'failed' ? 'failed' : 'open'
  const money = { amount, currency }
  return { merNo: Number(mer_no), tradeNo, channel, money, standing, type, reference: referenceOf(type, row) }
}

const keyed = given<Key>({
  mer_no: int8((one) => one.merNo),
  number: text((one) => one.number),
  attempt_no: int4((one) => one.attemptNo),
})

const byKeyTexts: Readonly<Record<LineType, string>> = {
  payment: `
    select a.mer_no, a.trade_no, a.attempt_no::text as number, a.channel, o.currency,
      coalesce(o.received, o.amount) as amount, a.state
    from ${keyed.text}
    join attempts a on a.mer_no = g.mer_no and a.trade_no = g.number and a.attempt_no = g.attempt_no
    join orders o on o.mer_no = a.mer_no and o.trade_no = a.trade_no`,
  refund: `
    select r.mer_no, r.trade_no, r.refund_no as number, r.channel, r.currency, r.amount, r.state
    from ${keyed.text} join refunds r on r.mer_no = g.mer_no and r.refund_no = g.number
    union all
    select v.mer_no, v.trade_no, g.attempt_no::text as number, a.channel, o.currency, o.amount,
      case when g.attempt_no < v.returns or v.state not in ('returning', 'rejected') then 'failed'
        when v.state = 'rejected' then 'succeeded' else 'open' end as state
    from ${keyed.text}
    join reviews v on v.mer_no = g.mer_no and v.trade_no = g.number and g.attempt_no <= v.returns
    join orders o on o.mer_no = v.mer_no and o.trade_no = v.trade_no
    join attempts a on a.mer_no = v.mer_no and a.trade_no = v.trade_no and a.state = 'succeeded'`,
  payout: `
    select p.mer_no, p.trade_no, '' as number, p.rail as channel, o.currency, o.amount, p.state
    from ${keyed.text}
    join payouts p on p.mer_no = g.mer_no and p.trade_no = g.number
    join orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no`,
  // However it ended, the channel took the money once.
  chargeback: `
    select distinct on (c.mer_no, c.trade_no)
      c.mer_no, c.trade_no, a.attempt_no::text as number, a.channel, c.currency, c.amount, 'succeeded' as state
    from ${keyed.text}
    join attempts a on a.mer_no = g.mer_no and a.trade_no = g.number and a.attempt_no = g.attempt_no
    join chargebacks c on c.mer_no = a.mer_no and c.trade_no = a.trade_no
    order by c.mer_no, c.trade_no, c.opened_at desc`,
}

const PIECE = 1_000

/** All that was done at the channel between two moments, in pieces. */
export async function* selectDone(tx: Tx, channel: string, from: Date, until: Date): AsyncGenerator<Own[]> {
  for (const type of doneTypes) {
    await tx.query({
      text: `declare done no scroll cursor for ${doneTexts[type]}`,
      values: [channel, from, until],
    })
    for (;;) {
      const rows = await tx.query<Row>({ text: `fetch ${PIECE} from done` })
      if (rows.length === 0) break
      yield rows.map((row) => toOwn(type, row))
    }
    await tx.query({ text: 'close done' })
  }
}

const doneTypes = ['payment', 'refund', 'payout', 'chargeback'] as const

const doneTexts: Readonly<Record<LineType, string>> = {
  // Late money that was accepted is on the statement of the day that it came on.
  payment: `
    select a.mer_no, a.trade_no, a.attempt_no::text as number, a.channel, o.currency,
      coalesce(o.received, o.amount) as amount, a.state
    from attempts a join orders o on o.mer_no = a.mer_no and o.trade_no = a.trade_no
    where a.channel = $1 and a.state = 'succeeded' and a.decided_at >= $2 and a.decided_at < $3
      and not exists (
        select from suspense s where s.mer_no = a.mer_no and s.trade_no = a.trade_no and s.state = 'accepted')`,
  refund: `
    select mer_no, trade_no, refund_no as number, channel, currency, amount, state from refunds
    where channel = $1 and state = 'succeeded' and decided_at >= $2 and decided_at < $3
    union all
    select v.mer_no, v.trade_no, v.returns::text as number, a.channel, o.currency, o.amount, 'succeeded' as state
    from reviews v
    join orders o on o.mer_no = v.mer_no and o.trade_no = v.trade_no
    join attempts a on a.mer_no = v.mer_no and a.trade_no = v.trade_no and a.state = 'succeeded'
    where a.channel = $1 and v.state = 'rejected' and v.returns > 0 and o.decided_at >= $2 and o.decided_at < $3`,
  payout: `
    select p.mer_no, p.trade_no, '' as number, p.rail as channel, o.currency, o.amount, p.state
    from payouts p join orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no
    where p.rail = $1 and p.state = 'succeeded' and o.decided_at >= $2 and o.decided_at < $3`,
  chargeback: `
    select c.mer_no, c.trade_no, a.attempt_no::text as number, a.channel, c.currency, c.amount, 'succeeded' as state
    from chargebacks c
    join attempts a on a.mer_no = c.mer_no and a.trade_no = c.trade_no and a.state = 'succeeded'
    where a.channel = $1 and c.opened_at >= $2 and c.opened_at < $3`,
}
