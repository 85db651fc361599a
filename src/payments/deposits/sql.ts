import type { Money } from '../../base/money.ts'
import type { Deposit } from '../../channels/contract.ts'
import type { AttemptedOrder } from '../../orders/order.ts'
import {
  type AttemptKey,
  attemptKeys,
  attemptOf,
  attemptReference,
  type OrderKey,
} from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { arrayOf, int8, itself, listOf, text, time } from '../../postgres/lists.ts'
import type { LastTransfer } from './deposit.ts'

export type WaitingDeposit = { readonly depositRef: string; readonly money: Money }

/**
 * Returns the deposits that belong to this order: a deposit belongs to the order that its channel first reported it for.
 * Concurrent reports of one deposit for two orders wait for each other here.
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
  await tx.query({
    text: `
      insert into deposit_owners (channel, deposit_ref, reference)
      select $1, deposit_ref, $2 from ${claimed.text} order by deposit_ref
      on conflict do nothing`,
    values: [attempt.channel, attemptReference(tradeNo, attempt.no), ...claimed.values(deposits)],
  })
  const owners = await selectOwners(
    tx,
    attempt.channel,
    deposits.map(({ depositRef }) => depositRef),
  )
  const own = owners.filter(({ reference }) => attemptOf(reference)?.tradeNo === tradeNo)
  return new Set(own.map((row) => row.deposit_ref))
}

const claimed = listOf<Deposit>({ deposit_ref: text((one) => one.depositRef) }, 3)

/** Our reference of the attempt that owns each deposit, without deposits that have no owner. */
export function selectOwners(
  db: Queryable,
  channel: string,
  depositRefs: readonly string[],
): Promise<{ deposit_ref: string; reference: string }[]> {
  return db.query({
    text: `select deposit_ref, reference from deposit_owners where channel = $1 and deposit_ref = any (${owned.text})`,
    values: [channel, owned.value(depositRefs)],
  })
}

const owned = arrayOf(text<string>(itself), 2)

export type DepositSumRow = {
  readonly trade_no: string
  readonly attempt_no: number
  readonly currency: string
  readonly in_suspense: bigint
  readonly taken: bigint
  readonly amounts: string
}

export function selectDepositSums(tx: Tx, attempts: readonly AttemptKey[]): Promise<DepositSumRow[]> {
  return tx.query<DepositSumRow>({
    text: `
      select d.trade_no, d.attempt_no, d.currency,
        coalesce(sum(d.amount) filter (where d.state = 'suspense'), 0)::bigint as in_suspense,
        coalesce(sum(d.amount) filter (where d.state = 'taken'), 0)::bigint as taken,
        string_agg(d.amount::text, ',') as amounts
      from ${attemptKeys.text} join deposits d using (mer_no, trade_no, attempt_no)
      group by d.trade_no, d.attempt_no, d.currency`,
    values: attemptKeys.values(attempts),
  })
}

/** By currency, the amount that the channel reported for the attempt beyond the order's price. */
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

export type SavedDeposits = {
  /** All unused deposits of the attempt, earliest first. */
  readonly waiting: WaitingDeposit[]
  /** One was stored before with another amount or currency, which stays. */
  readonly hasChanged: boolean
}

/** Stores new deposits; stored ones stay as they are. */
export async function saveDeposits(
  tx: Tx,
  order: OrderKey & { readonly attempt: Pick<AttemptedOrder['attempt'], 'no'> },
  deposits: readonly Deposit[],
): Promise<SavedDeposits> {
  const { merNo, tradeNo } = order
  const added = await tx.query({
    text: `
      insert into deposits (
        mer_no, trade_no, attempt_no, state, deposit_ref, currency, amount, payer_name, payer_account, tx_hash, gas_cost,
        came_at)
      select
        $1, $2, $3, 'waiting', deposit_ref, currency, amount, payer_name, payer_account, tx_hash, gas_cost, came_at
      from ${saved.text}
      on conflict do nothing
      returning deposit_ref`,
    values: [merNo, tradeNo, order.attempt.no, ...saved.values(deposits)],
  })
  const rows = await tx.query<{ deposit_ref: string; currency: string; amount: bigint }>({
    text: `
      select deposit_ref, currency, amount from deposits
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and state = 'waiting'
      order by came_at, deposit_ref`,
    values: [merNo, tradeNo, order.attempt.no],
  })
  const waiting = rows.map(({ deposit_ref: depositRef, currency, amount }) => {
    return { depositRef, money: { amount, currency } }
  })
  const isRepeated = added.length < deposits.length
  return { waiting, hasChanged: isRepeated && (await differFromStored(tx, order, deposits)) }
}

async function differFromStored(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  deposits: readonly Deposit[],
): Promise<boolean> {
  const stored = await tx.query<{ deposit_ref: string; currency: string; amount: bigint }>({
    text: `
      select deposit_ref, currency, amount from deposits
      where mer_no = $1 and trade_no = $2 and deposit_ref = any (${repeated.text})`,
    values: [merNo, tradeNo, repeated.value(deposits.map(({ depositRef }) => depositRef))],
  })
  const moneyOf = new Map(deposits.map(({ depositRef, money }) => [depositRef, money]))
  return stored.some(({ deposit_ref: depositRef, currency, amount }) => {
    const now = moneyOf.get(depositRef)
    return now?.currency !== currency || now.amount !== amount
  })
}

const repeated = arrayOf(text<string>(itself), 3)

const saved = listOf<Deposit>(
  {
    deposit_ref: text((one) => one.depositRef),
    currency: text((one) => one.money.currency),
    amount: int8((one) => one.money.amount),
    payer_name: text((one) => one.payerName),
    payer_account: text((one) => one.payerAccount),
    tx_hash: text((one) => one.txHash),
    gas_cost: text((one) => one.gasFee),
    came_at: time((one) => one.at),
  },
  4,
)

export async function moveDeposits(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
  state: 'taken' | 'suspense',
  deposits: readonly WaitingDeposit[],
): Promise<void> {
  if (deposits.length === 0) return
  await tx.query({
    text: `update deposits set state = $3 where mer_no = $1 and trade_no = $2 and deposit_ref = any (${moved.text})`,
    values: [merNo, tradeNo, state, moved.value(deposits)],
  })
}

const moved = arrayOf(
  text<WaitingDeposit>((one) => one.depositRef),
  4,
)

/** The last transfer that paid the order; undefined if there is none. */
export async function selectLastTransfer(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<LastTransfer | undefined> {
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
