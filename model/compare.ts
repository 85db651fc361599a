// Compares all balances and states of the gateway with those of the model after each step. The SQL statements read the
// tables without the gateway's code.
import assert from 'node:assert/strict'
import { verifyBooks } from '../src/money/audit/verify-books.ts'
import type { Db } from '../src/platform/postgres/db.ts'
import type { Gateway } from './gateway.ts'
import { accountsOf } from './rules/accounts.ts'
import type { Model, Plan } from './rules/facts.ts'
import { usageOf } from './rules/limits.ts'
import { convertDown } from './rules/money.ts'
import { chargedBackOf, exceptionFeesOf, isInFlight, refundedOf, stateOf } from './rules/orders.ts'
import { payoutStateOf } from './rules/payouts.ts'
import { marginDueMs, settleDueMs } from './rules/settlement.ts'

export async function compare(model: Model, { db }: Gateway): Promise<void> {
  const [found, expected] = [await foundIn(db), expectedOf(model)]
  for (const name of Object.keys(expected)) assert.deepEqual(found[name], expected[name], name)
}

/** Runs the checks of `ledger verify`, which compare the gateway's books with one another. */
export async function verify({ db, clock }: Gateway): Promise<void> {
  const { differences, findings } = await verifyBooks({ db, clock })
  assert.deepEqual({ differences, findings }, { differences: [], findings: [] }, 'ledger verify')
}

/**
 * For each list: its rows as texts, by the number that each row has in the gateway and in the model. For `suspense`:
 * how often each row occurs, by the row's text.
 */
type Rows = Readonly<Record<string, Readonly<Record<string, string>>>>

function expectedOf(model: Model): Rows {
  const { orders, links, payouts, suspense, approvals } = model
  const refunds = orders.flatMap((order) => order.refunds)
  const chargebacks = orders.flatMap((order) => order.chargebacks)
  return {
    orders: sorted(orders.map((order) => [order.tradeNo, ...orderOf(order)])),
    dues: sorted(orders.flatMap(duesOf)),
    refunds: sorted(
      refunds.map((one) => {
        const arrived = one.state === 'returned' ? one.cameBack : 0n
        return [one.refundNo, one.state, one.order.tradeNo, one.amount, one.fee, arrived]
      }),
    ),
    chargebacks: sorted(
      chargebacks.map((one) => [one.chargebackId, one.state, one.order.tradeNo, one.amount, one.fee]),
    ),
    payouts: sorted(
      payouts.map((one) => {
        const { currency, amount } = one.funding
        const arrived = one.state === 'returned' ? one.cameBack : 0n
        return [one.tradeNo, one.state, payoutStateOf(one), one.fee, currency, amount, arrived]
      }),
    ),
    suspense: sorted(
      suspense.map((one, at) => {
        const { merNo, order, attempt, channel, currency, amount, why, state } = one
        return [
          String(at),
          merNo,
          order?.tradeNo ?? '-',
          attempt ?? '-',
          channel,
          currency,
          amount,
          why,
          state,
        ]
      }),
      'counted',
    ),
    approvals: sorted(approvals.map(({ approvalId, state }) => [approvalId, state])),
    bulkRows: sorted(
      model.bulks.flatMap(({ bulkId, rows }) => rows.map((row, at) => [`${bulkId}-${at + 1}`, row.state])),
    ),
    runLines: sorted(
      model.runs.flatMap(({ runId, lines }) =>
        lines.map(({ state }, at) => [`${runId}-${at + 1}`, state === 'released' ? 'waiting' : state]),
      ),
    ),
    plans: sorted(
      model.shops.flatMap(({ merNo, plan, methodPlans, payoutPlan, follows = '-' }) => [
        [`${merNo} follows`, follows],
        ...[...methodPlans, ['', plan] as const].map(([method, one]) => [
          `${merNo} ${method}`,
          ...Object.values(inOrder(one)),
        ]),
        [`${merNo} payout`, payoutPlan.feeBps, payoutPlan.feeFixed],
      ]),
    ),
    usage: sorted([...usageOf(model)].filter(([, used]) => used !== 0n)),
    links: sorted(links.map((one) => [one.linkId, ...one.orders.map(({ tradeNo }) => tradeNo)])),
    accounts: Object.fromEntries(
      [...accountsOf(model)].sort(byKey).map(([key, amount]) => [key, String(amount)]),
    ),
  }
}

function orderOf(order: Model['orders'][number]): unknown[] {
  const { money } = order
  const state = stateOf(order)
  if (money === undefined) return [state, 0n, 0n, 0n, 0n, 0n, false, false, 0n, 0, 0n, 0n, 0n]
  const { amount, fees, margin, held, unsettled, available, settled, released } = money
  const open = order.refunds.filter((one) => isInFlight(one.state)).length
  const atSuccess = convertDown(amount - fees - margin, order.currency, order.settleCurrency, money.rate)
  const sums = [refundedOf(order), open, chargedBackOf(order), exceptionFeesOf(order), atSuccess]
  return [state, fees, margin, held, unsettled, available, settled, released, ...sums]
}

