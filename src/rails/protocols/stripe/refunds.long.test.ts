// Cases of refunds and disputes that the contract tests do not cover: lost and changed responses, and currencies whose
// decimals at Stripe are not those of ISO 4217.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { mountStripe } from '../../../../sandbox/stripe/mount.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import {
  change,
  type Fault,
  loseAnswer,
  loseRequest,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { openMounted } from '../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { Money } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import { openStore } from '../../toolkit/records/store.ts'

const { counterparty, entry, close } = await openMounted(mountStripe)
const { account, refunds, disputes } = counterparty
const proxy = await openFaultyProxy(String(entry.url))
const database = await cloneDatabase()
const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
const connect = (changes: Fields = {}, timeoutMs = 60_000, clock = systemClock) =>
  connectChannel({ ...entry, ...changes }, 'card', toolsWith({ timeoutMs, storeOf, clock }))
const channel = connect()
after(async () => {
  await proxy.close()
  await close()
  await database.drop()
})

const USD: Money = { amount: 1_250n, currency: 'USD' }
const HASTY_MS = 800
const HOUR_MS = 3_600_000

/** Makes a payment, and returns the request for its refund, by default of the whole amount. */
async function aRefund(money = USD, refund: Money = money): Promise<RefundRequest & { channelRef: string }> {
  const card = { number: '4242424242424242', expiryMonth: '4', expiryYear: '39', securityCode: '123' }
  const reference = `${makeId('A', 10_001, new Date())}1`
  const paid = await channel.start({ ...makeRequest({ method: 'card', money }, 'pays', reference), card })
  assert.equal(paid.kind, 'succeeded')
  const { channelRef } = paid
  return { reference, money, channelRef, refundReference: makeId('R', 10_001, new Date()), refund }
}

/** Makes the refund while the fault affects the calls that make or find refunds. */
function refundMeeting(asked: RefundRequest, fault: Fault, timeoutMs?: number): Promise<RefundOutcome> {
  proxy.meet(fault, (path) => path.includes('/refunds'))
  return connect({ url: proxy.url }, timeoutMs).refund(asked)
}

/** Limits the fault to the call that makes the refund. */
const onPost =
  (fault: Fault): Fault =>
  (forward, request) =>
    request.path.includes('?') ? forward() : fault(forward, request)

async function assertRefundedOnce(asked: RefundRequest & { channelRef: string }): Promise<void> {
  let outcome: RefundOutcome | undefined
  const isDone = async () => {
    outcome = await channel.refund(asked)
    return outcome.kind === 'succeeded'
  }
  assert.ok(await eventually(isDone))
  assert.deepEqual(outcome?.kind === 'succeeded' && outcome.money, asked.refund)
  assert.equal(refunds.listOf(asked.channelRef).length, 1)
}

