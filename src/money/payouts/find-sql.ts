import type { Queryable } from '../../platform/postgres/db.ts'
import { int8, itself, listOf, text } from '../../platform/postgres/lists.ts'
import type { Decider } from '../approvals/may-approve.ts'
import type { OrderKey, StateNumber } from '../orders/order.ts'
import type { FoundPayout, PayoutKind, PayoutState, StoredAccount } from './payout.ts'
import type { ApprovalColumns } from './sql.ts'

export async function selectByOrderNumber(
  db: Queryable,
  merNo: number,
  merOrderNo: string | undefined,
): Promise<FoundPayout | undefined> {
  const [row] = await db.query<Row>({
    name: 'payouts.by-number',
    text: `${selectText} where o.mer_no = $1 and o.mer_order_no = $2`,
    values: [merNo, merOrderNo],
  })
  return row && toFound(row)
}

export async function selectByTrade(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<FoundPayout | undefined> {
  const [row] = await db.query<Row>({
    name: 'payouts.by-trade',
    text: `${selectText} where o.mer_no = $1 and o.trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return row && toFound(row)
}

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  currency: string
  amount: bigint
  order_state: StateNumber
  message: string
  return_url: string
  kind: PayoutKind
  state: PayoutState
  rail: string
  fee: bigint
  account_masked: string
  beneficiary: Readonly<Record<string, unknown>>
}

const selectText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.currency, o.amount, o.state as order_state, o.message, o.return_url,
    p.kind, p.state, p.rail, p.fee, p.account_masked, p.beneficiary
  from current_orders o join payouts p using (mer_no, trade_no)`

function toFound(row: Row): FoundPayout {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    orderState: row.order_state,
    message: row.message,
    returnUrl: row.return_url,
    kind: row.kind,
    state: row.state,
    rail: row.rail,
    fee: row.fee,
    accountMasked: row.account_masked,
    beneficiary: row.beneficiary,
  }
}

export type ListedRow = ApprovalColumns & {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  kind: string
  state: string
  amount: bigint
  fee: bigint
  currency: string
  account_masked: string
  beneficiary: string
  country: string | null
  message: string
  rail_ref: string | null
  returned_amount: bigint | null
  created_at: Date
}

export type PayoutFilter = Pick<PayoutPage, 'state' | 'awaits'> & { readonly merNo: number | undefined }

export type PayoutPage = {
  readonly merNo: number
  /** The state to select. Undefined selects all states. */
  readonly state: PayoutState | undefined
  /** The side whose approval the payouts wait for. Undefined selects all payouts. */
  readonly awaits?: Decider | undefined
  /** The trade number of a single payout. Undefined selects all payouts. */
  readonly tradeNo?: string | undefined
  /** The last trade number of the previous page. */
  readonly after: string | undefined
  readonly limit: number
}

/** Returns payouts, oldest first. */
export function selectListed(
  db: Queryable,
  { state, merNo, awaits }: PayoutFilter,
  limit: number,
): Promise<ListedRow[]> {
  const values = [state ?? null, merNo ?? null, limit, awaits ?? null]
  return db.query<ListedRow>({ text: listText, values })
}

/** Selects a page of one merchant's payouts, newest first. Trade numbers sort by time. */
export function selectPage(
  db: Queryable,
  { merNo, state, after, tradeNo, limit, awaits }: PayoutPage,
): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    text: `${listedText}
      where p.mer_no = $1 and ($2::text is null or p.state = $2) and ($3::text is null or p.trade_no < $3)
        and ($4::text is null or p.trade_no = $4) and ${awaitedText('$6')}
      order by p.trade_no desc
      limit $5`,
    values: [merNo, state ?? null, after ?? null, tradeNo ?? null, limit, awaits ?? null],
  })
}

/** Selects a page of all merchants' payouts, newest first, by merging the newest payouts of each wanted state. */
export function selectPageOfAll(
  db: Queryable,
  page: {
    readonly states: readonly PayoutState[]
    readonly after: string | undefined
    readonly limit: number
  },
): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    text: `${listedText}
      where (p.mer_no, p.trade_no) in (
        select n.mer_no, n.trade_no
        from ${wantedStates.text}, lateral (
          select mer_no, trade_no from payouts
          where payouts.state = g.state and ($2::text is null or payouts.trade_no < $2)
          order by payouts.trade_no desc limit $3
        ) n
        order by n.trade_no desc limit $3)
      order by p.trade_no desc`,
    values: [...wantedStates.values(page.states), page.after ?? null, page.limit],
  })
}

