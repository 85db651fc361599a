import type { Money } from '../../base/money.ts'
import type { Deposit } from '../../channels/contract.ts'
import type { AttemptedOrder } from '../../orders/order.ts'
import { type AttemptKey, attemptKeys, attemptReference, type OrderKey } from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { arrayOf, int8, itself, listOf, text, time } from '../../postgres/lists.ts'
import type { LastTransfer } from './deposit.ts'

export type WaitingDeposit = { readonly depositRef: string; readonly money: Money }

type AttemptOfOrder = OrderKey & { readonly attempt: Pick<AttemptedOrder['attempt'], 'no'> }

/**
 * Returns the deposits that belong to this attempt: a deposit belongs to the attempt that its channel first reported it for.
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
  const ours = attemptReference(tradeNo, attempt.no)
  await tx.query({
    text: `
      insert into deposit_owners (channel, deposit_ref, reference)
      select $1, deposit_ref, $2 from ${claimed.text} order by deposit_ref
      on conflict do nothing`,
    values: [attempt.channel, ours, ...claimed.values(deposits)],
  })
  const owners = await selectOwners(
    tx,
    attempt.channel,
    deposits.map(({ depositRef }) => depositRef),
  )
  const own = owners.filter(({ reference }) => reference === ours)
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
  /** Those that were stored before with another amount or currency, which stays. */
  readonly changed: readonly Deposit[]
  /** Those that count for another attempt of the order, at a channel of another name. */
  readonly elsewhere: readonly Deposit[]
}

/**
 * Stores new deposits; stored ones stay as they are. The hash of a transaction names the same money at every channel: an
 * entry that was renamed may report it once more for another attempt.
 */
export async function saveDeposits(
  tx: Tx,
  order: AttemptOfOrder,
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
      where tx_hash is null or not exists (
        select from deposits d
        where d.mer_no = $1 and d.trade_no = $2 and d.attempt_no <> $3
          and d.deposit_ref = g.deposit_ref and d.tx_hash = g.tx_hash)
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
  if (added.length === deposits.length) return { waiting, changed: [], elsewhere: [] }
  const stored = await selectMoney(tx, order, deposits)
  return {
    waiting,
    changed: deposits.filter(({ depositRef, money }) => differs(stored.get(depositRef), money)),
    elsewhere: deposits.filter(({ depositRef }) => !stored.has(depositRef)),
  }
}

function differs(stored: Money | undefined, { amount, currency }: Money): boolean {
  return stored !== undefined && (stored.amount !== amount || stored.currency !== currency)
}

/** These deposits as they are stored for the attempt. */
async function selectMoney(
  tx: Tx,
  { merNo, tradeNo, attempt }: AttemptOfOrder,
  deposits: readonly Deposit[],
): Promise<Map<string, Money>> {
  const rows = await tx.query<{ deposit_ref: string; currency: string; amount: bigint }>({
    text: `
      select deposit_ref, currency, amount from deposits
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and deposit_ref = any (${repeated.text})`,
    values: [merNo, tradeNo, attempt.no, repeated.value(deposits.map(({ depositRef }) => depositRef))],
  })
  return new Map(
    rows.map(({ deposit_ref: depositRef, currency, amount }) => [depositRef, { amount, currency }]),
  )
}

const repeated = arrayOf(text<string>(itself), 4)

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
  { merNo, tradeNo, attempt }: AttemptOfOrder,
  state: 'taken' | 'suspense',
  deposits: readonly WaitingDeposit[],
): Promise<void> {
  if (deposits.length === 0) return
  await tx.query({
    text: `
      update deposits set state = $4
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and deposit_ref = any (${moved.text})`,
    values: [merNo, tradeNo, attempt.no, state, moved.value(deposits)],
  })
}

const moved = arrayOf(
  text<WaitingDeposit>((one) => one.depositRef),
  5,
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
