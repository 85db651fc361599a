// Tests what the contract tests do not cover: credentials, clocks, placeholders, lost refunds, payouts and webhooks.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { mountDlocal } from '../../../../sandbox/dlocal/mount.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../../test/counterparties/callback-receiver.ts'
import { connectChannel, connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { loseAnswer, openFaultyProxy } from '../../../../test/counterparties/faulty-proxy.ts'
import { decideOn, openMounted } from '../../../../test/counterparties/mounted.ts'
import { openScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { CallbackResult, StartRequest } from '../../contract/channel.ts'
import { openStore } from '../../toolkit/records/store.ts'

let now = () => new Date()
const clock = { now: () => now() }
const { counterparty, entry, close } = await openMounted(mountDlocal)
const database = await cloneDatabase()
const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
const tools = toolsWith({ clock, timeoutMs: 60_000, storeOf })
const channel = connectChannel(entry, 'pix', tools)
const { rail, check } = connectEntry(entry, tools)
assert.ok(rail)
const callbacks = await openCallbackReceiver()
const results: CallbackResult[] = []
callbacks.answerWith(async (callback) => {
  const result = await rail.readCallback?.(callback)
  assert.ok(result)
  results.push(result)
  return result.answer
})
const server = await openScriptedServer()
const scripted = { ...entry, url: server.url, payoutUrl: server.url }
after(async () => {
  await callbacks.close()
  await close()
  await server.close()
  await database.drop()
})

const money = { amount: 12_50n, currency: 'BRL' }
const bank = counterparty.banks.get('dlocal')
const accepted = () => results.filter((one) => one.kind === 'accepted')

function startRequest(): StartRequest {
  const personal = { socialSecurityNumber: '529.982.247-25' }
  const options = { method: 'pix', money, personal, details: { name: 'Ana Souza' } } as const
  return makeRequest(options, 'pays', makeReference(), callbacks.url)
}

async function pay() {
  const request = startRequest()
  const outcome = await channel.start(request)
  assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'redirect')
  await decideOn(outcome.action.url, 'approve')
  return { ...request, channelRef: outcome.channelRef }
}

describe('a request to dLocal', () => {
  it('is refused with wrong credentials, or by a clock that is an hour late; an older payment stays unknown', async () => {
    const wrong = connectChannel({ ...entry, secretKey: 'another' }, 'pix', tools)
    const late = connectChannel(entry, 'pix', {
      ...tools,
      clock: { now: () => new Date(Date.now() - 3_600_000) },
    })
    for (const one of [wrong, late]) {
      const outcome = await one.start(startRequest())
      assert.ok(outcome.kind === 'failed' && outcome.cause === 'unauthorised')
      assert.equal((await one.ask(startRequest())).kind, 'unknown')
    }
    const checked = await connectEntry({ ...entry, secretKey: 'another' }, tools).check(
      AbortSignal.timeout(60_000),
    )
    assert.match(checked.message, /secretKey.*clock/)
    assert.equal((await check(AbortSignal.timeout(60_000))).isRight, true)
  })

  it('is unknown if dLocal is busy, broken or talks nonsense, and failed for certain if nothing listens', async () => {
    const one = connectChannel(scripted, 'pix', tools)
    for (const status of [200, 400, 402, 404, 429, 500, 503])
      for (const body of ['', '<html>', 'null', '{"status":"PAID"}']) {
        server.answerWith(() => ({ status, body }))
        assert.equal((await one.start(startRequest())).kind, 'unknown', `${status} ${body}`)
        assert.equal((await one.ask(startRequest())).kind, 'unknown', `${status} ${body}`)
      }
    const nobody = connectChannel({ ...entry, url: 'http://127.0.0.1:1' }, 'pix', tools)
    const outcome = await nobody.start(startRequest())
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'unreachable')
  })
})

describe('a placeholder at dLocal', () => {
  it('that could not be cancelled is never shown to a payer, and cancelled by the next question', async () => {
    const { reference } = startRequest()
    const extra = { country: 'BR', id: 'PQ' }
    bank?.open({
      reference,
      amount: '1000',
      currency: 'BRL',
      returnUrl: '',
      callbackUrl: '',
      payee: '',
      extra,
    })
    const outcome = await channel.ask({ reference, money })
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'cancelled')
    assert.equal(bank?.find(reference)?.status, 'cancelled')
  })
})

