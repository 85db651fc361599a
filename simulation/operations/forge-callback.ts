// Callbacks that no counterparty sent, with an amount other than the order's, and with no signature or a wrong
// signature.

import { attemptReference } from '../../src/money/orders/order.ts'
import { signatureHeader, timestampHeader } from '../../src/rails/toolkit/signature.ts'
import type { Actor, Operation } from '../operation.ts'
import type { SentOrder } from '../witness.ts'

const TIMEOUT_MS = 7_000

/** Channels whose callbacks are signed by our bridge protocol. */
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

/** The body in the format of the channel. */
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
