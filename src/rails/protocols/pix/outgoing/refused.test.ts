// Tests a Pix that a bank refuses. The refusal fails the payout only if no earlier call can have reached the bank.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mountPix, type SandboxPix } from '../../../../../sandbox/pix/mount.ts'
import { makeReference } from '../../../../../test/contracts/channel-driver.ts'
import { connectEntry, toolsWith } from '../../../../../test/counterparties/connect-entry.ts'
import {
  type FaultyProxy,
  loseAnswer,
  openFaultyProxy,
  respond,
} from '../../../../../test/counterparties/faulty-proxy.ts'
import { type Mounted, openMounted } from '../../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../../test/harness/harness.ts'
import { systemClock } from '../../../../platform/base/clock.ts'
import type { PayoutRail } from '../../../contract/payout-rail.ts'
import { openStore } from '../../../toolkit/records/store.ts'

let bank: Mounted<SandboxPix>
let proxy: FaultyProxy
const database = useDatabase({
  async before() {
    bank = await openMounted(mountPix)
    proxy = await openFaultyProxy(bank.url)
  },
  async after() {
    await proxy.close()
    await bank.close()
  },
})

function railAt(url: string, clock = systemClock, outgoing = 'inter'): PayoutRail {
  const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
  const at = { url: `${url}/pix/v2`, methods: ['payout_pix'], protocol: 'pix', outgoing }
  const tools = toolsWith({ clock, timeoutMs: 60_000, storeOf, callbackUrlOf: () => 'http://127.0.0.1:1/' })
  const { rail } = connectEntry({ ...bank.entry, ...at }, tools)
  assert.ok(rail)
  return rail
}

function aPayout() {
  const money = { amount: 1_000n, currency: 'BRL' }
  const beneficiary = { account: 'ana@example.com', details: {} }
  return { reference: makeReference(), kind: 'pix', money, beneficiary } as const
}

const isPix = (path: string) => path.includes('/banking/')
const refuses = respond(400, '{"title":"Pagamento em duplicidade","detail":"Pagamento em duplicidade"}')

describe('a Pix that Inter refuses', () => {
  it('is unknown if an earlier call may have been accepted, and found when the bank answers', async () => {
    const request = aPayout()
    const rail = railAt(proxy.url)
    proxy.meet(loseAnswer, isPix)
    assert.equal((await rail.send(request)).kind, 'unknown')
    proxy.meet(refuses, isPix)
    for (const again of [() => rail.send(request), () => rail.ask(request.reference)]) {
      const outcome = await again()
      assert.ok(outcome.kind === 'unknown' && /statement/.test(outcome.why))
    }
    proxy.meet(undefined)
    assert.ok(await eventually(async () => (await rail.ask(request.reference)).kind === 'succeeded'))
    assert.equal(bank.counterparty.outgoing.count(request.reference), 1)
  })

  it('is not sent again after a day without an answer: the bank may have forgotten its key', async () => {
    const request = aPayout()
    let day = 0
    let calls = 0
    const rail = railAt(proxy.url, { now: () => new Date(Date.now() + day * 86_400_000) })
    proxy.meet(async () => {
      calls += 1
      return 'break'
    }, isPix)
    assert.equal((await rail.send(request)).kind, 'unknown')
    day = 0.9
    assert.equal((await rail.ask(request.reference)).kind, 'unknown')
    assert.equal(calls, 2)
    day = 1.1
    for (const again of [() => rail.send(request), () => rail.ask(request.reference)]) {
      const outcome = await again()
      assert.ok(outcome.kind === 'unknown' && /by hand/.test(outcome.why))
    }
    assert.equal(calls, 2)
    proxy.meet(undefined)
    assert.equal((await rail.ask(request.reference)).kind, 'unknown')
    assert.equal(bank.counterparty.outgoing.count(request.reference), 0)
  })

  it('is failed if no earlier call reached the bank, or none was let in', async () => {
    const request = aPayout()
    proxy.meet(respond(403, '{}'), isPix)
    const rail = railAt(proxy.url)
    const unauthorised = await rail.send(request)
    assert.ok(unauthorised.kind === 'failed' && unauthorised.cause === 'unauthorised')
    proxy.meet(refuses, isPix)
    const refused = await rail.send(request)
    assert.ok(refused.kind === 'failed' && refused.cause === 'refused')
    assert.deepEqual(await rail.ask(request.reference), { kind: 'absent' })
  })
})

