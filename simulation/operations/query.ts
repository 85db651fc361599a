// Queries of orders, refunds, balances and totals. Answers must be consistent in themselves and with earlier answers.
import { queryBody } from '../../test/harness/client.ts'
import { callGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { outcomeOf } from '../witness.ts'
import { minus } from './amounts.ts'
import { compare, type Shown } from './compare.ts'
import { lookUp, type Row } from './look-up.ts'
import { pickPayment, samplePayments } from './pick-order.ts'

const PATH = '/order/query'

export const queryOrder: Operation = {
  name: 'query an order',
  weight: 20,
  async run(actor) {
    const { world, shop, random } = actor
    const order = random.pick(world.witness.recentOf(shop))
    if (order === undefined) return
    const tradeNo = random.chance(0.5) ? '' : (order.tradeNo ?? '')
    const asked = { merOrderNo: order.number, queryType: 'sales', tradeNo }
    const shown = await ask(actor, this.name, order.number, asked)
    if (shown === undefined) return
    // An operator may accept late money for a failed payment, and the beneficiary's bank may return a payout.
    const mayFollow = (from: number, to: number) =>
      from === PROCESSING || from === to || (order.kind === 'payout' ? to === FAILED : from === FAILED)
    order.lastQueried = compare(actor, order.number, order.lastQueried, shown, mayFollow)
  },
}

const PROCESSING = 1
const FAILED = 2

export const queryRefund: Operation = {
  name: 'query a refund',
  weight: 6,
  async run(actor) {
    const { world, random } = actor
    const refund = random.pick(world.witness.recentRefunds)
    if (refund === undefined) return
    const { order, number: merRefundNo } = refund
    const own = { ...actor, shop: order.shop }
    const asked = { merOrderNo: order.number, queryType: 'refund', merRefundNo, tradeNo: order.tradeNo ?? '' }
    const shown = await ask(own, this.name, merRefundNo, asked)
    if (shown === undefined) return
    // A successful refund may fail, because the payer's bank may return it.
    const mayFollow = (from: number, to: number) =>
      from === REFUND_PROCESSING || from === to || to === REFUND_FAILED
    refund.lastQueried = compare(actor, merRefundNo, refund.lastQueried, shown, mayFollow)
  },
}

const REFUND_PROCESSING = 4
const REFUND_FAILED = 5

/** Sends a query about an accepted order or refund, which the query must find. */
async function ask(
  { world, shop }: Actor,
  by: string,
  about: string,
  asked: Readonly<Record<string, string>>,
): Promise<Shown | undefined> {
  const { history, witness } = world
  const askedAt = Date.now()
  const answer = await callGateway(shop, PATH, queryBody(shop, asked))
  history.add(`${PATH} ${asked.queryType} ${answer.kind}`, about, answer)
  witness.count(by, outcomeOf(answer))
  if (answer.kind === 'answered' && answer.code === '10026')
    witness.violations.push({ what: 'something that was accepted is not found', about, rows: answer })
  if (answer.kind === 'lost' || answer.code !== '00000') return undefined
  return { state: Number(answer.data.state), askedAt, row: answer.data }
}

const DISPUTED = [11, 12, 17]

export const queryChargeback: Operation = {
  name: 'query a chargeback',
  weight: 3,
  async run(actor) {
    const { world, shop } = actor
    const listed = await pickPayment(actor, { states: DISPUTED })
    if (listed === undefined) return
    const body = queryBody(shop, { merOrderNo: listed.order.number, queryType: 'chargeback' })
    const answer = await callGateway(shop, PATH, body)
    world.history.add(`${PATH} chargeback ${answer.kind}`, listed.order.number, answer)
    world.witness.count(this.name, outcomeOf(answer))
  },
}

export const queryStates: Operation = {
  name: 'query states',
  weight: 12,
  async run(actor) {
    await lookUp(actor, samplePayments(actor))
  },
}

export const queryBalance: Operation = {
  name: 'query balances',
  weight: 8,
  async run({ world, shop, random }) {
    const { witness } = world
    const currency = random.pick(['', 'USD', 'EUR', 'BRL'])
    const body = { merNo: shop.merNo, version: 'V3.0.0', currency }
    const answer = await callGateway(shop, '/balance/query', body)
    witness.count(this.name, outcomeOf(answer))
    if (answer.kind === 'lost' || answer.code !== '00000') return
    const { balances } = answer.data
    // Only rows of a single currency add up. The total in dollars is left out, because it is rounded for each currency.
    const rows: readonly Row[] = Array.isArray(balances) ? balances : [answer.data]
    for (const row of rows) {
      witness.comparisons += 1
      const rest = minus(String(row.totalBalance), String(row.balance))
      if (rest !== String(row.unCheckedBalance))
        witness.violations.push({ what: 'a balance does not add up', about: '', rows: row })
    }
  },
}

export const queryTotals: Operation = {
  name: 'query totals',
  weight: 4,
  async run({ world, shop, random }) {
    const orderStatusList = random.chance(0.5) ? ['5'] : []
    const body = { merNo: shop.merNo, version: 'V3.0.0', orderStatusList }
    const answer = await callGateway(shop, '/order/queryAmount', body)
    world.witness.count(this.name, outcomeOf(answer))
  },
}
