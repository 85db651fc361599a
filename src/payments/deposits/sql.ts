import type { Money } from '../../base/money.ts'
import type { Deposit } from '../../channels/contract.ts'
import { type AttemptKey, attemptOf, attemptReference, type OrderKey } from '../../orders/keys.ts'
import type { AttemptedOrder } from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import type { Arrival } from './deposit.ts'

export type WaitingDeposit = { readonly depositRef: string; readonly money: Money }

/**
 * Those of the deposits that are this order's: a deposit belongs to the order that its channel first reported it for. Two
 * orders with reports of one deposit at the same time wait here for each other.
 */
export async function claimDeposits(
  tx: Tx,
  {
    tradeNo,
    attempt,
  }: Pick<AttemptedOrder, 'tradeNo'> & {
    readonly attempt: Pick<AttemptedOrder['attempt'], 'channel' | 'no'>
  },
  deposits: readonly Deposit[],
): Promise<Set<string>> {
  if (deposits.length === 0) return new Set()
  const references = deposits.map(({ depositRef }) => depositRef)
  await tx.query({
    text: `
      insert into deposit_owners (channel, deposit_ref, reference)
      select $1, deposit_ref, $2 from unnest($3::text[]) as d (deposit_ref) order by deposit_ref
      on conflict do nothing`,
    values: [attempt.channel, attemptReference(tradeNo, attempt.no), references],
  })
  const rows = await tx.query<{ deposit_ref: string; reference: string }>({
    text: 'select deposit_ref, reference from deposit_owners where channel = $1 and deposit_ref = any($2)',
    values: [attempt.channel, references],
  })
  const own = rows.filter(({ reference }) => attemptOf(reference)?.tradeNo === tradeNo)
  return new Set(own.map((row) => row.deposit_ref))
}

/** By currency, what the channel reported for the attempt beyond the price that it paid. */
export async function sumReported(
  tx: Tx,
  { merNo, tradeNo, attemptNo }: AttemptKey,
  price: Money,
): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ currency: string; taken: bigint; unused: bigint }>({
    text: `
      select currency,
        coalesce(sum(amount) filter (where state = 'taken'), 0)::bigint as taken,
        coalesce(sum(amount) filter (where state = 'suspense'), 0)::bigint as unused
      from deposits where mer_no = $1 and trade_no = $2 and attempt_no = $3
      group by currency`,
    values: [merNo, tradeNo, attemptNo],
  })
  return new Map(
    rows.map(({ currency, taken, unused }) => {
      const surplus = currency === price.currency && taken > price.amount ? taken - price.amount : 0n
      return [currency, unused + surplus]
    }),
  )
}

/** Keeps what was not known before; then all of the attempt's that wait, the earliest first. */
export async function saveDeposits(
  tx: Tx,
  order: OrderKey & { readonly attempt: Pick<AttemptedOrder['attempt'], 'no'> },
  deposits: readonly Deposit[],
): Promise<WaitingDeposit[]> {
  const { merNo, tradeNo } = order
  await tx.query({
    text: `
      insert into deposits (
        mer_no, trade_no, attempt_no, state, deposit_ref, currency, amount, payer_name, payer_account, tx_hash, gas_cost,
        came_at)
      select
        $1, $2, $3, 'waiting', deposit_ref, currency, amount, payer_name, payer_account, tx_hash, gas_cost, came_at
      from json_to_recordset($4) as d (
        deposit_ref text, currency text, amount bigint, payer_name text, payer_account text, tx_hash text, gas_cost text,
        came_at timestamptz)
      on conflict do nothing`,
    values: [merNo, tradeNo, order.attempt.no, JSON.stringify(deposits.map(toRow))],
  })
  const rows = await tx.query<{ deposit_ref: string; currency: string; amount: bigint }>({
    text: `
      select deposit_ref, currency, amount from deposits
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and state = 'waiting'
      order by came_at, deposit_ref`,
    values: [merNo, tradeNo, order.attempt.no],
  })
  return rows.map(({ deposit_ref: depositRef, currency, amount }) => {
    return { depositRef, money: { amount, currency } }
  })
}

function toRow(deposit: Deposit) {
  return {
    deposit_ref: deposit.depositRef,
    currency: deposit.money.currency,
    amount: deposit.money.amount.toString(),
    payer_name: deposit.payerName,
    payer_account: deposit.payerAccount,
    tx_hash: deposit.txHash,
    gas_cost: deposit.gasFee,
    came_at: deposit.at,
  }
}

export async function moveDeposits(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  state: 'taken' | 'suspense',
  deposits: readonly WaitingDeposit[],
): Promise<void> {
  if (deposits.length === 0) return
  await tx.query({
    text: `update deposits set state = $3 where mer_no = $1 and trade_no = $2 and deposit_ref = any($4)`,
    values: [merNo, tradeNo, state, deposits.map(({ depositRef }) => depositRef)],
  })
}

/** What is known of the last transfer that paid the order; undefined when none did. */
export async function selectArrival(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<Arrival | undefined> {
  const [row] = await db.query<{
    payer_name: string | null
    payer_account: string | null
    tx_hash: string | null
  }>({
    text: `
      select payer_name, payer_account, tx_hash from deposits
      where mer_no = $1 and trade_no = $2 and state = 'taken'
      order by came_at desc, deposit_ref desc limit 1`,
    values: [merNo, tradeNo],
  })
  if (row === undefined) return undefined
  return {
    ...(row.payer_name !== null && { payerName: row.payer_name }),
    ...(row.payer_account !== null && { payerAccount: row.payer_account }),
    ...(row.tx_hash !== null && { txHash: row.tx_hash }),
  }
}
