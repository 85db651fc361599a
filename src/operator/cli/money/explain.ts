import {
  type Explanation,
  explainOrder,
  listNumbered,
  type NumberedOrder,
} from '../../../money/order-queries/explain-order.ts'
import { State } from '../../../money/orders/order.ts'
import type { FoundHit } from '../../../money/risk/evaluate.ts'
import { hitsOf } from '../../../money/risk/hits.ts'
import type { Config } from '../../../platform/config/config.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Command, Result } from '../command.ts'
import { columns, plain, section } from '../shared/print.ts'

const explain: Command = {
  name: 'explain',
  argument: 'NUMBER',
  summary:
    "Show everything about an order, by its trade number or the shop's order number: states, attempts, ledger entries, notifications",
  options: {},
  async run({ argument, tools }) {
    const db = await tools.database()
    const byTrade = await explainOrder(db, argument)
    if (byTrade !== undefined) return explained(db, byTrade)
    const [first, ...more] = await listNumbered(db, argument)
    if (first === undefined)
      throw new OperatorRefusal(`there is no order ${argument} in ${searchedIn(tools.config())}`)
    if (more.length > 0) return severalOrders(argument, [first, ...more])
    const found = await explainOrder(db, first.tradeNo)
    if (found === undefined) throw new Error(`order ${first.tradeNo} is gone`)
    return explained(db, found)
  },
}

async function explained(db: Db, found: Explanation): Promise<Result> {
  const risk = await hitsOf(db, found.merNo, found.tradeNo)
  return { json: { ...found, risk }, text: plainLines(screen(found, risk)) }
}

/** Lists the orders. The exit status is 1, because none of the orders is explained. */
function severalOrders(merOrderNo: string, orders: readonly NumberedOrder[]): Result {
  const said = `Several merchants have an order ${merOrderNo}. Explain one of them by its trade number:`
  const rows = orders.map((order) => [
    `  ${order.tradeNo}`,
    `${order.merNo} ${order.merchant}`,
    order.kind,
    `${order.amount} ${order.currency}`,
    stateName(order.state),
    order.createdAt,
  ])
  return { json: { merOrderNo, orders }, text: plainLines(`${said}\n${columns(rows)}`), status: 1 }
}

/** Names the database that the command searched, without its password. The gateway may use another database. */
function searchedIn({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined)
    return `the database in ${dataDir}. If the gateway uses another one, set DATABASE_URL or TOLLGATE_DATA_DIR as the gateway has it`
  const url = URL.parse(databaseUrl)
  return `the database of DATABASE_URL${url === null ? '' : ` (${url.host}${url.pathname})`}`
}

function screen(found: Explanation, risk: readonly FoundHit[]): string {
  return [
    head(found),
    section(
      'States',
      found.states.map((change) => [change.at, stateChange(change), change.why]),
    ),
    found.payout === null
      ? section('Attempts', found.attempts.map(attemptRow))
      : section('Payout', payoutRows(found.payout, found.currency)),
    ...(risk.length === 0 ? [] : [section('Risk', risk.map(riskRow))]),
    ...(found.deposits.length === 0 ? [] : [section('Deposits', found.deposits.map(depositRow))]),
    ...(found.disputes.length === 0 ? [] : [section('Disputes', found.disputes.map(disputeRow))]),
    section('Ledger', found.entries.map(entryRow)),
    section('Notifications', found.notifications.map(notificationRow)),
    ...found.notifications.map((one) =>
      section(`Deliveries of ${one.notificationId}`, one.deliveries.map(deliveryRow)),
    ),
  ].join('\n\n')
}

function riskRow({ at, attemptNo, action, watched, name, sourceId }: FoundHit): string[] {
  const done = watched ? `${action}, only watched` : action
  return [at.toISOString(), `attempt ${attemptNo}`, done, name, sourceId]
}

function head(found: Explanation): string {
  const sum = (amount: string | null) => (amount === null ? '-' : `${amount} ${found.currency}`)
  const rows = [
    ['  merchant', `${found.merNo} ${found.merchant}`],
    ['  merchant order', found.merOrderNo],
    ['  state', `${stateName(found.state)}: ${found.message}`],
    ['  created', found.createdAt],
    ['  decided', found.decidedAt ?? 'not yet'],
    ...(found.payout === null ? moneyRows(found, sum) : []),
  ]
  return `${found.kind} ${found.tradeNo}: ${sum(found.amount)} by ${found.method}\n${columns(rows)}`
}