describe('a refund at dLocal', () => {
  it('whose response is lost is never sent again', async () => {
    const one = connectChannel(scripted, 'pix', tools)
    server.answerWith(() => ({ status: 500 }))
    const before = server.requests.length
    const refund = { ...startRequest(), channelRef: 'D-4-1', refundReference: makeReference(), refund: money }
    assert.equal((await one.refund(refund)).kind, 'unknown')
    assert.equal((await one.refund(refund)).kind, 'pending')
    now = () => new Date(Date.now() + 120_000)
    assert.equal((await one.refund(refund)).kind, 'unknown')
    now = () => new Date()
    assert.equal(server.requests.length - before, 1)
  })

  it('whose response is lost is found by the notification about it, once', async () => {
    const proxy = await openFaultyProxy(String(entry.url))
    const noticed = { ...tools, callbackUrlOf: () => callbacks.url }
    const one = connectChannel({ ...entry, url: proxy.url }, 'pix', noticed)
    const paid = await pay()
    proxy.meet(loseAnswer, (path) => path.endsWith('/refunds'))
    const lost = { ...paid, refundReference: makeReference(), refund: { ...money, amount: 4_00n } }
    assert.equal((await one.refund(lost)).kind, 'unknown')
    // Another refund of the same amount, whose response was not lost.
    const known = { ...lost, refundReference: makeReference() }
    assert.equal((await channel.refund(known)).kind, 'pending')
    const reported = () => accepted().flatMap(({ refunds = [] }) => refunds)
    const isReported = () => reported().some((refund) => refund.refundReference === lost.refundReference)
    assert.ok(await eventually(async () => isReported()))
    for (const refund of [lost, known]) {
      const isDone = async () => (await one.refund(refund)).kind === 'succeeded'
      assert.ok(await eventually(isDone))
    }
    await proxy.close()
  })

  it('is sent later if dLocal certainly did not get it', async () => {
    const paid = await pay()
    const refund = { ...paid, refundReference: makeReference(), refund: money }
    const nobody = connectChannel({ ...entry, url: 'http://127.0.0.1:1' }, 'pix', tools)
    assert.equal((await nobody.refund(refund)).kind, 'unknown')
    assert.equal((await channel.refund(refund)).kind, 'pending')
  })
})

describe('an access token for payouts', () => {
  it('is renewed after three minutes, and when dLocal does not accept it any more', async () => {
    const { rail } = connectEntry(scripted, tools)
    const tokens: string[] = []
    let refused = ''
    server.answerWith(({ path, headers }) => {
      if (path === '/oauth/token') {
        tokens.push(`token-${tokens.length}`)
        return { status: 200, body: { access_token: tokens.at(-1), expires_in: 180 } }
      }
      const isRefused = headers.authorization === `Bearer ${refused}`
      return isRefused ? { status: 401, body: { code: 3001 } } : { status: 404, body: { code: 4000 } }
    })
    const ask = async () => assert.equal((await rail?.ask('P1'))?.kind, 'absent')
    await ask()
    await ask()
    assert.deepEqual(tokens, ['token-0'])
    refused = 'token-0'
    await ask()
    assert.deepEqual(tokens, ['token-0', 'token-1'])
    now = () => new Date(Date.now() + 181_000)
    await ask()
    now = () => new Date()
    assert.equal(tokens.length, 3)
  })
})

describe('a payout that dLocal refuses and does not know', () => {
  it('has failed, unless dLocal refuses it because it has it already', async () => {
    const { rail } = connectEntry(scripted, tools)
    const beneficiary = { account: '032180000118359719', details: { benFirstName: 'Eva' } }
    const request = { kind: 'spei', money: { amount: 5_000n, currency: 'MXN' }, beneficiary } as const
    for (const [code, kind] of [
      [5007, 'failed'],
      [5009, 'unknown'],
    ] as const) {
      server.answerWith(({ method, path }) => {
        if (path === '/oauth/token') return { status: 200, body: { access_token: 'token', expires_in: 180 } }
        return method === 'POST' ? { status: 400, body: { code } } : { status: 404, body: { code: 4000 } }
      })
      assert.equal((await rail?.send({ ...request, reference: makeReference() }))?.kind, kind)
    }
  })
})

describe('notifications of dLocal', () => {
  it('report what they are about if their signature is right, and are refused otherwise', async () => {
    const { reference } = await pay()
    const isReported = () =>
      accepted().some(({ reports }) => reports.some((one) => one.reference === reference))
    assert.ok(await eventually(async () => isReported()))
    const [callback] = callbacks.received()
    assert.ok(callback)
    const headers = { ...callback.headers, authorization: 'V2-HMAC-SHA256, Signature: 00' }
    assert.equal((await channel.readCallback?.({ ...callback, headers }))?.kind, 'refused')
    assert.equal((await channel.readCallback?.({ ...callback, headers: {} }))?.kind, 'refused')
  })
})

describe('settings of dLocal', () => {
  it('are refused with one sentence that names the channel and the setting, and quotes no secret', () => {
    for (const name of [
      'url',
      'login',
      'transKey',
      'secretKey',
      'payoutUrl',
      'payoutClientId',
      'payoutClientSecret',
    ])
      assert.throws(
        () => connectEntry({ ...entry, [name]: '' }, tools),
        (error: Error) =>
          error.message.includes(`dlocal: "${name}"`) && !error.message.includes(String(entry.secretKey)),
      )
    assert.throws(() => connectEntry({ ...entry, payoutPurpose: 'gift!' }, tools), /payoutPurpose/)
    for (const bankCodes of [
      '203',
      ['203'],
      { 'Vietcom Bank': '203' },
      { BFTVVNVX: 203 },
      { BFTVVNVX: 'BFTVVNVX' },
    ])
      assert.throws(() => connectEntry({ ...entry, bankCodes }, tools), /dlocal: "bankCodes" must map BICs/)
    for (const methods of [['card'], ['pix', 'payout_card']])
      assert.throws(() => connectEntry({ ...entry, methods }, tools), /serves per_transfer/)
    const payIn = { ...entry, methods: ['pix'], payoutUrl: undefined }
    assert.equal(connectEntry(payIn, tools).rail, undefined)
  })
})
