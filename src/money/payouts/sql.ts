// Owns payouts.

import { formatRate, parseRate } from '../base/money.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { Claim } from '../concurrency/claim-loop.ts'
import type { Order, OrderKey } from '../orders/order.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import { arrayOf, bool, bytes, int8, itself, json, listOf, numeric, text, time } from '../postgres/lists.ts'
import type { NewPayout } from './new-payout.ts'
import type { Decision, Funding, Payout, PayoutEvent, PayoutKind, PayoutState } from './payout.ts'

export type PayoutKey = OrderKey

export type FundedPayout = { readonly payout: NewPayout; readonly fee: bigint; readonly funding: Funding }

export async function insertPayouts(tx: Tx, payouts: readonly FundedPayout[]): Promise<void> {
  await tx.query({ name: 'payouts.insert', text: insertText, values: inserted.values(payouts) })
}

const inserted = listOf<FundedPayout>({
  mer_no: int8((one) => one.payout.merNo),
  trade_no: text((one) => one.payout.tradeNo),
  kind: text((one) => one.payout.kind),
  account_kind: text(({ payout }) => (payout.kind === 'checkout' ? undefined : payout.kind)),
  state: text((one) => one.payout.state),
  rail: text((one) => one.payout.rail),
  reference: text((one) => one.payout.reference),
  beneficiary: json((one) => one.payout.beneficiary),
  account_masked: text((one) => one.payout.accountMasked),
  sealed: bytes((one) => one.payout.account?.sealed),
  fee: int8((one) => one.fee),
  funding_currency: text((one) => one.funding.currency),
  funding_amount: int8((one) => one.funding.amount),
  funding_rate: numeric(({ funding }) => funding.rate && formatRate(funding.rate)),
  needs_approval: bool((one) => one.payout.needsApproval),
  sending_at: time(({ payout }) => (payout.state === 'sending' ? payout.createdAt : undefined)),
  created_at: time((one) => one.payout.createdAt),
  ask_at: time((one) => one.payout.askAt),
})

const insertText = `
  insert into payouts (
    mer_no, trade_no, kind, account_kind, state, rail, reference, beneficiary, account_masked, sealed, fee,
    funding_currency, funding_amount, funding_rate, needs_approval, sending_at, created_at, ask_at)
  select
    mer_no, trade_no, kind, account_kind, state, rail, reference, beneficiary, account_masked, sealed, fee,
    funding_currency, funding_amount, funding_rate, needs_approval, sending_at, created_at, ask_at
  from ${inserted.text}`

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

/** Their orders are already locked. */
export async function lockPayouts(tx: Tx, orders: ReadonlyMap<string, Order>): Promise<Payout[]> {
  const rows = await tx.query<Row>({
    name: 'payouts.lock',
    text: `
      select ${columns}
      from ${keyed.text}
      join payouts p using (mer_no, trade_no)
      order by p.mer_no, p.trade_no
      for update of p`,
    values: keyed.values([...orders.values()]),
  })
  return rows.flatMap((row) => {
    const order = orders.get(row.trade_no)
    return order === undefined ? [] : [toPayout(row, order)]
  })
}

const keyed = listOf<PayoutKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

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
    values: changed.values(changes),
  })
}

const accountOf = ({ event }: PayoutChange) => (event.kind === 'account' ? event.account : undefined)

const changed = listOf<PayoutChange>({
  mer_no: int8((one) => one.payout.order.merNo),
  trade_no: text((one) => one.payout.order.tradeNo),
  state: text((one) => one.decision.state),
  rail: text(({ event, decision }) => (event.kind === 'account' ? event.rail : decision.rail)),
  account_kind: text((one) => accountOf(one)?.kind),
  account_masked: text((one) => accountOf(one)?.masked),
  beneficiary: json((one) => accountOf(one)?.beneficiary),
  sealed: bytes((one) => accountOf(one)?.sealed),
  approved_at: time(({ event, at }) => (event.kind === 'approved' ? at : undefined)),
  sending_at: time(sendingSince),
  is_unsent: bool(({ payout, event, decision }) => {
    return event.kind === 'waits' || (decision.state === 'sending' && payout.state !== 'sending')
  }),
  rail_ref: text(railRefOf),
  ask_at: time((one) => one.decision.askAt),
  keeps_ask_at: bool((one) => one.decision.keepsAskAt ?? false),
})

function sendingSince({ payout, decision, at }: PayoutChange): Date | undefined {
  return decision.state === 'sending' ? (payout.sendingAt ?? at) : payout.sendingAt
}

/** What one rail calls a payout that goes to another is forgotten. */
function railRefOf({ event, decision }: PayoutChange): string | undefined {
  if (event.kind !== 'outcome' || decision.rail !== undefined) return undefined
  return 'railRef' in event.outcome ? event.outcome.railRef : undefined
}

const updateText = `
  update payouts p set
    state = g.state,
    rail = coalesce(g.rail, p.rail),
    account_kind = coalesce(g.account_kind, p.account_kind),
    account_masked = coalesce(g.account_masked, p.account_masked),
    beneficiary = coalesce(g.beneficiary, p.beneficiary),
    sealed = coalesce(g.sealed, p.sealed),
    approved_at = coalesce(g.approved_at, p.approved_at),
    sending_at = g.sending_at,
    asks = case when g.is_unsent then 0 else p.asks end,
    rail_ref = coalesce(g.rail_ref, p.rail_ref),
    ask_at = case when g.keeps_ask_at then p.ask_at else g.ask_at end
  from ${changed.text}
  where p.mer_no = g.mer_no and p.trade_no = g.trade_no`

export type DueRow = Row & { readonly mer_no: bigint; readonly currency: string; readonly amount: bigint }

/** Renews the lease, if nobody has claimed or decided the payout since. */
export async function renewLease(db: Queryable, due: DueRow, until: Date): Promise<boolean> {
  const values = [due.mer_no, due.trade_no, due.asks, until]
  return (await db.query({ name: 'payouts.renew', text: renewText, values })).length > 0
}

const renewText = `
  update payouts set ask_at = greatest(ask_at, $4)
  where mer_no = $1 and trade_no = $2 and asks = $3 and state = 'sending' returning 1`

/** Claims due payouts, each with a lease. */
export function claimDue(db: Db, due: Claim): Promise<DueRow[]> {
  const values = [due.now, due.leaseUntil, due.limit, busy.value(due.busy)]
  return db.query<DueRow>({ name: 'payouts.claim', text: claimText, values }, { byKey: true })
}

const busy = arrayOf(text<string>(itself), 4)

const claimText = `
  with due as (
    select mer_no, trade_no from payouts
    where ask_at <= $1 and rail <> all (${busy.text})
    order by ask_at
    limit $3
    for update skip locked
  )
  update payouts p set ask_at = $2, asks = p.asks + 1
  from due join current_orders o using (mer_no, trade_no)
  where p.mer_no = due.mer_no and p.trade_no = due.trade_no
  returning p.mer_no, ${columns}, o.currency, o.amount`