function inOrder({ feeBps, feeFixed, refundFee, chargebackFee, marginBps, marginDays, settleDays }: Plan) {
  return { feeBps, feeFixed, refundFee, chargebackFee, marginBps, marginDays, settleDays }
}

function duesOf(order: Model['orders'][number]): unknown[][] {
  const { money, tradeNo } = order
  if (money === undefined) return []
  const at = (ms: number) => new Date(ms).toISOString()
  return [
    ...(money.settled ? [] : [[`${tradeNo} settle`, at(settleDueMs(order))]]),
    ...(money.released || money.margin === 0n ? [] : [[`${tradeNo} margin`, at(marginDueMs(order))]]),
  ]
}

/** `counted` is for rows without a number that gateway and model share: equal rows are counted. */
function sorted(rows: readonly (readonly unknown[])[], as: 'by number' | 'counted' = 'by number') {
  if (as === 'by number')
    return Object.fromEntries(rows.map(([id, ...rest]) => [String(id), rest.join(' ')] as const).sort(byKey))
  const groups = Map.groupBy(rows, ([, ...rest]) => rest.join(' '))
  return Object.fromEntries(
    [...groups].map(([row, equal]) => [row, String(equal.length)] as const).sort(byKey),
  )
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

async function foundIn(db: Db): Promise<Rows> {
  const names = Object.keys(statements)
  const lists = await Promise.all(
    names.map((name) =>
      db.query<{ row: unknown[] }>({ name: `model.${name}`, text: statements[name] ?? '' }),
    ),
  )
  const rows = lists.map((list) => list.map(({ row }) => row))
  return Object.fromEntries(
    names.map((name, at) => [name, sorted(rows[at] ?? [], name === 'suspense' ? 'counted' : 'by number')]),
  )
}

const statements: Readonly<Record<string, string>> = {
  orders: `
    select array[trade_no, state::text, (coalesce(handling_fee, 0) + coalesce(processing_fee, 0))::text,
      coalesce(margin, 0)::text, margin_held::text, coalesce(remainder, 0)::text, settled_source::text,
      (settled_at is not null)::text, (margin_released_at is not null)::text, refunded::text, refunds_open::text,
      charged_back::text, exception_fees::text, coalesce(settle_amount, 0)::text] as row
    from orders where kind = 'payment'`,
  dues: `
    select array[trade_no || ' ' || kind,
      to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')] as row
    from (
      select trade_no, kind, due_at from order_dues
      union all
      select trade_no, 'margin', margin_at from order_dues where margin_at is not null) as d`,
  refunds: `
    select array[refund_no, state, trade_no, amount::text, refund_fee::text,
      (case state when 'returned' then coalesce(returned_amount, amount) else 0 end)::text] as row
    from refunds`,
  chargebacks: `
    select array[chargeback_id, state, trade_no, amount::text, fee::text] as row from chargebacks`,
  payouts: `
    select array[trade_no, p.state, o.state::text, fee::text, funding_currency, funding_amount::text,
      (case p.state when 'returned' then coalesce(returned_amount, o.amount) else 0 end)::text] as row
    from payouts p join orders o using (mer_no, trade_no)`,
  suspense: `
    select array['', mer_no::text, coalesce(trade_no, '-'), coalesce(attempt_no::text, '-'), channel, currency, amount::text, why, state] as row
    from suspense`,
  // The model has no approvals of saved accounts, because they only make an account usable earlier.
  approvals: `select array[approval_id, state] as row from approvals where kind <> 'beneficiary'`,
  bulkRows: `select array[bulk_id || '-' || row_no, state] as row from bulk_refund_rows`,
  runLines: `select array[run_id || '-' || line_no, state] as row from payout_run_lines`,
  plans: `
    select array[mer_no || ' ' || method, fee_bps::text, fee_fixed::text] || case method when 'payout' then '{}' else array[
      refund_fee::text, chargeback_fee::text, margin_bps::text, margin_days::text, settle_days::text] end as row
    from fee_plans
    union all
    select array[m.mer_no || ' payout', '0', '0.00'] from merchants m
    where not exists (select from fee_plans f where f.mer_no = m.mer_no and f.method = 'payout')
    union all
    select array[mer_no || ' follows', coalesce(plan, '-')] from merchants left join merchant_plans using (mer_no)`,
  usage: `
    select array[mer_no || ' ' || method || ' ' || period, used::text] as row from limit_usage where used <> 0`,
  links: `
    select array[link_id] || array(
      select trade_no from payment_link_orders o where o.link_id = l.link_id order by trade_no) as row
    from payment_links l`,
  accounts: `
    select array[mer_no || ' ' || account || ' ' || currency, (credits - debits)::text] as row
    from balances where credits <> debits`,
}
