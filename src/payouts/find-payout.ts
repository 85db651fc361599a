// One payout as merchants and beneficiaries may see it.

import type { Money } from '../base/money.ts'
import { State, type StateNumber } from '../orders/states.ts'
import type { Queryable } from '../postgres/db.ts'
import type { PayoutKind, PayoutState } from './payout.ts'

export type FoundPayout = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly orderState: StateNumber
  readonly message: string
  readonly returnUrl: string
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly fee: bigint
  readonly accountMasked: string
  readonly beneficiary: Readonly<Record<string, unknown>>
}

/** By trade number, by order number, or by both, which must then belong together. */
export type PayoutLookup = { readonly merNo: number; readonly tradeNo?: string; readonly merOrderNo?: string }

export async function findPayout(db: Queryable, key: PayoutLookup): Promise<FoundPayout | undefined> {
  const [row] =
    key.tradeNo === undefined
      ? await db.query<Row>({
          name: 'payouts.by-number',
          text: `${selectText} where o.mer_no = $1 and o.mer_order_no = $2`,
          values: [key.merNo, key.merOrderNo],
        })
      : await db.query<Row>({
          name: 'payouts.by-trade',
          text: `${selectText} where o.mer_no = $1 and o.trade_no = $2`,
          values: [key.merNo, key.tradeNo],
        })
  if (row === undefined) return undefined
  if (key.merOrderNo !== undefined && key.merOrderNo !== row.mer_order_no) return undefined
  return toFound(row)
}

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  currency: string
  amount: bigint
  order_state: StateNumber
  message: string
  return_url: string
  kind: PayoutKind
  state: PayoutState
  rail: string
  fee: bigint
  account_masked: string
  beneficiary: Readonly<Record<string, unknown>>
}

const selectText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.currency, o.amount, o.state as order_state, o.message, o.return_url,
    p.kind, p.state, p.rail, p.fee, p.account_masked, p.beneficiary
  from current_orders o join payouts p using (mer_no, trade_no)`

function toFound(row: Row): FoundPayout {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    orderState: row.order_state,
    message: row.message,
    returnUrl: row.return_url,
    kind: row.kind,
    state: row.state,
    rail: row.rail,
    fee: row.fee,
    accountMasked: row.account_masked,
    beneficiary: row.beneficiary,
  }
}

/** What reached the beneficiary. */
export function receivedOf({ orderState, money }: FoundPayout): bigint {
  return orderState === State.succeeded ? money.amount : 0n
}
