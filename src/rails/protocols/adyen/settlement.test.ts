// Tests statements made from settlement reports: reversed authorisations, and the days of movements.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Zone } from '../../../../sandbox/adyen/reports.ts'
import { anAttempt } from '../../../../test/builders/builders.ts'
import { openCase, PRICE } from '../../../../test/builders/deposits.ts'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import {
  type AdyenWorld,
  cardRequest,
  openAdyenWorld,
  openCaptured,
  payTwice,
} from '../../../../test/counterparties/adyen.ts'
import { attemptReference } from '../../../money/orders/order.ts'
import { fetchStatement } from '../../../money/reconciliation/import-statement.ts'
import { reconcile } from '../../../money/reconciliation/reconcile.ts'
import { listHeld } from '../../../money/suspense/book-suspense.ts'
import { systemClock } from '../../../platform/base/clock.ts'

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

const EUR = { amount: 25_00n, currency: 'EUR' }
let month = 2300 * 12

/** Returns two days of a month that no other test uses. */
function aMonth() {
  month += 1
  const first = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  return { monday: `${first}-06`, tuesday: `${first}-07` }
}

const closeBatch = (day: string) => closeBatchAt(`${day}T12:00:00Z`, { name: 'UTC', minutes: 0 })

async function closeBatchAt(at: string, zone: Zone): Promise<void> {
  world.adyen.closeBatch({ at: new Date(at), zone })
  await world.delivered()
  await world.connect(world.settings('card')).watcher?.work(AbortSignal.timeout(60_000))
}

const statementOf = (day: string) => fetchStatement(world.connect(world.settings('card')), 'adyen', day)

async function listed(day: string): Promise<string[]> {
  const lines = await statementOf(day)
  return lines.map(({ type, reference, money }) => `${type} ${reference} ${money.amount}`)
}

describe('on a statement, an authorisation that was taken back', () => {
  it('is missing, whether a report lists both movements or each is in another one', async () => {
    for (const isSplit of [false, true]) {
      const { monday, tuesday } = aMonth()
      const { request, paid } = await payTwice(world, EUR)
      const channel = world.channel('card')
      if (isSplit) await closeBatch(monday)
      await channel.ask(request)
      const refundReference = makeReference()
      assert.ok(paid.kind === 'succeeded')
      const refund = { amount: 5_00n, currency: 'EUR' }
      await channel.refund({ ...request, channelRef: paid.channelRef, refundReference, refund })
      await closeBatch(isSplit ? tuesday : monday)
      const ours = [`payment ${request.reference} 2500`, `refund ${refundReference} 500`]
      assert.deepEqual([...(await listed(monday)), ...(await listed(tuesday))], ours)
    }
  })

  it('is missing if it covered a part only', async () => {
    const { monday } = aMonth()
    const request = cardRequest(EUR, { holder: 'PARTIALLY_AUTHORISED' })
    assert.equal((await world.channel('card').start(request)).kind, 'failed')
    await closeBatch(monday)
    assert.deepEqual(await listed(monday), [])
  })

  it('is there if Adyen refused to take it back, or could not do it', async () => {
    const { monday } = aMonth()
    const { features } = world.adyen
    const [refused, failed] = [await payTwice(world, EUR), await payTwice(world, EUR)]
    features.reversalError = 422
    await world.channel('card').ask(refused.request)
    features.reversalError = undefined
    // Adyen accepts the second reversal, but a webhook then reports that there was nothing to take back.
    failed.second.status = 'refused'
    await world.channel('card').ask(failed.request)
    await closeBatch(monday)
    const twice = [refused, failed].flatMap(({ request }) =>
      Array.from({ length: 2 }, () => `payment ${request.reference} 2500`),
    )
    assert.deepEqual((await listed(monday)).sort(), twice.sort())
  })

  it('is there again once the refund that took it back has failed, which an alarm says', async () => {
    for (const eventCode of ['REFUND_FAILED', 'REFUNDED_REVERSED']) {
      const { monday } = aMonth()
      const { request, second } = await payTwice(world, EUR)
      await world.channel('card').ask(request)
      await closeBatch(monday)
      assert.equal((await listed(monday)).length, 1)
      world.adyen.webhooks.send({
        eventCode,
        success: true,
        pspReference: `R${eventCode}`,
        originalReference: second.psp,
        merchantAccountCode: world.adyen.merchantAccount,
        merchantReference: request.reference,
        amount: second.amount,
      })
      await world.delivered()
      const { reference } = request
      const movements = ['payment', 'payment', 'refund'].map((type) => `${type} ${reference} 2500`)
      assert.deepEqual(await listed(monday), movements)
      assert.ok(world.alarmsAbout(reference).join().includes(second.psp))
    }
  })
})

