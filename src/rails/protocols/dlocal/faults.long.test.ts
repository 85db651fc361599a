// Tests cases of refunds and payouts that the contract tests do not cover: changed responses, lost requests, clocks,
// secrets, and currencies with other decimals.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { mountDlocal } from '../../../../sandbox/dlocal/mount.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import {
  change,
  type Fault,
  loseAnswer,
  loseRequest,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { decideOn, openMounted } from '../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { Money } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { RefundRequest } from '../../contract/channel.ts'
import type { PayoutRequest } from '../../contract/payout-rail.ts'
import { openStore } from '../../toolkit/records/store.ts'

const { counterparty, entry, close } = await openMounted(mountDlocal)
const proxy = await openFaultyProxy(String(entry.url))
const payoutProxy = await openFaultyProxy(String(entry.payoutUrl))
const database = await cloneDatabase()
const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
after(async () => {
  await proxy.close()
  await payoutProxy.close()
  await close()
  await database.drop()
})

function connect(changes: Fields = {}, timeoutMs = 60_000, clock = systemClock) {
  const { channels, rail } = connectEntry({ ...entry, ...changes }, toolsWith({ timeoutMs, storeOf, clock }))
  const channel = channels.find((one) => one.method === 'pix')
  assert.ok(channel && rail)
  return { channel, rail }
}

const BRL: Money = { amount: 12_50n, currency: 'BRL' }
const HASTY_MS = 800
const HOUR_MS = 3_600_000
const skewed = (ms: number) => ({ now: () => new Date(Date.now() + ms) })
const saying = (fields: Fields): Fault =>
  change((answer) => ({ ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...fields }) }))

/** Makes a payment, and returns a request to refund it. */
async function aRefund(): Promise<RefundRequest> {
  const personal = { socialSecurityNumber: '529.982.247-25' }
  const details = { name: 'Ana Souza' }
  const request = makeRequest({ method: 'pix', money: BRL, personal, details }, 'pays')
  const outcome = await connect().channel.start(request)
  assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'redirect')
  await decideOn(outcome.action.url, 'approve')
  const { reference } = request
  return {
    reference,
    money: BRL,
    channelRef: outcome.channelRef,
    refundReference: makeReference(),
    refund: BRL,
  }
}

async function assertRefunded(asked: RefundRequest): Promise<void> {
  const { channel } = connect()
  const refund = async () => {
    const outcome = await channel.refund(asked)
    return outcome.kind === 'succeeded' ? outcome.money : undefined
  }
  assert.ok(await eventually(async () => (await refund()) !== undefined))
  assert.deepEqual(await refund(), asked.refund)
}

describe('a refund at dLocal', () => {
  it('is reported as dLocal has made it, for the caller to compare; what nobody has seen is unknown', async () => {
    const asked = await aRefund()
    await assertRefunded(asked)
    const { channel } = connect({ url: proxy.url })
    const refund = (fields: Fields) => {
      proxy.meet(saying(fields), (path) => path.includes('/refunds/'))
      return channel.refund(asked)
    }
    for (const [fields, money] of [
      [{ amount: 0.99 }, { amount: 99n, currency: 'BRL' }],
      [{ currency: 'MXN' }, { amount: 12_50n, currency: 'MXN' }],
    ] as const)
      assert.partialDeepStrictEqual(await refund(fields), { kind: 'succeeded', money })
    const odd = [{ status: 'MEDIATION' }, { currency: 'XXX' }, { amount: 12.345 }, { amount: '12.50' }]
    for (const fields of odd) assert.equal((await refund(fields)).kind, 'unknown', JSON.stringify(fields))
  })

  it('is unknown if dLocal answers about another one', async () => {
    const asked = await aRefund()
    await assertRefunded(asked)
    proxy.meet(saying({ id: 'REF-another' }), (path) => path.includes('/refunds/'))
    assert.equal((await connect({ url: proxy.url }).channel.refund(asked)).kind, 'unknown')
  })

  it('that never arrived is not known to have failed, and is not sent again', async () => {
    const asked = await aRefund()
    proxy.meet(loseRequest, (path) => path.endsWith('/refunds'))
    const { channel } = connect({ url: proxy.url }, HASTY_MS)
    assert.equal((await channel.refund(asked)).kind, 'unknown')
    let sent = 0
    proxy.meet(
      async (forward) => {
        sent += 1
        return forward()
      },
      (path) => path.endsWith('/refunds'),
    )
    assert.notEqual((await channel.refund(asked)).kind, 'failed')
    assert.equal(sent, 0)
  })

  it('is made once with a clock that is wrong, or once it is right', async () => {
    for (const ms of [-HOUR_MS, HOUR_MS]) {
      const asked = await aRefund()
      const outcome = await connect({}, undefined, skewed(ms)).channel.refund(asked)
      assert.ok(outcome.kind === 'unknown' || outcome.kind === 'pending', outcome.kind)
      await assertRefunded(asked)
    }
  })
})

function aPayout(changes: Partial<PayoutRequest> = {}): PayoutRequest {
  const details = { benFirstName: 'Eva', benLastName: 'Paz' }
  return {
    reference: makeReference(),
    kind: 'spei',
    money: { amount: 5_000n, currency: 'MXN' },
    beneficiary: { account: '032180000118359719', details },
    ...changes,
  }
}

const isPayout = (path: string) => path.includes('/payouts/v3')