describe('a refund at Stripe', () => {
  it('without a response is unknown, and is made once, whether it had arrived or not', async () => {
    for (const fault of [loseRequest, loseAnswer]) {
      const asked = await aRefund()
      const outcome = await refundMeeting(asked, onPost(fault), HASTY_MS)
      assert.equal(outcome.kind, 'unknown')
      assert.equal(refunds.listOf(asked.channelRef).length, fault === loseRequest ? 0 : 1)
      await assertRefundedOnce(asked)
    }
  })

  it('whose response an error replaced is unknown, and is made once', async () => {
    for (const status of [429, 500, 503]) {
      const asked = await aRefund()
      const replaced = change((answer) => ({ ...answer, status, headers: {}, body: '<html>' }))
      assert.equal((await refundMeeting(asked, onPost(replaced))).kind, 'unknown', String(status))
      assert.equal((await refundMeeting(asked, respond(status))).kind, 'unknown', String(status))
      await assertRefundedOnce(asked)
    }
  })

  it('is not made twice when the list of refunds is malformed', async () => {
    const asked = await aRefund()
    await channel.refund(asked)
    const cut = change((answer) => ({ ...answer, body: JSON.stringify({ object: 'list', has_more: false }) }))
    assert.equal((await refundMeeting(asked, cut)).kind, 'unknown')
    await assertRefundedOnce(asked)
  })

  it('is reported as Stripe has made it, for the caller to compare; what nobody has seen is unknown', async () => {
    const asked = await aRefund()
    await assertRefundedOnce(asked)
    const saying = (fields: Fields) =>
      refundMeeting(
        asked,
        change((answer) => {
          const list = JSON.parse(answer.body)
          return { ...answer, body: JSON.stringify({ ...list, data: [{ ...list.data[0], ...fields }] }) }
        }),
      )
    for (const [fields, money] of [
      [{ amount: 99 }, { amount: 99n, currency: 'USD' }],
      [{ currency: 'eur' }, { amount: 1_250n, currency: 'EUR' }],
    ] as const)
      assert.partialDeepStrictEqual(await saying(fields), { kind: 'succeeded', money })
    const odd = [{ status: 'mediation' }, { currency: 'xxx' }, { amount: 12.5 }, { amount: '1250' }]
    for (const fields of odd) assert.equal((await saying(fields)).kind, 'unknown', JSON.stringify(fields))
  })

  it('is unknown if Stripe answers about another one', async () => {
    const asked = await aRefund()
    const other = change((answer) => {
      const refund = { ...JSON.parse(answer.body), metadata: { refund: 'another' } }
      return { ...answer, body: JSON.stringify(refund) }
    })
    assert.equal((await refundMeeting(asked, onPost(other))).kind, 'unknown')
  })

  it('is made once, although our clock is an hour wrong', async () => {
    for (const ms of [-HOUR_MS, HOUR_MS]) {
      const asked = await aRefund()
      const { channelRef: _, ...unnamed } = asked
      const skewed = connect({}, undefined, { now: () => new Date(Date.now() + ms) })
      assert.equal((await skewed.refund(unnamed)).kind, 'pending')
      await assertRefundedOnce(asked)
    }
  })
})

describe('a currency with other decimals at Stripe', () => {
  const table: readonly (readonly [currency: string, ours: bigint, stripe: number])[] = [
    ['ISK', 1_250n, 125_000],
    ['JPY', 1_250n, 1_250],
    ['KWD', 12_500n, 12_500],
    ['USD', 1_250n, 1_250],
  ]
  for (const [currency, amount, stripe] of table)
    it(`is charged, refunded and disputed in full: ${currency}`, async () => {
      const asked = await aRefund({ amount, currency })
      const intent = account.findByOrder(asked.reference)
      assert.ok(intent)
      assert.deepEqual(
        { amount: intent.amount, currency: intent.currency },
        { amount: stripe, currency: currency.toLowerCase() },
      )
      await assertRefundedOnce(asked)
      assert.equal(refunds.listOf(asked.channelRef)[0]?.amount, stripe)
      const id = disputes.open(intent)
      const listed = await connect().disputes?.(new Date(0))
      assert.ok(listed?.kind === 'listed')
      const found = listed.list.find(({ disputeRef }) => disputeRef === id)
      assert.deepEqual(found?.money, { amount, currency })
    })
})

describe('the list of disputes', () => {
  it('is unknown, and loses nothing, while Stripe is busy, broken, silent or does not accept our key', async () => {
    const { reference } = await aRefund()
    const intent = account.findByOrder(reference)
    assert.ok(intent)
    const id = disputes.open(intent)
    const faults: readonly Fault[] = [respond(429), respond(500), respond(200, '{}'), loseAnswer, loseRequest]
    for (const fault of faults) {
      proxy.meet(fault)
      assert.equal((await connect({ url: proxy.url }, HASTY_MS).disputes?.(new Date(0)))?.kind, 'unknown')
    }
    const stranger = connect({ secretKey: 'sk_test_expired' })
    assert.equal((await stranger.disputes?.(new Date(0)))?.kind, 'unknown')
    const listed = await connect().disputes?.(new Date(0))
    assert.ok(listed?.kind === 'listed' && listed.list.some(({ disputeRef }) => disputeRef === id))
  })
})