describe('on a statement, the day of a movement', () => {
  /** Makes a payment, and lists it in a report with this time zone. */
  async function settledAt(at: string, name: string, minutes: number): Promise<string> {
    const request = cardRequest(EUR, {})
    await world.channel('card').start(request)
    await closeBatchAt(at, { name, minutes })
    return request.reference
  }

  it('is the one in UTC, whatever the time zone of the account is', async () => {
    const cases: [at: string, name: string, hours: number][] = [
      ['2290-01-01T23:30:00Z', 'CET', 1],
      ['2290-07-01T22:15:00Z', 'CEST', 2],
      ['2290-07-02T23:15:00Z', 'BST', 1],
      ['2290-01-03T02:00:00Z', 'EST', -5],
      ['2290-01-04T07:59:59Z', 'PST', -8],
      ['2290-07-04T06:59:59Z', 'PDT', -7],
      ['2290-07-05T13:59:59Z', 'AEST', 10],
      ['2290-01-06T23:30:00Z', 'Europe/Amsterdam', 1],
      ['2290-07-06T22:30:00Z', 'Europe/Amsterdam', 2],
      ['2290-07-07T03:30:00Z', 'America/New_York', -4],
      ['2290-07-08T12:00:00Z', 'GMT', 0],
    ]
    for (const [at, name, hours] of cases) {
      const reference = await settledAt(at, name, hours * 60)
      assert.deepEqual(await listed(at.slice(0, 10)), [`payment ${reference} 2500`], `${at} ${name}`)
    }
  })

  it('is not guessed: a line in a zone that is not known, or has the name of several, is reported and left out', async () => {
    for (const [at, name, minutes] of [
      ['2291-01-01T12:00:00Z', 'IST', 330],
      ['2291-01-02T12:00:00Z', 'CST', -360],
      ['2291-01-03T12:00:00Z', 'Europe/Nowhere', 60],
      ['2291-01-04T12:00:00Z', '', 0],
    ] as const) {
      await settledAt(at, name, minutes)
      assert.deepEqual(await listed(at.slice(0, 10)), [], name)
      assert.match(lastReportAlarm(), /line 2 cannot be read/)
    }
  })

  /** Returns the alarm about the newest report. */
  function lastReportAlarm(): string {
    const names = Array.from({ length: 100 }, (_, at) => `settlement_detail_report_batch_${at + 1}.csv`)
    return names.flatMap((name) => world.alarmsAbout(name)).at(-1) ?? ''
  }
})

describe('reconciling with a statement, money that Adyen took back', () => {
  const reconciled = async (day: string) =>
    reconcile({ db: world.database.db, clock: systemClock }, 'adyen', await statementOf(day))

  it('is no surplus of a paid order', async () => {
    const { monday } = aMonth()
    const attempt = anAttempt(new Date(), { channel: 'adyen' })
    const { merNo, tradeNo } = await paidOrder(world.database.db, { money: EUR, attempt })
    const { request } = await payTwice(world, EUR, attemptReference(tradeNo, 1))
    await world.channel('card').ask(request)
    await closeBatch(monday)
    const { booked, matched, differences } = await reconciled(monday)
    assert.deepEqual({ booked, matched, differences }, { booked: 0, matched: 1, differences: [] })
    assert.deepEqual(await listHeld(world.database.db, merNo, 10), [])
  })

  it('is no late money of a failed order', async () => {
    const { monday } = aMonth()
    const { order, expires } = await openCase(world.database.db)
    await expires()
    const money = { amount: PRICE, currency: 'EUR' }
    const request = { reference: attemptReference(order.tradeNo, 1), money }
    const channel = world.channel('card')
    assert.equal((await channel.cancel(request)).kind, 'unknown')
    // By tomorrow, Adyen's offer to the payer has expired.
    const tomorrow = { now: () => new Date(Date.now() + 24 * 3_600_000) }
    const [later] = world.connect(world.settings('card'), undefined, tomorrow).channels
    assert.equal((await later?.cancel(request))?.kind, 'failed')
    world.adyen.book.authorise(openCaptured(world, request))
    await world.delivered()
    assert.equal((await channel.ask(request)).kind, 'failed')
    await closeBatch(monday)
    const { lines, booked } = await reconciled(monday)
    assert.deepEqual({ lines, booked }, { lines: 0, booked: 0 })
    assert.deepEqual(await listHeld(world.database.db, order.merNo, 10), [])
  })
})
