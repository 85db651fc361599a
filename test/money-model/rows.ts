// Reads the gateway's tables without the gateway's code.
import type { Db } from '../../src/postgres/db.ts'

export type OrderRow = {
  readonly tradeNo: string
  readonly state: number
  readonly fees: bigint
  readonly margin: bigint
  readonly marginHeld: bigint
  readonly remainder: bigint
  readonly settled: boolean
  readonly marginReleased: boolean
  readonly refunded: bigint
  readonly refundsOpen: number
  readonly chargedBack: bigint
  readonly exceptionFees: bigint
  readonly settledSource: bigint
  readonly settleAmount: bigint
}

export function readOrders(db: Db): Promise<OrderRow[]> {
  return db.query<OrderRow>({
    text: `
      select trade_no as "tradeNo", state,
        coalesce(handling_fee, 0) + coalesce(processing_fee, 0) as fees, coalesce(margin, 0) as margin,
        margin_held as "marginHeld", coalesce(remainder, 0) as remainder, settled_at is not null as settled,
        margin_released_at is not null as "marginReleased", refunded, refunds_open as "refundsOpen",
        charged_back as "chargedBack", exception_fees as "exceptionFees", settled_source as "settledSource",
        coalesce(settle_amount, 0) as "settleAmount"
      from orders where kind = 'payment'`,
  })
}

export type PayoutRow = {
  readonly tradeNo: string
  readonly order: number
  readonly state: string
  readonly fundingCurrency: string
  readonly fundingAmount: bigint
}

export function readPayouts(db: Db): Promise<PayoutRow[]> {
  return db.query<PayoutRow>({
    text: `
      select p.trade_no as "tradeNo", o.state as order, p.state,
        p.funding_currency as "fundingCurrency", p.funding_amount as "fundingAmount"
      from payouts p join orders o using (mer_no, trade_no)`,
  })
}

export async function readAccounts(db: Db): Promise<Map<string, bigint>> {
  const rows = await db.query<{ key: string; net: bigint }>({
    text: `
      select mer_no || ' ' || account || ' ' || currency as key, credits - debits as net
      from balances where credits <> debits`,
  })
  return new Map(rows.map(({ key, net }) => [key, net]))
}

/** Orders settled or released before their day in the merchant's time zone; $1 is the latest settlement time. */
export const tooEarly = `
  select trade_no from orders
  where kind = 'payment' and (
    (settled_at is not null and $1 < ((decided_at at time zone timezone)::date + settle_days)::timestamp
      at time zone timezone)
    or (margin_released_at is not null and $1 < ((decided_at at time zone timezone)::date + margin_days)::timestamp
      at time zone timezone))`