function moneyRows(found: Explanation, sum: (amount: string | null) => string): string[][] {
  return [
    ['  received', sum(found.received)],
    ['  fees', `${sum(found.handlingFee)} and ${sum(found.processingFee)}`],
    ['  margin', sum(found.margin)],
    ['  unsettled', `${sum(found.remainder)}, settles in ${found.settleCurrency}`],
  ]
}

function payoutRows(payout: NonNullable<Explanation['payout']>, currency: string): string[][] {
  const rate = payout.fundingRate === null ? '' : ` at ${payout.fundingRate}`
  const asked = payout.askAt === null ? '' : `, checked ${payout.asks} times, next at ${payout.askAt}`
  const approval = (isNeeded: boolean, at: string | null) =>
    isNeeded ? `needed, ${at ?? 'not given'}` : 'not needed'
  const cameBack = `${payout.returned} ${currency}, cost of the return ${payout.returnCost} ${currency}`
  return [
    ['state', `${payout.state}${asked}`],
    ['to', `${payout.accountKind ?? payout.kind} ${payout.account}`],
    ['fee', `${payout.fee} ${currency}`],
    ['taken', `${payout.fundingAmount} ${payout.fundingCurrency}${rate}`],
    ['approval', approval(payout.needsApproval, payout.approvedAt)],
    ['by merchant', approval(payout.needsMerchantApproval, payout.merchantApprovedAt)],
    ...(payout.returned === null ? [] : [['came back', cameBack]]),
    ['rail', `${payout.rail} ${payout.reference} ${payout.railRef ?? 'no reference from the rail'}`],
  ]
}

function stateChange({ from, to }: { from: number; to: number }): string {
  return from === to ? stateName(to) : `${stateName(from)} → ${stateName(to)}`
}

function stateName(state: number): string {
  const [name] = Object.entries(State).find(([, number]) => number === state) ?? []
  return name === undefined ? String(state) : `${state} ${name}`
}

function attemptRow(attempt: Explanation['attempts'][number]): string[] {
  const asked = attempt.askAt === null ? '' : `asked ${attempt.asks} times, next at ${attempt.askAt}`
  const reference = attempt.channelRef ?? 'no reference from the channel'
  const { attemptNo, createdAt, channel, state, card, message } = attempt
  return [`${attemptNo}`, createdAt, channel, state, card ?? '-', reference, message, asked]
}

function depositRow(deposit: Explanation['deposits'][number]): string[] {
  const { at, depositRef, attemptNo, amount, currency, state, txHash } = deposit
  return [at, `${amount} ${currency}`, state, `of attempt ${attemptNo}`, depositRef, txHash ?? '']
}

function disputeRow(dispute: Explanation['disputes'][number]): string[] {
  const { at, channel, disputeRef, stage, amount, currency, reason, result } = dispute
  return [at, channel, stage, `${amount} ${currency}`, reason, disputeRef, result || 'waits for its payment']
}

function entryRow({ at, step, debit, credit, amount, currency }: Explanation['entries'][number]): string[] {
  return [at, step, `${debit} → ${credit}`, `${amount} ${currency}`]
}

function notificationRow(one: Explanation['notifications'][number]): string[] {
  const next = one.dueAt === null ? '' : one.paused ? 'its merchant is paused' : `next at ${one.dueAt}`
  return [one.madeAt, one.event, one.notificationId, one.state, one.url, next]
}

function deliveryRow(one: Explanation['notifications'][number]['deliveries'][number]): string[] {
  const took = one.latencyMs === null ? '-' : `${one.latencyMs} ms`
  const result = one.finishedAt === null ? 'under way' : (one.error ?? 'delivered')
  const status = one.status === null ? 'no answer' : String(one.status)
  return [`${one.attemptNo}`, one.startedAt, status, took, plain(result), plain(one.answer ?? '')]
}

function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n')
}

export const explainCommands: readonly Command[] = [explain]
