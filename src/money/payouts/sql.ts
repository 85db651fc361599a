// Owns the table payouts.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { formatRate, parseRate } from '../../platform/base/money.ts'
import type { Claim } from '../../platform/concurrency/claim-loop.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import {
  arrayOf,
  bool,
  bytes,
  int8,
  itself,
  json,
  listOf,
  numeric,
  text,
  time,
} from '../../platform/postgres/lists.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import type { AccountKind } from '../../rails/contract/payout-rail.ts'
import type { MovementPeriod, MovementRow } from '../../rails/contract/statement.ts'
import type { Decider } from '../approvals/may-approve.ts'
import { type Order, type OrderKey, orderKeys } from '../orders/order.ts'
import type { Decision, Funding, NewPayout, Payout, PayoutEvent, PayoutKind, PayoutState } from './payout.ts'

type FundedPayout = { readonly payout: NewPayout; readonly fee: bigint; readonly funding: Funding }

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
  asked_kind: text((one) => one.payout.askedBy?.kind),
  asked_by: text((one) => one.payout.askedBy?.name),
  needs_merchant_approval: bool((one) => one.payout.needsMerchantApproval),
  sending_at: time(({ payout }) => (payout.state === 'sending' ? payout.createdAt : undefined)),
  created_at: time((one) => one.payout.createdAt),
  ask_at: time((one) => one.payout.askAt),
})

const insertText = `
  insert into payouts (
    mer_no, trade_no, kind, account_kind, state, rail, reference, beneficiary, account_masked, sealed, fee,
    funding_currency, funding_amount, funding_rate, needs_approval, needs_merchant_approval, asked_kind, asked_by,
    sending_at, created_at, ask_at)
  select
    mer_no, trade_no, kind, account_kind, state, rail, reference, beneficiary, account_masked, sealed, fee,
    funding_currency, funding_amount, funding_rate, needs_approval, needs_merchant_approval, asked_kind, asked_by,
    sending_at, created_at, ask_at
  from ${inserted.text}`

export type ApprovalColumns = {
  needs_approval: boolean
  needs_merchant_approval: boolean
  approved_at: Date | null
  merchant_approved_at: Date | null
}

type Row = ApprovalColumns & {
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
  asked_kind: Actor['kind'] | null
  asked_by: string | null
  sending_at: Date | null
  asks: number
  returned_amount: bigint | null
}

const columns = `p.trade_no, p.kind, p.account_kind, p.state, p.rail, p.reference, p.beneficiary, p.account_masked,
  p.sealed, p.fee, p.funding_currency, p.funding_amount, p.funding_rate, p.needs_approval,
  p.needs_merchant_approval, p.approved_at, p.merchant_approved_at, p.asked_kind, p.asked_by, p.sending_at, p.asks,
  p.returned_amount`

/** Locks the payouts of the orders. The caller has already locked the orders. */
export async function lockPayouts(tx: Tx, orders: ReadonlyMap<string, Order>): Promise<Payout[]> {
  const rows = await tx.query<Row>({
    name: 'payouts.lock',
    text: `
      select ${columns}
      from ${orderKeys.text}
      join payouts p using (mer_no, trade_no)
      order by p.mer_no, p.trade_no
      for update of p`,
    values: orderKeys.values([...orders.values()]),
  })
  return rows.flatMap((row) => {
    const order = orders.get(row.trade_no)
    return order === undefined ? [] : [toPayout(row, order)]
  })
}

function toPayout(row: Row, order: Order): Payout {
  const { sealed, account_kind: kind, account_masked: masked, beneficiary } = row
  const { asked_kind: askedKind, asked_by: name } = row
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
    awaits: awaitedBy(row),
    askedBy: askedKind === null || name === null ? undefined : { kind: askedKind, name },
    sendingAt: row.sending_at ?? undefined,
    asks: row.asks,
    returnedAmount: row.returned_amount ?? undefined,
  }
}

/** Returns the sides that must still approve the payout, also while it waits for its account or token. */
export function awaitedBy(row: ApprovalColumns): Decider[] {
  return [
    ...(row.needs_approval && row.approved_at === null ? (['platform'] as const) : []),
    ...(row.needs_merchant_approval && row.merchant_approved_at === null ? (['merchant'] as const) : []),
  ]
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
  approved_at: time((one) => approvedBy(one, 'platform')),
  merchant_approved_at: time((one) => approvedBy(one, 'merchant')),
  sending_at: time(sendingSince),
  is_unsent: bool(({ payout, event, decision }) => {
    return event.kind === 'waits' || (decision.state === 'sending' && payout.state !== 'sending')
  }),
  rail_ref: text(railRefOf),
  returned_amount: int8((one) => one.decision.cameBack?.credited),
  ask_at: time((one) => one.decision.askAt),
  keeps_ask_at: bool((one) => one.decision.keepsAskAt ?? false),
})

function approvedBy({ event, at }: PayoutChange, by: Decider): Date | undefined {
  return event.kind === 'approved' && event.by === by ? at : undefined
}

function sendingSince({ payout, decision, at }: PayoutChange): Date | undefined {
  return decision.state === 'sending' ? (payout.sendingAt ?? at) : payout.sendingAt
}

/** Returns the rail's id of the payout. If the payout goes to another rail, the previous rail's id is not stored. */
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
    merchant_approved_at = coalesce(g.merchant_approved_at, p.merchant_approved_at),
    sending_at = g.sending_at,
    asks = case when g.is_unsent then 0 else p.asks end,
    rail_ref = coalesce(g.rail_ref, p.rail_ref),
    returned_amount = coalesce(g.returned_amount, p.returned_amount),
    ask_at = case when g.keeps_ask_at then p.ask_at else g.ask_at end
  from ${changed.text}
  where p.mer_no = g.mer_no and p.trade_no = g.trade_no`

export type DueRow = Row & { readonly mer_no: bigint; readonly currency: string; readonly amount: bigint }

/** Renews the lease. Returns false if the payout was claimed or decided since the caller claimed it. */
export async function renewLease(db: Queryable, due: DueRow, until: Date): Promise<boolean> {
  const values = [due.mer_no, due.trade_no, due.asks, until]
  return (await db.query({ name: 'payouts.renew', text: renewText, values })).length > 0
}

const renewText = `
  update payouts set ask_at = greatest(ask_at, $4)
  where mer_no = $1 and trade_no = $2 and asks = $3 and state = 'sending' returning 1`

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

const movementColumns = 'p.mer_no, p.trade_no, p.rail as channel, o.currency, o.amount, p.state'
const withOrder = 'join current_orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no'

export function selectMovements(db: Queryable, keys: readonly OrderKey[]): Promise<MovementRow[]> {
  return db.query<MovementRow>({
    text: `
      select ${movementColumns} from ${orderKeys.text}
      join payouts p on p.mer_no = g.mer_no and p.trade_no = g.trade_no ${withOrder}`,
    values: orderKeys.values(keys),
  })
}

export function readDone(tx: Tx, { channel, from, until }: MovementPeriod): AsyncGenerator<MovementRow[]> {
  return readInPieces<MovementRow>(tx, {
    text: `
      select ${movementColumns} from payouts p ${withOrder}
      where p.rail = $1 and p.state = 'succeeded' and o.decided_at >= $2 and o.decided_at < $3`,
    values: [channel, from, until],
  })
}
