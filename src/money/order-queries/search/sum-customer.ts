// Sums of a customer's orders by currency. A customer is an e-mail address or a card, and is found by the search index.
import { type Db, inKeyOrder } from '../../../platform/postgres/db.ts'
import { arrayOf, int4, itself } from '../../../platform/postgres/lists.ts'
import { State, type StateNumber, wasPaid } from '../../orders/order.ts'
import { cardKey, emailKey } from './keys.ts'

/**
 * The filter for a customer's orders. The last four digits find a card in the index, and the fingerprint identifies the
 * card.
 */
export type Customer = { readonly email: string } | { readonly card: string; readonly fingerprint: string }

type CustomerSum = {
  readonly currency: string
  readonly orders: number
  readonly failed: number
  readonly paid: bigint
  readonly refunded: bigint
  /** The amount of open and lost disputes. */
  readonly disputed: bigint
}

/** The maximum number of orders with the customer's key that are read, the latest first. */
export const MOST_SUMMED = 5_000

const paidStates = arrayOf(int4<StateNumber>(itself), 5)

const sumsText = `
  with latest as materialized (
    select trade_no from order_keys where mer_no = $1 and key = $2
    order by created_at desc, trade_no desc limit $4)
  select o.currency, count(*)::int as orders,
    (count(*) filter (where o.state = ${State.failed}))::int as failed,
    coalesce(sum(coalesce(o.received, o.amount)) filter (where o.state = any (${paidStates.text})), 0)::bigint as paid,
    sum(o.refunded)::bigint as refunded, sum(o.charged_back)::bigint as disputed
  from latest l join orders o on o.mer_no = $1 and o.trade_no = l.trade_no
  where $3::text is null or exists (
    select from attempts a where a.mer_no = $1 and a.trade_no = l.trade_no and a.card_fingerprint = $3)
  group by o.currency order by o.currency`

const countText = `
  select count(*)::int as scanned from (select from order_keys where mer_no = $1 and key = $2 limit $3) latest`

export function sumCustomer(
  db: Db,
  merNo: number,
  customer: Customer,
  most = MOST_SUMMED,
): Promise<{ readonly sums: readonly CustomerSum[]; readonly isCut: boolean }> {
  const isCard = 'card' in customer
  const key = isCard ? cardKey(customer.card) : emailKey(customer.email)
  const fingerprint = isCard ? customer.fingerprint : null
  const paid = Object.values(State).filter(wasPaid)
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    const sums = await tx.query<CustomerSum>({
      text: sumsText,
      values: [merNo, key, fingerprint, most, paidStates.value(paid)],
    })
    const [latest] = await tx.query<{ scanned: number }>({ text: countText, values: [merNo, key, most] })
    return { sums, isCut: (latest?.scanned ?? 0) >= most }
  })
}
