// Expands compact orders. The only attempt and the first change of state of a compact order are columns of the order's
// row (decision 0352). A change for which `expands` is true turns the attempt and the change of state into rows of
// their own. The sweep of lost calls does the same.
import { demand, type Statement } from '../../platform/postgres/db.ts'
import { bool, int8, listOf, text } from '../../platform/postgres/lists.ts'
import type { SweptTable } from '../../platform/postgres/sweep.ts'
import { lockedInTurn, type OrderKey, State } from './order.ts'

const columns = [
  'attempt_state',
  'attempt_channel',
  'attempt_ref',
  'attempt_ask_at',
  'card_first6',
  'card_last4',
  'card_brand',
  'card_fingerprint',
]

const emptied = columns.map((name) => `${name} = null`).join(', ')

/** The SQL that inserts the attempts of the orders in `compact`. */
const insertAttempts = `
  insert into attempt_rows (
    mer_no, trade_no, attempt_no, channel, state, channel_ref, message, card_first6, card_last4, card_brand,
    card_fingerprint, created_at, decided_at, ask_at)
  select mer_no, trade_no, 1, attempt_channel, attempt_state, attempt_ref, message, card_first6, card_last4, card_brand,
    card_fingerprint, created_at, decided_at, case when attempt_state = 'calling' then attempt_ask_at end
  from compact`

const insertEvents = `
  insert into order_event_rows (mer_no, trade_no, version, from_state, to_state, why, at)
  select mer_no, trade_no, 2, ${State.processing},
    case attempt_state when 'succeeded' then ${State.succeeded} else ${State.failed} end, message, decided_at
  from compact where attempt_state <> 'calling'`

export type Changed = { readonly order: OrderKey; readonly expands: boolean }

/**
 * Returns the statement that expands orders. The statement fails if an order to expand is no longer compact. All orders
 * of the list are locked one by one, even those that do not expand, because later statements change them.
 */
export function expandOrders(changed: readonly Changed[]): Statement {
  const count = changed.filter((one) => one.expands).length
  return { name: 'orders.expand', text: expandText, values: [...batch.values(changed), count] }
}

const batch = listOf<Changed>({
  mer_no: int8((one) => one.order.merNo),
  trade_no: text((one) => one.order.tradeNo),
  expands: bool((one) => one.expands),
})

const expandText = `
  with locked as materialized (
    select o.*, g.expands from ${lockedInTurn(batch.text)}
  ), compact as (
    select * from locked where expands and attempt_state is not null
  ), attempt as (${insertAttempts}), event as (${insertEvents}), expanded as (
    update orders o set ${emptied} from compact c where o.mer_no = c.mer_no and o.trade_no = c.trade_no
    returning 1
  )
  select ${demand(`count(*) = ${batch.next}`)} from expanded`

/** The sweep for calls whose process died. Their attempts move to `attempt_rows`, where the resolver claims them. */
export const lostCalls: SweptTable = {
  table: 'orders',
  key: ['mer_no', 'trade_no'],
  storedIn: 'made_in::text::bigint',
  waits: `kind = 'payment' and attempt_state = 'calling'`,
  due: emptied,
  also: `compact as (select o.* from free join orders o using (mer_no, trade_no)), attempt as (${insertAttempts})`,
}
