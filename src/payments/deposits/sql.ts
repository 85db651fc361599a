import type { Money } from '../../base/money.ts'
import type { Deposit } from '../../channels/contract.ts'
import { attemptOf, attemptReference, type OpenOrder } from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'

export type WaitingDeposit = { readonly depositRef: string; readonly money: Money }

type Key = Pick<OpenOrder, 'merNo' | 'tradeNo'>

/**
 * Those of the deposits that are this order's: a deposit belongs to the order that its channel first reported it for. Two
 * orders that are told of one deposit at once wait here for each other.
 */
export async function claimDeposits(
  tx: Tx,
  {
    tradeNo,
    attempt,
  }: Pick<OpenOrder, 'tradeNo'> & {
    readonly attempt: Pick<OpenOrder['attempt'], 'channel' | 'no'>
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
  { merNo, tradeNo, attemptNo }: Key & { readonly attemptNo: number },
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
  order: Key & { readonly attempt: Pick<OpenOrder['attempt'], 'no'> },
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
  { merNo, tradeNo }: Key,
  state: 'taken' | 'suspense',
  deposits: readonly WaitingDeposit[],
): Promise<void> {
  if (deposits.length === 0) return
  await tx.query({
    text: `update deposits set state = $3 where mer_no = $1 and trade_no = $2 and deposit_ref = any($4)`,
    values: [merNo, tradeNo, state, deposits.map(({ depositRef }) => depositRef)],
  })
}

/** One arrival of money, as people may see it. */
export type FoundDeposit = WaitingDeposit & {
  readonly state: 'waiting' | 'taken' | 'suspense'
  readonly attemptNo: number
  readonly at: Date
  readonly txHash: string | undefined
  readonly gasFee: string | undefined
}

export async function selectDeposits(db: Queryable, { merNo, tradeNo }: Key): Promise<FoundDeposit[]> {
  const rows = await db.query<{
    deposit_ref: string
    attempt_no: number
    currency: string
    amount: bigint
    state: FoundDeposit['state']
    came_at: Date
    tx_hash: string | null
    gas_cost: string | null
  }>({
    text: `
      select deposit_ref, attempt_no, currency, amount, state, came_at, tx_hash, gas_cost from deposits
      where mer_no = $1 and trade_no = $2
      order by came_at, deposit_ref limit 1000`,
    values: [merNo, tradeNo],
  })
  return rows.map((row) => {
    return {
      depositRef: row.deposit_ref,
      attemptNo: row.attempt_no,
      money: { amount: row.amount, currency: row.currency },
      state: row.state,
      at: row.came_at,
      txHash: row.tx_hash ?? undefined,
      gasFee: row.gas_cost ?? undefined,
    }
  })
}
