// Payment links in every state, and their orders, written by the gateway's own functions.
import assert from 'node:assert/strict'
import { createLinkHandlers } from '../../src/interfaces/backoffice/links/handlers.ts'
import { createLinks } from '../../src/money/orders/page-link.ts'
import { findLink } from '../../src/money/payment-links/find-link.ts'
import { orderByLink } from '../../src/money/payment-links/order-by-link.ts'
import { closeExpired } from '../../src/money/payments/hosted/worker.ts'
import { openReach } from '../../src/platform/http/client/address-guard.ts'
import { scriptedChannel } from '../counterparties/scripted-channel.ts'
import { aCall, aCaller, aHosted } from './builders.ts'
import { aPlan, aShop, openPayments } from './payments.ts'
import type { TestPayouts } from './payouts.ts'

const HOUR_MS = 3_600_000

export async function writeLinks({ db }: TestPayouts): Promise<void> {
  const card = scriptedChannel('card')
  const setup = openPayments(db, [card])
  setup.pass(-3 * HOUR_MS)
  const shop = aShop({
    merNo: 62_000_001,
    currencies: new Map([['EUR', 'EUR']]),
    feePlans: new Map([['', aPlan()]]),
    limits: { single: 10n ** 6n, daily: 10n ** 8n, monthly: 10n ** 8n },
  })
  const handlers = createLinkHandlers({
    ...setup.deps,
    findMerchant: async () => shop,
    mayNotify: openReach({ loopbackAllowed: false, allow: [] }),
    receiptLinks: createLinks(setup.deps.vault, setup.deps.baseUrl, 'receipt'),
  })
  const call = aCall(aCaller(shop.merNo, 'zoe@shop.example'))
  const operators = aCall(aCaller(0, 'ann@operator.example'))
  const fixed = { amount: '95.00', uses: 'one' } as const
  /** Makes a link. Time passes first, so that ids and lines of the audit log have the order of their times. */
  const make = async (changes: object = {}) => {
    setup.pass(1)
    const texts = { title: 'Lamp', currency: 'EUR', reference: 'R1', language: '', notifyUrl: '' }
    const body = { ...texts, ...fixed, ...changes }
    return (await handlers['POST /links']({ ...call, body })).linkId
  }
  const order = async (linkId: string, amount = 9_500n) => {
    const link = await findLink(db, linkId)
    assert.ok(link)
    const ordered = await orderByLink(setup.deps, shop, link, amount)
    assert.ok(ordered.kind === 'order', JSON.stringify(ordered))
    return ordered.tradeNo
  }
  const pay = async (tradeNo: string, amount = 9_500n) => {
    card.says.start = () => ({
      kind: 'succeeded',
      money: { amount, currency: 'EUR' },
      channelRef: 'charge-1',
    })
    await setup.start(aHosted({ merNo: shop.merNo, tradeNo }), {}, shop)
  }

  await make()
  await make({ lastDay: '2031-01-01' })
  const claimed = await make({ method: 'card' })
  await order(claimed)
  const paid = await make({ notifyUrl: 'https://shop.example/notify' })
  await order(paid)
  setup.pass(HOUR_MS)
  await closeExpired(setup.deps)
  await pay(await order(paid))
  await order(claimed)
  const many = await make({ uses: 'many', amount: undefined, least: '90.00', most: '99.00' })
  await order(many, 9_600n)
  await pay(await order(many, 9_700n), 9_700n)
  const state = (linkId: string) =>
    handlers['PUT /links/:linkId/state']({ ...call, params: { linkId }, body: { state: 'off' } })
  await state(await make())
  const linkId = await make({ uses: 'many' })
  await order(linkId)
  const stopped = { isStopped: true, reason: 'Fraud' }
  await handlers['PUT /links/:linkId/stop']({ ...operators, params: { linkId }, body: stopped })
}
