// Tests payouts by transfers, and settlement reports, against the sandbox's Adyen.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { hmacOf, notification } from '../../../../sandbox/adyen/signature.ts'
import { anAttempt } from '../../../../test/builders/builders.ts'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { type AdyenWorld, cardRequest, openAdyenWorld } from '../../../../test/counterparties/adyen.ts'
import { loseAnswer, openFaultyProxy, respond } from '../../../../test/counterparties/faulty-proxy.ts'
import { openScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { attemptReference } from '../../../money/orders/order.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import { createPayoutRouting } from '../../routing/payout-routing.ts'
import { readTransfer } from './payout-wire.ts'
import { reportAddress } from './reports.ts'

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

const IBAN = 'DE89370400440532013000'
const names = { benFirstName: 'Ada', benLastName: 'Byron' }

function rail(timeoutMs?: number): PayoutRail {
  return world.connect(world.settings('card'), timeoutMs).rail ?? assert.fail()
}

function payout(value: number, account = IBAN, details: object = names): PayoutRequest {
  const money = { amount: BigInt(value), currency: 'EUR' }
  return {
    reference: makeReference(),
    kind: 'bank_account',
    money,
    beneficiary: { account, details: { ...details } },
  }
}

const kindOf = async (outcome: ReturnType<PayoutRail['ask']>) => {
  const known = await outcome
  return known.kind === 'failed' ? `failed ${known.cause}` : known.kind
}

describe('a payout by Adyen', () => {
  it('to a card is in a currency of the EEA, pounds or dollars; to an account in any', () => {
    const settings = { ...world.settings('card'), payoutKinds: ['bank_account', 'card'] as const }
    const ours = world.connect(settings).rail ?? assert.fail()
    const routing = createPayoutRouting({ rails: { all: [ours] }, clock: systemClock })
    const isServed = (kind: 'card' | 'bank_account', currency: string) =>
      routing.canServe({ kinds: [kind], currency, amount: 1_000n, hasExpiry: true }, undefined)
    for (const currency of ['EUR', 'SEK', 'PLN', 'GBP', 'USD'])
      assert.ok(isServed('card', currency), currency)
    for (const currency of ['JPY', 'BRL', 'MXN']) assert.ok(!isServed('card', currency), currency)
    assert.ok(isServed('bank_account', 'JPY'))
  })

  it('goes to an IBAN or to an account at a bank, once, and is found by our reference', async () => {
    for (const request of [payout(2500), payout(2500, '000123 456789', { ...names, bankCode: 'BOFAUS3N' })]) {
      const sent = await rail().send(request)
      assert.equal(sent.kind, 'processing')
      assert.deepEqual(await rail().send(request), sent)
      const { money } = request
      const railRef = 'railRef' in sent ? sent.railRef : ''
      assert.deepEqual(await rail().ask(request.reference), { kind: 'succeeded', money, railRef })
    }
  })

  it('is looked for since it was made, however long ago that is: if it were not found, it would be paid twice', async (t) => {
    const server = await openScriptedServer()
    t.after(() => server.close())
    const settings = { ...world.settings('card'), transfersUrl: server.url }
    const asking = world.connect(settings).rail ?? assert.fail()
    const madeAt = new Date(Date.now() - 200 * 86_400_000)
    await asking.ask(`P${makeId('T', 10_001, madeAt).slice(1)}`)
    const query = new URL(server.requests[0]?.path ?? '', server.url).searchParams
    assert.ok(new Date(query.get('createdSince') ?? '') <= madeAt)
  })

  it('is refused before it is sent when Adyen cannot express it', async () => {
    assert.equal(await kindOf(rail().send(payout(5, 'x'))), 'failed refused')
    assert.equal(await kindOf(rail().send(payout(5, IBAN, {}))), 'failed refused')
    assert.equal(await kindOf(rail().send({ ...payout(5), kind: 'card' })), 'failed refused')
  })

  it('is sent in the decimals of Adyen, and comes back in ours', async () => {
    const money = { amount: 1_250n, currency: 'ISK' }
    const request = { ...payout(0), money }
    await rail().send(request)
    await world.delivered()
    const sent = world.receiver.received().map(({ body }) => JSON.parse(body).data)
    const found = sent.find((one) => one?.reference === request.reference)
    assert.deepEqual(found?.amount, { value: 125_000, currency: 'ISK' })
    assert.partialDeepStrictEqual(await rail().ask(request.reference), { kind: 'succeeded', money })
  })

  it('is paid once and found, although our clock is an hour wrong', async () => {
    for (const ms of [-3_600_000, 3_600_000]) {
      const clock = { now: () => new Date(Date.now() + ms) }
      const skewed = world.connect(world.settings('card'), undefined, clock).rail
      const request = payout(2500)
      for (const _again of [1, 2])
        assert.notEqual(await kindOf(skewed?.send(request) ?? assert.fail()), 'unknown')
      await world.delivered()
      assert.equal(await kindOf(skewed?.ask(request.reference) ?? assert.fail()), 'succeeded')
      assert.equal(world.adyen.transfers.countPaid(request.reference), 1)
    }
  })

  it('shows no key in an outcome, whatever comes back', async (t) => {
    const proxy = await openFaultyProxy(world.url)
    t.after(() => proxy.close())
    const { hmacKey } = world.adyen
    const settings = world.settings('card')
    const seen: unknown[] = []
    for (const status of [200, 401, 422, 429, 500]) {
      proxy.meet(respond(status, JSON.stringify({ errorCode: '010', message: 'No' })))
      const { rail: broken } = world.connect({ ...settings, transfersUrl: proxy.url }, 2_000)
      seen.push(await broken?.send(payout(2500)), await broken?.ask(makeReference()))
    }
    for (const secret of [settings.transfersKey, settings.apiKey, hmacKey])
      assert.ok(typeof secret === 'string' && !JSON.stringify(seen).includes(secret))
  })

  it('is not absent while its list has another page: it would be paid twice', async (t) => {
    const proxy = await openFaultyProxy(String(world.settings('card').transfersUrl))
    t.after(() => proxy.close())
    const { rail: there } = world.connect({ ...world.settings('card'), transfersUrl: proxy.url })
    const kindWith = async (list: object) => {
      proxy.meet(respond(200, JSON.stringify(list)))
      return (await there?.ask(makeReference()))?.kind
    }
    assert.equal(await kindWith({ data: [], _links: { next: { href: 'https://next' } } }), 'unknown')
    assert.equal(await kindWith({ data: [], _links: {} }), 'absent')
    assert.equal(await kindWith({ data: [], _links: { next: null } }), 'absent')
  })

  it('is unknown if Adyen refuses to repeat it, and is not sent any more: it may have forgotten the key, and list it later', async (t) => {
    const proxy = await openFaultyProxy(String(world.settings('card').transfersUrl))
    t.after(() => proxy.close())
    const { rail: there } = world.connect({ ...world.settings('card'), transfersUrl: proxy.url })
    assert.ok(there)
    const isSent = (path: string) => !path.includes('?')
    const request = payout(2500)
    proxy.meet(loseAnswer, isSent)
    assert.equal(await kindOf(there.send(request)), 'unknown')
    proxy.meet(respond(200, '{"data":[]}'))
    assert.equal((await there.ask(request.reference)).kind, 'absent')
    proxy.meet(respond(422, '{"errorCode":"30_081","message":"No"}'), isSent)
    assert.equal(await kindOf(there.send(request)), 'unknown')
    assert.equal(await kindOf(there.send(payout(2500))), 'failed refused', 'the first call')
    proxy.meet(async () => 'break', isSent)
    assert.match(JSON.stringify(await there.send(request)), /decide it by hand/)
    proxy.meet(undefined)
    await world.delivered()
    assert.equal(await kindOf(there.ask(request.reference)), 'succeeded')
    assert.equal(world.adyen.transfers.countPaid(request.reference), 1)
  })

  it('is reported by webhooks, of which the one with the highest number counts', async () => {
    const { hmacKey } = world.adyen
    const report = async (status: string, sequenceNumber: number, signature?: string) => {
      const amount = { value: 5, currency: 'EUR' }
      const data = { id: 'T1', reference: 'P1', status, sequenceNumber, amount }
      const body = JSON.stringify({ type: 'balancePlatform.transfer.updated', data })
      const headers = { hmacsignature: signature ?? hmacOf(body, hmacKey) }
      const callback = { method: 'POST', path: '/', query: '', headers, body }
      const result = await world.channel('card').readCallback?.(callback)
      return result?.kind === 'accepted' ? result.payouts?.map(({ outcome }) => outcome.kind) : result?.kind
    }
    assert.deepEqual(await report('authorised', 2), ['processing'])
    assert.deepEqual(await report('returned', 4), ['returned'])
    assert.deepEqual(await report('booked', 3), [])
    assert.deepEqual(await report('returned', 4), ['returned'])
    assert.deepEqual(await report('a new state', 5), [])
    assert.equal(await report('failed', 6, 'x'), 'refused')
  })

  it('that is booked counts as paid when it arrived, or after some days without bad news', () => {
    const at = new Date('2026-01-10T00:00:00Z')
    const booked = { id: 'T1', reference: 'P1', status: 'booked', amount: { value: 5, currency: 'EUR' } }
    const kind = (more: object) => readTransfer({ ...booked, ...more }, at)?.outcome.kind
    assert.equal(kind({ updatedAt: '2026-01-09T00:00:00Z' }), 'processing')
    assert.equal(kind({ updatedAt: '2026-01-07T00:00:00Z' }), 'succeeded')
    assert.equal(kind({ tracking: { status: 'credited' } }), 'succeeded')
    assert.equal(kind({}), 'processing')
    assert.equal(kind({ status: 'odd' }), 'unknown')
  })
})

describe('a settlement report', () => {
  const EUR = { amount: 25_00n, currency: 'EUR' }
  const HEADER =
    'Merchant Account,Psp Reference,Merchant Reference,Type,Creation Date,TimeZone,Gross Currency\n'

  it('is downloaded when Adyen announces it, and lists payments, refunds and fees of a day', async () => {
    const connection = world.connect(world.settings('card'))
    const [channel] = connection.channels
    const { tradeNo } = await paidOrder(world.database.db, {
      money: EUR,
      attempt: anAttempt(new Date(), { channel: 'adyen' }),
    })
    const request = cardRequest(EUR, { reference: attemptReference(tradeNo, 1) })
    const paid = await channel?.start(request)
    assert.equal(paid?.kind, 'succeeded')
    const refund = { amount: 5_00n, currency: 'EUR' }
    const asked = { ...request, channelRef: paid.channelRef, refundReference: makeReference(), refund }
    await channel?.refund(asked)
    world.adyen.closeBatch()
    await world.delivered()
    await connection.watcher?.work(AbortSignal.timeout(60_000))
    await connection.watcher?.work(AbortSignal.timeout(60_000))
    const day = new Date().toISOString().slice(0, 10)
    const statement = await connection.statement?.(day)
    const listed = statement?.kind === 'listed' ? statement.lines : []
    const [, refunded] = listed
    assert.match(refunded?.id ?? '', new RegExp(`^Refunded ${paid.channelRef} \\w+$`), "Adyen's own id")
    assert.deepEqual(listed, [
      { reference: request.reference, type: 'payment', money: EUR, fee: 12n },
      { id: refunded?.id, reference: asked.refundReference, type: 'refund', money: refund, fee: 0n },
    ])
    assert.deepEqual(await connection.statement?.('2020-01-01'), { kind: 'listed', lines: [] })
    const { stdout, stderr } = await reconcile(day)
    const { lines, matched, fees } = JSON.parse(stdout)
    assert.deepEqual(
      { lines, matched, fees },
      { lines: 2, matched: 1, fees: [{ currency: 'EUR', amount: '0.12' }] },
      stderr,
    )
  })

  /** Reconciles by `tollgate reconcile`, as an operator does. */
  async function reconcile(day: string) {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-adyen-'))
    const file = join(folder, 'channels.json')
    const { payoutKinds: _, ...entry } = world.settings('card')
    writeFileSync(file, JSON.stringify([entry]), { mode: 0o600 })
    const env = { DATABASE_URL: world.database.url, TOLLGATE_DATA_DIR: folder, TOLLGATE_CHANNELS: file }
    const ran = await runTollgate(['reconcile', '--channel', 'adyen', '--day', day, '--json'], env)
    rmSync(folder, { recursive: true })
    return ran
  }

  it("is downloaded when the one before is read, for each may be large, and a missing one is in nobody's way", async (t) => {
    let [open, most] = [0, 0]
    const proxy = await openFaultyProxy(world.url)
    t.after(() => proxy.close())
    proxy.meet(async (_, { path }) => {
      open += 1
      most = Math.max(most, open)
      await setTimeout(50)
      open -= 1
      return { status: path.includes('_702') ? 404 : 200, headers: {}, body: HEADER }
    })
    const names = [701, 702, 703, 704].map((batch) => `settlement_detail_report_batch_${batch}.csv`)
    for (const key of names)
      await world.store.write([{ add: { kind: 'report', key, body: { url: `${proxy.url}/${key}` } } }])
    const { watcher } = world.connect({ ...world.settings('card'), url: proxy.url })
    await assert.rejects(async () => watcher?.work(AbortSignal.timeout(60_000)), /responded 404/)
    assert.equal(most, 1)
    const records = await Promise.all(names.map((key) => world.store.find({ kind: 'report-read', key })))
    assert.deepEqual(
      records.map((record) => record?.body.done),
      ['read', undefined, 'read', 'read'],
    )
    await world.store.write(names.map((key) => ({ remove: { kind: 'report', key } })))
  })

  it('comes from a host of Adyen or of the channel, because its address is not signed', async () => {
    const own = new URL(world.url).origin
    const path = '/reports/download/settlement_detail_report_batch_9.csv'
    const good = [`https://ca-live.adyen.com${path}`, `${world.url}${path}`]
    const bad = [`http://ca-live.adyen.com${path}`, `https://adyen.com.evil.example${path}`, 'x', undefined]
    for (const url of good) assert.ok(reportAddress(url, own), url)
    for (const url of [...bad, `https://ca-live.adyen.com:8443${path}`, `https://x@evil.example${path}`])
      assert.equal(reportAddress(url, own), undefined, String(url))
    const secure = 'https://checkout.example'
    assert.ok(reportAddress(`${secure}${path}`, secure))
    assert.equal(reportAddress(`http://checkout.example${path}`, secure), undefined, 'the password in clear')
    const item = {
      eventCode: 'REPORT_AVAILABLE',
      success: true,
      pspReference: 'settlement_detail_report_batch_9.csv',
      merchantAccountCode: world.adyen.merchantAccount,
      merchantReference: '',
      amount: { value: 0, currency: 'EUR' },
      reason: 'http://127.0.0.1:1/settlement_detail_report_batch_9.csv',
    }
    const body = notification([item], world.adyen.hmacKey)
    const callback = { method: 'POST', path: '/', query: '', headers: {}, body }
    assert.equal((await world.channel('card').readCallback?.(callback))?.kind, 'accepted')
    await world.connect(world.settings('card')).watcher?.work(AbortSignal.timeout(60_000))
    const record = await world.store.find({ kind: 'report-read', key: item.pspReference })
    assert.equal(record?.body.done, 'its address is not at a host of Adyen')
    assert.match(world.alarmsAbout(item.pspReference).join(), /not at a host of Adyen/)
  })
})
