// Attacks: requests with wrong signatures, used numbers with another amount, and callbacks that no counterparty sent.

import { signatureHeader, timestampHeader } from '../../src/channels/signature.ts'
import { attemptReference } from '../../src/orders/order.ts'
import { cardBody } from '../../test/client.ts'
import { callGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { isAccepted, outcomeOf, type SentOrder } from '../witness.ts'
import { orderBody } from './order-body.ts'
import { sendOrder } from './send-order.ts'

export const wrongSignature: Operation = {
  name: 'sign wrongly',
  weight: 5,
  async run(actor) {
    const { world, shop, random } = actor
    const money = { currencyCode: 'USD', sourceAmount: '12.34' }
    const sign = random.pick(['', '0'.repeat(32), 'AAAA', shop.key]) ?? ''
    const body = { ...cardBody(shop, orderBody(actor, 'F', money)), sign }
    const order = await sendOrder(actor, { kind: 'payment', by: this.name, path: '/payment', body })
    world.witness.comparisons += 1
    if (order.answers.some(isAccepted))
      world.witness.violations.push({ what: 'a wrong signature was accepted', about: order.number })
  },
}

export const usedNumber: Operation = {
  name: 'send a used number with another amount',
  weight: 5,
  async run(actor) {
    const { world, shop, random } = actor
    const order = random.pick(world.witness.recentOf(shop))
    if (order === undefined) return
    const { number: merOrderNo, currency: currencyCode } = order
    const fields = { merOrderNo, currencyCode, sourceAmount: '777.00' }
    const answer = await callGateway(shop, '/payment', cardBody(shop, orderBody(actor, 'F', fields)))
    world.history.add(`/payment with another amount ${answer.kind}`, merOrderNo, answer)
    world.witness.count(this.name, outcomeOf(answer))
    world.witness.comparisons += 1
    if (isAccepted(answer))
      world.witness.violations.push({
        what: 'one order number was accepted twice',
        about: merOrderNo,
        rows: answer,
      })
  },
}

/** Channels whose callbacks carry a signature of our own protocol. */
const signedChannels = [
  'card',
  'unionpay',
  'cash_app',
  'gcash',
  'spei',
  'per_transfer',
  'sepa',
  'vn_bank',
  'crypto',
]
const otherChannels = ['alipay', 'wechat', 'pix', 'apple_pay', 'google_pay']

export const forgedCallback: Operation = {
  name: 'forge a callback',
  weight: 8,
  async run(actor) {
    const { world, shop, random } = actor
    const order = random.pick(world.witness.recentOf(shop))
    const channel = random.pick([...signedChannels, ...otherChannels]) ?? 'card'
    if (order?.tradeNo === undefined) return
    const reference = attemptReference(order.tradeNo, 1)
    const status = await post(actor, channel, forgedBody(order, channel, reference))
    world.history.add(`forged callback of ${channel}`, order.number, { reference, status })
    world.witness.count(this.name, status === undefined ? 'lost' : String(status))
    if (status === undefined || !signedChannels.includes(channel)) return
    world.witness.comparisons += 1
    if (status < 300)
      world.witness.violations.push({ what: `${channel} believed a forged callback`, about: order.number })
  },
}

/** The channel's own message, about a payment of another amount. */
function forgedBody({ currency }: SentOrder, channel: string, reference: string): string {
  const money = { amount: '99900', currency }
  if (channel === 'pix')
    return JSON.stringify({ pix: [{ endToEndId: `E${reference}`, txid: reference, valor: '999.00' }] })
  if (channel === 'alipay')
    return new URLSearchParams({
      out_trade_no: reference,
      trade_status: 'TRADE_SUCCESS',
      total_amount: '999.00',
      sign_type: 'RSA2',
      sign: 'AAAA',
    }).toString()
  const deposits = [{ id: 'forged', ...money, at: new Date().toISOString() }]
  return JSON.stringify({
    reference,
    id: 'forged',
    ...money,
    status: channel === 'card' ? 'captured' : 'paid',
    deposits,
  })
}

async function post({ world, random }: Actor, channel: string, body: string): Promise<number | undefined> {
  const type = channel === 'alipay' ? 'application/x-www-form-urlencoded' : 'application/json'
  const timestamp = String(Math.floor(Date.now() / 1000))
  const forged = { [timestampHeader]: timestamp, [signatureHeader]: 'AAAA' }
  const path = channel === 'pix' ? 'pix/pix' : channel
  try {
    const response = await fetch(`${world.callbacks.url}/callbacks/${path}`, {
      method: 'POST',
      headers: { 'content-type': type, ...(random.chance(0.5) && forged) },
      body,
      signal: AbortSignal.timeout(7_000),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
