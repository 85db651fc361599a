import type { Queryable, Tx } from '../base/db.ts'
import type { Suspense, SuspenseCause, SuspenseState } from './suspense.ts'

type Row = {
  mer_no: bigint
  suspense_id: string
  channel: string
  reference: string
  trade_no: string | null
  currency: string
  amount: bigint
  why: SuspenseCause
  state: SuspenseState
  booked_at: Date
  decided_at: Date | null
}

const columns = `mer_no, suspense_id, channel, reference, trade_no, currency, amount, why, state, booked_at, decided_at`

/** Those that were not there before, by the channel's reference of their money. */
export async function insertSuspense(tx: Tx, items: readonly Suspense[]): Promise<Suspense[]> {
  const rows = await tx.query<Row>({
    text: `
      insert into suspense (${columns})
      select ${columns} from json_to_recordset($1) as s (
        mer_no bigint, suspense_id text, channel text, reference text, trade_no text, currency text, amount bigint,
        why text, state text, booked_at timestamptz, decided_at timestamptz)
      order by mer_no, channel, reference
      on conflict on constraint suspense_once do nothing
      returning ${columns}`,
    values: [JSON.stringify(items.map(toRow))],
  })
  return rows.map(toSuspense)
}

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

/** All that is held for an order in one currency. */
export async function lockHeld(
  tx: Tx,
  merNo: number,
  tradeNo: string,
  currency: string,
): Promise<Suspense[]> {
  const rows = await tx.query<Row>({
    text: `
      select ${columns} from suspense
      where mer_no = $1 and trade_no = $2 and currency = $3 and state = 'held'
      order by suspense_id
      for update`,
    values: [merNo, tradeNo, currency],
  })
  return rows.map(toSuspense)
}

export async function decideSuspense(
  tx: Tx,
  merNo: number,
  suspenseIds: readonly string[],
  state: Exclude<SuspenseState, 'held'>,
  at: Date,
): Promise<void> {
  await tx.query({
    text: `update suspense set state = $3, decided_at = $4 where mer_no = $1 and suspense_id = any($2)`,
    values: [merNo, suspenseIds, state, at],
  })
}

export async function selectHeld(
  db: Queryable,
  merNo: number | undefined,
  limit: number,
): Promise<Suspense[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from suspense where state = 'held' and ($1::bigint is null or mer_no = $1)
      order by booked_at, suspense_id limit $2`,
    values: [merNo, limit],
  })
  return rows.map(toSuspense)
}

export async function selectByReference(
  db: Queryable,
  channel: string,
  keys: readonly { readonly merNo: number; readonly reference: string }[],
): Promise<Suspense[]> {
  const given = keys.map(({ merNo, reference }) => ({ mer_no: merNo, reference }))
  const rows = await db.query<Row>({
    text: `
      select ${columns} from suspense
      where (mer_no, channel, reference) in (
        select mer_no, $1, reference from json_to_recordset($2) as g (mer_no bigint, reference text))`,
    values: [channel, JSON.stringify(given)],
  })
  return rows.map(toSuspense)
}

function toRow(item: Suspense) {
  return {
    mer_no: item.merNo,
    suspense_id: item.suspenseId,
    channel: item.channel,
    reference: item.reference,
    trade_no: item.tradeNo,
    currency: item.money.currency,
    amount: item.money.amount.toString(),
    why: item.why,
    state: item.state,
    booked_at: item.bookedAt,
    decided_at: item.decidedAt,
  }
}

function toSuspense(row: Row): Suspense {
  return {
    merNo: Number(row.mer_no),
    suspenseId: row.suspense_id,
    channel: row.channel,
    reference: row.reference,
    tradeNo: row.trade_no ?? undefined,
    money: { amount: row.amount, currency: row.currency },
    why: row.why,
    state: row.state,
    bookedAt: row.booked_at,
    decidedAt: row.decided_at ?? undefined,
  }
}
