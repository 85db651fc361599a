import { isSameMoney, type Money } from '../../../platform/base/money.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { arrayOf, int8, itself, listOf, text, time } from '../../../platform/postgres/lists.ts'
import type { Deposit } from '../../../rails/contract/channel.ts'
import {
  type AttemptedOrder,
  type AttemptKey,
  attemptKeys,
  attemptReference,
  type OrderKey,
} from '../../orders/order.ts'
import { isStated, type LastTransfer, STATED } from './deposit.ts'

export type WaitingDeposit = {
  readonly depositRef: string
  readonly money: Money
  /**
   * The part of the deposit that an operator stated before the channel reported it, and that has already paid the
   * order.
   */
  readonly paid?: bigint | undefined
}

/**
 * Claims the deposits for this attempt, and returns the references of the deposits that belong to this attempt. A
 * deposit belongs to the attempt for which its channel first reported it. Concurrent reports of one deposit for two
 * orders wait for each other here.
 */
export async function claimDeposits(
  tx: Tx,
  { tradeNo, attempt }: AttemptedOrder,
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

/** Selects our reference of the attempt that owns each deposit. Deposits without an owner are not in the result. */
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
  readonly waiting: bigint
  readonly in_suspense: bigint
  readonly taken: bigint
  readonly withdrawn: bigint
  readonly amounts: string
}

export function selectDepositSums(tx: Tx, attempts: readonly AttemptKey[]): Promise<DepositSumRow[]> {
  return tx.query<DepositSumRow>({
    text: `
      select d.trade_no, d.attempt_no, d.currency,
        coalesce(sum(d.amount) filter (where d.state = 'waiting'), 0)::bigint as waiting,
        coalesce(sum(d.amount - d.withdrawn) filter (where d.state = 'suspense'), 0)::bigint as in_suspense,
        coalesce(sum(d.amount - d.withdrawn) filter (where d.state = 'taken'), 0)::bigint as taken,
        sum(d.withdrawn)::bigint as withdrawn,
        string_agg(d.amount::text, ',') as amounts
      from ${attemptKeys.text} join deposits d using (mer_no, trade_no, attempt_no)
      group by d.trade_no, d.attempt_no, d.currency`,
    values: attemptKeys.values(attempts),
  })
}

/**
 * Divides the total amount that reversals took back among an attempt's deposits in one currency: first among the
 * deposits in suspense, then among the deposits that paid the order. Within each group, the latest deposit comes first.
 */
export async function setWithdrawn(
  tx: Tx,
  { merNo, tradeNo, attemptNo }: AttemptKey,
  { amount, currency }: Money,
): Promise<void> {
  await tx.query({
    text: `
      update deposits d set withdrawn = least(d.amount, greatest($5 - o.before, 0))
      from (
        select deposit_ref, sum(amount) over (order by state, came_at desc, deposit_ref desc) - amount as before
        from deposits
        where mer_no = $1 and trade_no = $2 and attempt_no = $3 and currency = $4 and state <> 'waiting'
      ) o
      where d.mer_no = $1 and d.trade_no = $2 and d.attempt_no = $3 and d.deposit_ref = o.deposit_ref`,
    values: [merNo, tradeNo, attemptNo, currency, amount],
  })
}

/**
 * Returns the deposits that did not pay the order, summed by currency: deposits in suspense, and the surplus of
 * deposits that paid the order. Amounts that reversals took back do not count.
 */