describe('a payout by dLocal', () => {
  it('is paid once, although our clock is an hour wrong', async () => {
    for (const ms of [-HOUR_MS, HOUR_MS]) {
      const request = aPayout()
      const { rail } = connect({}, undefined, skewed(ms))
      assert.equal((await rail.send(request)).kind, 'processing')
      assert.equal((await rail.send(request)).kind, 'processing')
      const isPaid = async () => (await rail.ask(request.reference)).kind === 'succeeded'
      assert.ok(await eventually(isPaid))
    }
  })

  it('that dLocal took is not failed by a refusal to repeat it, whatever its code, while dLocal does not list it', async () => {
    const request = aPayout()
    const { rail } = connect({ payoutUrl: payoutProxy.url })
    payoutProxy.meet(loseAnswer, (path) => path.endsWith('/payouts/v3'))
    assert.equal((await rail.send(request)).kind, 'unknown')
    const refuses = (code: number) => respond(code === 4000 ? 404 : 400, JSON.stringify({ code }))
    payoutProxy.meet((forward, asked) => {
      const isQuestion = asked.path.includes('external_id')
      return (isQuestion ? refuses(4000) : refuses(217))(forward, asked)
    }, isPayout)
    assert.deepEqual(await rail.ask(request.reference), { kind: 'absent' })
    for (const _again of [1, 2]) assert.equal((await rail.send(request)).kind, 'unknown')
    payoutProxy.meet(undefined)
    assert.ok(await eventually(async () => (await rail.ask(request.reference)).kind === 'succeeded'))
  })

  it('is not known to have failed after a foreign 401, which dLocal may not have written, whatever follows', async () => {
    const page = change((answer) => ({ ...answer, status: 401, body: '<html>sign in</html>' }))
    const json = change((answer) => ({ ...answer, status: 401, body: '{"message":"Unauthorized"}' }))
    for (const foreign of [page, json])
      for (const later of [respond(503), respond(401), loseAnswer]) {
        const request = aPayout()
        const { rail } = connect({ payoutUrl: payoutProxy.url }, HASTY_MS)
        let isSent = false
        payoutProxy.meet((forward, asked) => {
          if (isSent) return later(forward, asked)
          isSent = asked.path.endsWith('/payouts/v3')
          return isSent ? foreign(forward, asked) : forward()
        })
        assert.equal((await rail.send(request)).kind, 'unknown')
        payoutProxy.meet(undefined)
        assert.ok(await eventually(async () => (await rail.ask(request.reference)).kind === 'succeeded'))
      }
  })

  it("has failed if dLocal's own 401 is followed by no token", async () => {
    const { rail } = connect({ payoutUrl: payoutProxy.url })
    let isSent = false
    payoutProxy.meet((forward, asked) => {
      if (isSent) return respond(503)(forward, asked)
      isSent = asked.path.endsWith('/payouts/v3')
      return isSent ? respond(401, '{"code":3001}')(forward, asked) : forward()
    })
    assert.partialDeepStrictEqual(await rail.send(aPayout()), { kind: 'failed', cause: 'unreachable' })
    payoutProxy.meet(undefined)
  })

  it('is failed by a refusal if no earlier call was let in', async () => {
    const request = aPayout({ money: { amount: 2n, currency: 'MXN' } })
    const { rail } = connect({ payoutUrl: payoutProxy.url })
    payoutProxy.meet(respond(403, '{"code":3001}'), isPayout)
    assert.partialDeepStrictEqual(await rail.send(request), { kind: 'failed', cause: 'unauthorised' })
    payoutProxy.meet(undefined)
    for (const _again of [1, 2])
      assert.partialDeepStrictEqual(await rail.send(request), { kind: 'failed', cause: 'refused' })
  })

  it('is sent with the decimals of its currency, and comes back with them', async () => {
    const details = { benFirstName: 'An', benLastName: 'Tran', countryCode: 'VN', bankCode: 'BFTVVNVX' }
    const request = aPayout({
      kind: 'bank_account',
      money: { amount: 320_000n, currency: 'VND' },
      beneficiary: { account: '0123456789', details },
    })
    const { rail } = connect({ payoutKinds: ['bank_account'], bankCodes: { BFTVVNVX: '203' } })
    assert.equal((await rail.send(request)).kind, 'processing')
    assert.equal(counterparty.payouts.find(request.reference)?.amount, 320_000)
    const paid = async () => {
      const outcome = await rail.ask(request.reference)
      return outcome.kind === 'succeeded' ? outcome.money : undefined
    }
    assert.ok(await eventually(async () => (await paid()) !== undefined))
    assert.deepEqual(await paid(), request.money)
  })

  it('shows no secret in an outcome, whatever comes back', async () => {
    const faults = [respond(401), respond(429), respond(500), respond(200, '{}'), loseRequest, undefined]
    const seen: unknown[] = []
    for (const fault of faults) {
      payoutProxy.meet(fault)
      const wrong = {
        payoutUrl: payoutProxy.url,
        ...(fault === undefined && { payoutClientSecret: 'expired' }),
      }
      const { rail } = connect(wrong, HASTY_MS)
      seen.push(await rail.send(aPayout()), await rail.ask(makeReference()))
    }
    const text = JSON.stringify(seen)
    const secrets = [entry.payoutClientSecret, entry.secretKey, entry.transKey, 'expired']
    for (const secret of secrets) assert.ok(typeof secret === 'string' && !text.includes(secret))
  })
})
