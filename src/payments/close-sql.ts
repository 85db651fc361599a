// The statements of ending orders that nobody is paying.

import { keysText, type OrderKey, toKeys } from '../orders/keys.ts'
import { type OpenOrder, State } from '../orders/order.ts'
import type { Tx } from '../postgres/db.ts'

/** An order that nobody is paying. */
export type IdleOrder = Pick<
  OpenOrder,
  | 'merNo'
  | 'tradeNo'
  | 'merOrderNo'
  | 'method'
  | 'money'
  | 'notifyUrl'
  | 'localDay'
  | 'usdValue'
  | 'platformLimited'
> & { readonly settleCurrency: string }

type IdleRow = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  method: string
  currency: string
  amount: bigint
  notify_url: string
  local_day: string
  usd_value: bigint
  platform_limited: boolean
  settle_currency: string
}

/** Locks those that are open; then tells which of them have no open attempt. */
export async function lockIdleOrders(tx: Tx, keys: readonly OrderKey[]): Promise<IdleOrder[]> {
  const rows = await tx.query<IdleRow>({
    name: 'orders.lock-open',
    text: lockOpenText,
    values: [toKeys(keys)],
  })
  // Only now, with the locks held: an attempt that began meanwhile is seen.
  const busy = await tx.query<{ trade_no: string }>({
    name: 'attempts.open-of',
    text: openOfText,
    values: [toKeys(keys)],
  })
  return rows.filter((row) => !busy.some(({ trade_no }) => trade_no === row.trade_no)).map(toIdle)
}

const lockOpenText = `
  select o.mer_no, o.trade_no, o.mer_order_no, o.method, o.currency, o.amount, o.notify_url,
    o.local_day::text as local_day, o.usd_value, o.platform_limited, o.settle_currency
  from ${keysText} join orders o using (mer_no, trade_no)
  where o.kind = 'payment' and o.state = ${State.processing}
  order by o.mer_no, o.trade_no
  for update of o`

const openOfText = `
  select a.trade_no from ${keysText} join attempts a using (mer_no, trade_no) where a.ask_at is not null`

function toIdle(row: IdleRow): IdleOrder {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    method: row.method,
    money: { amount: row.amount, currency: row.currency },
    notifyUrl: row.notify_url,
    localDay: row.local_day,
    usdValue: row.usd_value,
    platformLimited: row.platform_limited,
    settleCurrency: row.settle_currency,
  }
}

export async function writeClosed(
  tx: Tx,
  orders: readonly OrderKey[],
  { message, at }: { readonly message: string; readonly at: Date },
): Promise<void> {
  await tx.query({ name: 'orders.close', text: closeText, values: [toKeys(orders), message, at] })
}

const closeText = `
  with closed as (
    update orders o set state = ${State.cancelled}, version = o.version + 1, message = $2, decided_at = $3
    from ${keysText}
    where o.mer_no = g.mer_no and o.trade_no = g.trade_no
    returning o.mer_no, o.trade_no, o.version
  )
  insert into order_events (mer_no, trade_no, version, from_state, to_state, why, at)
  select mer_no, trade_no, version, ${State.processing}, ${State.cancelled}, $2, $3 from closed`