describe('a Pix that Efí refuses', () => {
  const isEnvio = (path: string) => path.includes('/gn/')

  it('is unknown if an earlier call may have been accepted, and found once the bank lists it', async () => {
    const request = aPayout()
    const rail = railAt(proxy.url, systemClock, 'efi')
    proxy.meet(loseAnswer, isEnvio)
    assert.equal((await rail.send(request)).kind, 'unknown')
    // The bank will refuse the id as taken, but does not list the Pix yet.
    proxy.meet(respond(404, '{"nome":"nao_encontrado"}'), (path) => path.includes('/enviados/'))
    assert.deepEqual(await rail.ask(request.reference), { kind: 'absent' })
    assert.equal((await rail.send(request)).kind, 'unknown')
    let calls = 0
    proxy.meet(async () => {
      calls += 1
      return 'break'
    }, isEnvio)
    const stopped = await rail.send(request)
    assert.ok(stopped.kind === 'unknown' && /by hand/.test(stopped.why))
    assert.equal(calls, 0, 'the operator decides, so it is not sent any more')
    proxy.meet(undefined)
    assert.ok(await eventually(async () => (await rail.ask(request.reference)).kind === 'succeeded'))
    assert.equal(bank.counterparty.outgoing.count(request.reference), 1)
  })

  it('is failed if no earlier call reached the bank, or none was let in', async () => {
    const request = aPayout()
    const rail = railAt(proxy.url, systemClock, 'efi')
    proxy.meet(respond(403, '{}'), isEnvio)
    assert.partialDeepStrictEqual(await rail.send(request), { kind: 'failed', cause: 'unauthorised' })
    proxy.meet(respond(400, '{"nome":"valor_invalido"}'), (path) => path.includes('/v3/gn/'))
    for (const _again of [1, 2])
      assert.partialDeepStrictEqual(await rail.send(request), { kind: 'failed', cause: 'refused' })
  })
})

for (const outgoing of ['inter', 'efi'])
  describe(`a Pix by ${outgoing} and a token that cannot be had`, () => {
    const isToken = (path: string) => path.endsWith('/oauth/token')
    const isSending = (path: string) => path.includes('/banking/') || path.includes('/gn/')

    it('is failed, because nothing was sent, and sent once the secret is right', async () => {
      for (const status of [400, 401]) {
        const request = aPayout()
        const rail = railAt(proxy.url, systemClock, outgoing)
        proxy.meet(respond(status, '{"error":"invalid_client"}'), isToken)
        assert.partialDeepStrictEqual(await rail.send(request), { kind: 'failed', cause: 'unauthorised' })
        proxy.meet(undefined)
        await rail.send(request)
        assert.ok(await eventually(async () => (await rail.ask(request.reference)).kind === 'succeeded'))
      }
    })

    it('is unknown if the bank took it before something on the way answered 401', async () => {
      for (const token of [respond(503), respond(401, '{}'), async () => 'break' as const]) {
        const request = aPayout()
        const rail = railAt(proxy.url, systemClock, outgoing)
        let hasToken = false
        proxy.meet(
          async (forward, sent) => {
            if (isToken(sent.path) && hasToken) return token(forward, sent)
            const answer = await forward()
            if (isToken(sent.path)) hasToken = true
            return isToken(sent.path) ? answer : { ...answer, status: 401, body: '<html>Sign in</html>' }
          },
          (path) => isToken(path) || isSending(path),
        )
        assert.equal((await rail.send(request)).kind, 'unknown')
        proxy.meet(undefined)
        assert.ok(await eventually(async () => (await rail.ask(request.reference)).kind === 'succeeded'))
        assert.equal(bank.counterparty.outgoing.count(request.reference), 1)
      }
    })
  })
