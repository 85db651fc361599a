// Queries: an order, its refunds, balances, totals. Answers must make sense by themselves and beside earlier ones.
import { queryBody } from '../../test/client.ts'
import { callGateway } from '../call-gateway.ts'
import type { Operation } from '../operation.ts'
import { outcomeOf } from '../witness.ts'
import { minus } from './amounts.ts'
import { lookUp, type Row } from './look-up.ts'
import { sample } from './pick-order.ts'

export const queryOrder: Operation = {
  name: 'query an order',
  weight: 20,
  async run(actor) {
    const { world, shop, random } = actor
    const { witness, history } = world
    const order = random.pick(witness.recentOf(shop))
    if (order === undefined) return
    const queryType = random.pick(['sales', 'sales', 'sales', 'chargeback']) ?? 'sales'
    const tradeNo = random.chance(0.5) ? '' : (order.tradeNo ?? '')
    const body = queryBody(shop, { merOrderNo: order.number, queryType, tradeNo })
    const answer = await callGateway(shop, '/order/query', body)
    history.add(`/order/query ${queryType} ${answer.kind}`, order.number, answer)
    witness.count(`${this.name}: ${queryType}`, outcomeOf(answer))
    if (answer.kind === 'lost' || answer.code !== '10026' || queryType !== 'sales') return
    witness.violations.push({ what: 'an accepted order is not found', about: order.number, rows: answer })
  },
}

export const queryStates: Operation = {
  name: 'query states',
  weight: 12,
  async run(actor) {
    await lookUp(actor, sample(actor))
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
    // The total in dollars is rounded by currency; only single currencies add up.
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