export async function sumReported(
  tx: Tx,
  { merNo, tradeNo, attemptNo }: AttemptKey,
  price: Money,
): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ currency: string; taken: bigint; unused: bigint }>({
    text: `
      select currency,
        coalesce(sum(amount - withdrawn) filter (where state = 'taken'), 0)::bigint as taken,
        coalesce(sum(amount - withdrawn) filter (where state = 'suspense'), 0)::bigint as unused
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

type DepositRow = { readonly deposit_ref: string; readonly currency: string; readonly amount: bigint }

/**
 * Removes money that an operator stated, up to the amount of the deposit that the channel now reports, because the same
 * money must not count twice. If removed money has paid the order, the deposit has paid the order in its place: a
 * deposit that is not larger than the removed money becomes `taken`, and for a larger deposit the paid part is
 * returned.
 */
async function replaceStated(
  tx: Tx,
  { merNo, tradeNo, attempt }: AttemptedOrder,
  reported: DepositRow,
): Promise<bigint | undefined> {
  const key = [merNo, tradeNo, attempt.no]
  const where = 'where mer_no = $1 and trade_no = $2 and attempt_no = $3 and deposit_ref = $4'
  const stated = await tx.query<DepositRow & { state: 'waiting' | 'taken' | 'suspense' }>({
    text: `
      select deposit_ref, currency, amount, state from deposits
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and deposit_ref like '${STATED}%' and currency = $4
      order by came_at, deposit_ref`,
    values: [...key, reported.currency],
  })
  let rest = reported.amount
  let paid = 0n
  for (const one of stated) {
    const replaced = rest < one.amount ? rest : one.amount
    if (replaced === 0n) break
    rest -= replaced
    if (one.state === 'taken') paid += replaced
    await tx.query(
      replaced === one.amount
        ? { text: `delete from deposits ${where}`, values: [...key, one.deposit_ref] }
        : {
            text: `update deposits set amount = amount - $5, withdrawn = least(withdrawn, amount - $5) ${where}`,
            values: [...key, one.deposit_ref, replaced],
          },
    )
  }
  if (paid === 0n) return undefined
  if (rest > 0n) return paid
  await tx.query({
    text: `update deposits set state = 'taken' ${where}`,
    values: [...key, reported.deposit_ref],
  })
  return undefined
}

export type SavedDeposits = {
  /** All unused deposits of the attempt, earliest first. */
  readonly waiting: WaitingDeposit[]
  /** Deposits that were already stored with another amount or currency. The stored money stays. */
  readonly changed: readonly Deposit[]
  /** Deposits that already count for another attempt of the order. */
  readonly elsewhere: readonly Deposit[]
}

/**
 * Stores new deposits. Stored deposits do not change. A renamed channel may report the same money for another attempt.
 * Therefore a deposit is not stored if another attempt of the order has a deposit with the same reference and
 * transaction hash.
 */
export async function saveDeposits(
  tx: Tx,
  order: AttemptedOrder,
  deposits: readonly Deposit[],
): Promise<SavedDeposits> {
  const { merNo, tradeNo } = order
  const added = await tx.query<DepositRow>({
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
      returning deposit_ref, currency, amount`,
    values: [merNo, tradeNo, order.attempt.no, ...saved.values(deposits)],
  })
  const paid = new Map<string, bigint | undefined>()
  for (const one of added)
    if (!isStated(one.deposit_ref)) paid.set(one.deposit_ref, await replaceStated(tx, order, one))
  const rows = await tx.query<DepositRow>({
    text: `
      select deposit_ref, currency, amount from deposits
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and state = 'waiting'
      order by came_at, deposit_ref`,
    values: [merNo, tradeNo, order.attempt.no],
  })
  const waiting = rows.map(({ deposit_ref: depositRef, currency, amount }) => {
    return { depositRef, money: { amount, currency }, paid: paid.get(depositRef) }
  })
  if (added.length === deposits.length) return { waiting, changed: [], elsewhere: [] }
  const stored = await selectMoney(tx, order, deposits)
  return {
    waiting,
    changed: deposits.filter(({ depositRef, money }) => differs(stored.get(depositRef), money)),
    elsewhere: deposits.filter(({ depositRef }) => !stored.has(depositRef)),
  }
}

function differs(stored: Money | undefined, money: Money): boolean {
  return stored !== undefined && !isSameMoney(stored, money)
}

/** Returns the money of these deposits as it is stored for the attempt, by the deposit's reference. */
async function selectMoney(
  tx: Tx,
  { merNo, tradeNo, attempt }: AttemptedOrder,
  deposits: readonly Deposit[],
): Promise<Map<string, Money>> {
  const rows = await tx.query<DepositRow>({
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
  { merNo, tradeNo, attempt }: AttemptedOrder,
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

/** Selects the last transfer that paid the order. Undefined if no transfer paid it. */
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
