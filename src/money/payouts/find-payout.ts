import { formatAmount } from '../../platform/base/money.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import {
  type Movement,
  type MovementPeriod,
  type MovementRow,
  toMovement,
} from '../../rails/contract/statement.ts'
import type { Decider } from '../approvals/may-approve.ts'
import { merchantNames } from '../merchants/list-merchants.ts'
import { type OrderKey, State } from '../orders/order.ts'
import { openAccount } from './account.ts'
import {
  type ListedRow,
  type MaskedAccount,
  type PayoutAccount,
  type PayoutCounts,
  type PayoutFilter,
  type PayoutPage,
  selectAccounts,
  selectByKeys,
  selectByOrderNumber,
  selectByTrade,
  selectCounts,
  selectListed,
  selectPage,
  selectPageOfAll,
  selectPaidAccounts,
} from './find-sql.ts'
import { type FoundPayout, type PayoutState, payoutKeyOf, payoutReference, payoutStates } from './payout.ts'
import { awaitedBy, readDone, selectMovements } from './sql.ts'

/** The trade number, the order number, or both. If both are given, they must belong to the same payout. */
type PayoutLookup = { readonly merNo: number; readonly tradeNo?: string; readonly merOrderNo?: string }

export async function findPayout(db: Queryable, key: PayoutLookup): Promise<FoundPayout | undefined> {
  const { merNo, tradeNo, merOrderNo } = key
  const found =
    tradeNo === undefined
      ? await selectByOrderNumber(db, merNo, merOrderNo)
      : await selectByTrade(db, merNo, tradeNo)
  return merOrderNo === undefined || merOrderNo === found?.merOrderNo ? found : undefined
}

/** Finds a payout by our trade number, or else by the merchant's order number. */
export async function findNumberedPayout(
  db: Queryable,
  merNo: number,
  number: string,
): Promise<FoundPayout | undefined> {
  return (await findPayout(db, { merNo, tradeNo: number })) ?? findPayout(db, { merNo, merOrderNo: number })
}

/** Returns the amount that reached the beneficiary: the payout's amount if the payout succeeded, otherwise zero. */
export function receivedOf({ orderState, money }: FoundPayout): bigint {
  return orderState === State.succeeded ? money.amount : 0n
}

export type ListedPayout = {
  readonly tradeNo: string
  readonly merNo: number
  readonly merchant: string
  readonly merOrderNo: string
  readonly kind: string
  readonly state: string
  readonly amount: string
  readonly fee: string
  readonly currency: string
  readonly account: string
  readonly beneficiary: string
  /** The beneficiary's country in two letters. */
  readonly country?: string
  readonly message: string
  readonly createdAt: string
  /** The sides that must still approve the payout. Empty in every state except `awaiting_approval`. */
  readonly awaits: readonly Decider[]
  /** The part of a returned payout that did not come back. Set only if a part is missing. */
  readonly returnCost?: string
  /** The hash of the transaction on the blockchain. Set for a payout in coin once its transaction is signed. */
  readonly transaction?: string
}

const LIST_LIMIT = 200

export function isPayoutState(text: string): text is PayoutState {
  return payoutStates.some((state) => state === text)
}

export async function listPayouts(db: Queryable, filter: PayoutFilter): Promise<ListedPayout[]> {
  return withNames(db, await selectListed(db, filter, LIST_LIMIT))
}

async function withNames(db: Queryable, rows: readonly ListedRow[]): Promise<ListedPayout[]> {
  const names = await merchantNames(
    db,
    rows.map((row) => Number(row.mer_no)),
  )
  return rows.map((row) => toListed(row, names.get(Number(row.mer_no)) ?? ''))
}

/** Returns one page of a merchant's payouts, newest first. */
export async function pagePayouts(db: Queryable, page: PayoutPage): Promise<ListedPayout[]> {
  const rows = await selectPage(db, page)
  return rows.map((row) => toListed(row, ''))
}

/** Returns one page of the payouts of all merchants, newest first. */
export async function pageAllPayouts(
  db: Queryable,
  { state, after, limit }: Pick<PayoutPage, 'state' | 'after' | 'limit'>,
): Promise<ListedPayout[]> {
  const states = state === undefined ? payoutStates : [state]
  return withNames(db, await selectPageOfAll(db, { states, after, limit }))
}

/** Finds payouts of any merchants by key. Keys of payments are skipped. */
export async function findPayouts(db: Queryable, keys: readonly OrderKey[]): Promise<ListedPayout[]> {
  const rows = await selectByKeys(db, keys)
  return rows.map((row) => toListed(row, ''))
}

type AccountDeps = { readonly db: Queryable; readonly vault: Vault }

/** A decrypted account, for comparing only. The account must not be shown or logged. */
export type OpenAccount = OrderKey & Pick<PayoutAccount, 'kind' | 'masked'> & ReturnType<typeof openAccount>

export async function openAccounts(
  { db, vault }: AccountDeps,
  keys: readonly OrderKey[],
): Promise<OpenAccount[]> {
  return (await selectAccounts(db, keys)).map((one) => opened(vault, one))
}

/** The maximum number of payouts that are compared for each masked account, newest first. */
const MOST_COMPARED = 5

/** Returns the decrypted accounts of each merchant's newest succeeded payouts with one of these masked accounts. */
export async function openPaidAccounts(
  { db, vault }: AccountDeps,
  masked: readonly MaskedAccount[],
): Promise<OpenAccount[]> {
  return (await selectPaidAccounts(db, masked, MOST_COMPARED)).map((one) => opened(vault, one))
}

function opened(vault: Vault, one: PayoutAccount): OpenAccount {
  const { merNo, tradeNo, kind, masked } = one
  return { merNo, tradeNo, kind, masked, ...openAccount(vault, tradeNo, one) }
}

function toListed(row: ListedRow, merchant: string): ListedPayout {
  return {
    tradeNo: row.trade_no,
    merNo: Number(row.mer_no),
    merchant,
    merOrderNo: row.mer_order_no,
    kind: row.kind,
    state: row.state,
    amount: formatAmount(row.amount, row.currency),
    fee: formatAmount(row.fee, row.currency),
    currency: row.currency,
    account: row.account_masked,
    beneficiary: row.beneficiary,
    ...(row.country !== null && { country: row.country }),
    message: row.message,
    createdAt: row.created_at.toISOString(),
    awaits: row.state === 'awaiting_approval' ? awaitedBy(row) : [],
    ...(row.returned_amount !== null &&
      row.returned_amount < row.amount && {
        returnCost: formatAmount(row.amount - row.returned_amount, row.currency),
      }),
    ...(isTransaction(row) && { transaction: row.rail_ref }),
  }
}

function isTransaction(row: ListedRow): row is ListedRow & { rail_ref: string } {
  return row.kind === 'coin' && row.rail_ref?.startsWith('0x') === true
}

export function countPayouts(db: Queryable): Promise<PayoutCounts> {
  return selectCounts(db)
}

/** Returns the payouts that a statement lists. A reference that is not ours is skipped. */
export async function findPayoutMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap((reference) => payoutKeyOf(reference) ?? [])
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toPayoutMovement)
}

export async function* donePayouts(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readDone(tx, period)) yield rows.map(toPayoutMovement)
}

function toPayoutMovement(row: MovementRow): Movement {
  return toMovement(row, payoutReference(row.trade_no))
}
