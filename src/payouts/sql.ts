// Owns payouts.

import { formatRate, parseRate } from '../base/money.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { OrderKey } from '../orders/keys.ts'
import type { Order } from '../orders/order.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import type { NewPayout } from './new-payout.ts'
import type { Decision, Funding, Payout, PayoutEvent, PayoutKind, PayoutState } from './payout.ts'

export type PayoutKey = OrderKey

export async function insertPayouts(
  tx: Tx,
  payouts: readonly { readonly payout: NewPayout; readonly fee: bigint; readonly funding: Funding }[],
): Promise<void> {
  const rows = payouts.map(({ payout, fee, funding }) => ({
    mer_no: payout.merNo,
    trade_no: payout.tradeNo,
    kind: payout.kind,
    account_kind: payout.kind === 'checkout' ? undefined : payout.kind,
    state: payout.state,
    rail: payout.rail,
    reference: payout.reference,
    beneficiary: payout.beneficiary,
    account_masked: payout.accountMasked,
    sealed: payout.account?.sealed.toString('hex'),
    fee: fee.toString(),
    funding_currency: funding.currency,
    funding_amount: funding.amount.toString(),
    funding_rate: funding.rate && formatRate(funding.rate),
    needs_approval: payout.needsApproval,
    sending_at: payout.state === 'sending' ? payout.createdAt : undefined,
    created_at: payout.createdAt,
    ask_at: payout.askAt,
  }))
  await tx.query({ name: 'payouts.insert', text: insertText, values: [JSON.stringify(rows)] })
}

const insertText = `
  insert into payouts (
    mer_no, trade_no, kind, account_kind, state, rail, reference, beneficiary, account_masked, sealed, fee,
    funding_currency, funding_amount, funding_rate, needs_approval, sending_at, created_at, ask_at)
  select
    mer_no, trade_no, kind, account_kind, state, rail, reference, beneficiary, account_masked, decode(sealed, 'hex'), fee,
    funding_currency, funding_amount, funding_rate, needs_approval, sending_at, created_at, ask_at
  from json_to_recordset($1) as g (
    mer_no bigint, trade_no text, kind text, account_kind text, state text, rail text, reference text, beneficiary json,
    account_masked text, sealed text, fee bigint, funding_currency text, funding_amount bigint, funding_rate numeric,
    needs_approval boolean, sending_at timestamptz, created_at timestamptz, ask_at timestamptz)`

type Row = {
  trade_no: string
  kind: PayoutKind
  account_kind: AccountKind | null
  state: PayoutState
  rail: string
  reference: string
  beneficiary: Readonly<Record<string, unknown>>
  account_masked: string
  sealed: Buffer | null
  fee: bigint
  funding_currency: string
  funding_amount: bigint
  funding_rate: string | null
  needs_approval: boolean
  sending_at: Date | null
  asks: number
}

const columns = `p.trade_no, p.kind, p.account_kind, p.state, p.rail, p.reference, p.beneficiary, p.account_masked,
  p.sealed, p.fee, p.funding_currency, p.funding_amount, p.funding_rate, p.needs_approval, p.sending_at, p.asks`

/** The orders are locked already. */
export async function lockPayouts(tx: Tx, orders: ReadonlyMap<string, Order>): Promise<Payout[]> {
  const given = [...orders.values()].map(({ merNo, tradeNo }) => ({ mer_no: merNo, trade_no: tradeNo }))
  const rows = await tx.query<Row>({
    name: 'payouts.lock',
    text: `
      select ${columns}
      from json_to_recordset($1) as g (mer_no bigint, trade_no text)
      join payouts p using (mer_no, trade_no)
      order by p.mer_no, p.trade_no
      for update of p`,
    values: [JSON.stringify(given)],
  })
  return rows.flatMap((row) => {
    const order = orders.get(row.trade_no)
    return order === undefined ? [] : [toPayout(row, order)]
  })
}

function toPayout(row: Row, order: Order): Payout {
  const { sealed, account_kind: kind, account_masked: masked, beneficiary } = row
  return {
    order,
    kind: row.kind,
    state: row.state,
    rail: row.rail,
    reference: row.reference,
    account: sealed === null || kind === null ? undefined : { kind, masked, sealed, beneficiary },
    fee: row.fee,
    funding: {
      currency: row.funding_currency,
      amount: row.funding_amount,
      rate: row.funding_rate === null ? undefined : parseRate(row.funding_rate),
    },
    needsApproval: row.needs_approval,
    sendingAt: row.sending_at ?? undefined,
    asks: row.asks,
  }
}

export type PayoutChange = {
  readonly payout: Payout
  readonly event: PayoutEvent
  readonly decision: Decision
  readonly at: Date
}

export async function updatePayouts(tx: Tx, changes: readonly PayoutChange[]): Promise<void> {
  await tx.query({
    name: 'payouts.update',
    text: updateText,
    values: [JSON.stringify(changes.map(toUpdateRow))],
  })
}

function toUpdateRow({ payout, event, decision, at }: PayoutChange) {
  const account = event.kind === 'account' ? event.account : undefined
  const outcome = event.kind === 'outcome' ? event.outcome : undefined
  return {
    mer_no: payout.order.merNo,
    trade_no: payout.order.tradeNo,
    state: decision.state,
    account_kind: account?.kind,
    account_masked: account?.masked,
    beneficiary: account?.beneficiary,
    sealed: account?.sealed.toString('hex'),
    approved_at: event.kind === 'approved' ? at : undefined,
    sending_at: decision.state === 'sending' ? (payout.sendingAt ?? at) : payout.sendingAt,
    begins_sending: decision.state === 'sending' && payout.state !== 'sending',
    rail_ref: outcome !== undefined && 'railRef' in outcome ? outcome.railRef : undefined,
    ask_at: decision.askAt,
  }
}

const updateText = `
  update payouts p set
    state = g.state,
    account_kind = coalesce(g.account_kind, p.account_kind),
    account_masked = coalesce(g.account_masked, p.account_masked),
    beneficiary = coalesce(g.beneficiary, p.beneficiary),
    sealed = coalesce(decode(g.sealed, 'hex'), p.sealed),
    approved_at = coalesce(g.approved_at, p.approved_at),
    sending_at = g.sending_at,
    asks = case when g.begins_sending then 0 else p.asks end,
    rail_ref = coalesce(g.rail_ref, p.rail_ref),
    ask_at = g.ask_at
  from json_to_recordset($1) as g (
    mer_no bigint, trade_no text, state text, account_kind text, account_masked text, beneficiary json, sealed text,
    approved_at timestamptz, sending_at timestamptz, begins_sending boolean, rail_ref text, ask_at timestamptz)
  where p.mer_no = g.mer_no and p.trade_no = g.trade_no`

export type DueRow = Row & { readonly mer_no: bigint; readonly currency: string; readonly amount: bigint }

/** Takes what is due until `until`: whoever else looks skips it. */
export function claimDue(db: Queryable, now: Date, until: Date, limit: number): Promise<DueRow[]> {
  return db.query<DueRow>({ name: 'payouts.claim', text: claimText, values: [now, until, limit] })
}

const claimText = `
  with due as (
    select mer_no, trade_no from payouts where ask_at <= $1 order by ask_at limit $3 for update skip locked
  )
  update payouts p set ask_at = $2, asks = p.asks + 1
  from due join current_orders o using (mer_no, trade_no)
  where p.mer_no = due.mer_no and p.trade_no = due.trade_no
  returning p.mer_no, ${columns}, o.currency, o.amount`