/** Selects payouts of any merchants by key. Keys of payments are skipped. */
export function selectByKeys(db: Queryable, keys: readonly OrderKey[]): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    text: `${listedText} join ${wantedKeys.text} on g.mer_no = p.mer_no and g.trade_no = p.trade_no`,
    values: wantedKeys.values(keys),
  })
}

const wantedKeys = listOf<OrderKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

type AccountRow = {
  mer_no: bigint
  trade_no: string
  account_kind: StoredAccount['kind']
  account_masked: string
  beneficiary: StoredAccount['beneficiary']
  sealed: Buffer
}

export type PayoutAccount = OrderKey & StoredAccount

const accountColumns = 'p.mer_no, p.trade_no, p.account_kind, p.account_masked, p.beneficiary, p.sealed'

/** Selects the accounts of payouts. A payout is skipped until its account is stored. */
export async function selectAccounts(db: Queryable, keys: readonly OrderKey[]): Promise<PayoutAccount[]> {
  const rows = await db.query<AccountRow>({
    text: `select ${accountColumns} from ${wantedKeys.text}
      join payouts p on p.mer_no = g.mer_no and p.trade_no = g.trade_no
      where p.account_kind is not null and p.sealed is not null`,
    values: wantedKeys.values(keys),
  })
  return rows.map(toAccount)
}

export type MaskedAccount = { readonly merNo: number; readonly masked: string }

/**
 * Selects the accounts of succeeded payouts whose masked number equals one of the given numbers. Different accounts may
 * have the same masked number, so the caller compares the decrypted accounts. For each given number, the newest `limit`
 * payouts are read.
 */
export async function selectPaidAccounts(
  db: Queryable,
  masked: readonly MaskedAccount[],
  limit: number,
): Promise<PayoutAccount[]> {
  const rows = await db.query<AccountRow>({
    text: `select ${accountColumns} from ${maskedAccounts.text} cross join lateral (
        select * from payouts
        where mer_no = g.mer_no and account_masked = g.masked and state = 'succeeded'
        order by trade_no desc limit ${maskedAccounts.next}
      ) p
      where p.account_kind is not null and p.sealed is not null`,
    values: [...maskedAccounts.values(masked), limit],
  })
  return rows.map(toAccount)
}

const maskedAccounts = listOf<MaskedAccount>({
  mer_no: int8((one) => one.merNo),
  masked: text((one) => one.masked),
})

function toAccount(row: AccountRow): PayoutAccount {
  const { mer_no: merNo, trade_no: tradeNo, account_kind: kind, beneficiary, sealed } = row
  return { merNo: Number(merNo), tradeNo, kind, masked: row.account_masked, beneficiary, sealed }
}

const wantedStates = listOf({ state: text<PayoutState>(itself) })

/**
 * Returns the SQL condition that a payout waits for the approval of `decider`, which is a parameter or a literal. If
 * `decider` is null, the condition is true for all payouts.
 */
const awaitedText = (
  decider: string,
) => `(${decider}::text is null or p.state = 'awaiting_approval' and case ${decider}
    when 'platform' then p.needs_approval and p.approved_at is null
    else p.needs_merchant_approval and p.merchant_approved_at is null end)`

const listedText = `
  select
    p.mer_no, p.trade_no, o.mer_order_no, p.kind, p.state, o.amount, p.fee, o.currency,
    p.account_masked, concat_ws(' ', p.beneficiary ->> 'benFirstName', p.beneficiary ->> 'benLastName') as beneficiary,
    p.beneficiary ->> 'countryCode' as country, o.message, p.rail_ref, p.returned_amount, p.created_at,
    p.needs_approval, p.needs_merchant_approval, p.approved_at, p.merchant_approved_at
  from payouts p
  join current_orders o using (mer_no, trade_no)`

const listText = `${listedText}
  where ($1::text is null or p.state = $1) and ($2::bigint is null or p.mer_no = $2) and ${awaitedText('$4')}
  order by p.created_at, p.trade_no
  limit $3`

export type PayoutCounts = {
  /** The number of payouts that the worker will claim, without payouts that wait for the beneficiary's account. */
  readonly open: number
  /** The number of payouts that wait for an operator. */
  readonly waiting: number
  /** The trade number of the oldest payout that waits for an operator. */
  readonly firstWaiting: string | null
}

export async function selectCounts(db: Queryable): Promise<PayoutCounts> {
  const [row] = await db.query<PayoutCounts>({
    text: `select
        (select count(*)::int from payouts where ask_at is not null and state <> 'awaiting_account') as open,
        (select count(*)::int from payouts p where ${awaitedText("'platform'")}) as waiting,
        (select min(trade_no) from payouts p where ${awaitedText("'platform'")}) as "firstWaiting"`,
  })
  return row ?? { open: 0, waiting: 0, firstWaiting: null }
}
