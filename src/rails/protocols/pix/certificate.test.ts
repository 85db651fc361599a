// Tests an expired certificate of ours. No request reaches the bank, no open payment or payout ends, and the check
// tells an operator the reason.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { mountPix, type SandboxPix } from '../../../../sandbox/pix/mount.ts'
import { expired, selfSigned } from '../../../../test/builders/self-signed.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { openFaultyProxy } from '../../../../test/counterparties/faulty-proxy.ts'
import { openHostileServer } from '../../../../test/counterparties/hostile-server.ts'
import { type Mounted, openMounted } from '../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import {
  ALERT_CIPHER,
  alertRecord,
  CERTIFICATE_EXPIRED,
  TICKETS,
} from '../../../../test/harness/tls-alert.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { kindOf } from '../../routing/health.ts'
import { createPayoutRouting, registerPayoutRails } from '../../routing/payout-routing.ts'
import { createRouting, registerChannels } from '../../routing/routing.ts'
import { openStore } from '../../toolkit/records/store.ts'

const money = { amount: 12_50n, currency: 'BRL' }
const beneficiary = { account: 'ana@example.com', details: {} }
const TRIES = 5
const EXPIRED = /certificate.* expired on 2021-01-01/

let bank: Mounted<SandboxPix>
const database = useDatabase({
  async before() {
    bank = await openMounted(mountPix)
  },
  after: () => bank.close(),
})

function connect(outgoing: string, changes: object, ours: typeof expired) {
  const storeOf = (name: string) => openStore({ db: database.db, clock: systemClock }, name)
  const { cert: clientCertificate, key: clientKey } = ours
  const tls = { ca: selfSigned.cert, clientCertificate, clientKey }
  const methods = ['pix', 'payout_pix']
  const entry = { ...bank.entry, ...tls, methods, protocol: 'pix', outgoing, ...changes }
  const connection = connectEntry(entry, toolsWith({ storeOf, timeoutMs: 5_000 }))
  const { rail, channels } = connection
  assert.ok(rail !== undefined && channels[0] !== undefined)
  return { ...connection, rail, channel: channels[0] }
}

const aPayment = () => makeRequest({ method: 'pix', money }, 'pays')
const aPayout = () => ({ reference: makeReference(), kind: 'pix', money, beneficiary }) as const

/** Opens a proxy before the bank. The proxy's TLS requires our certificate. */
async function guarded(t: TestContext, version: 'TLSv1.2' | 'TLSv1.3') {
  const limits = { minVersion: version, maxVersion: version }
  const trusted = [selfSigned.cert, expired.cert]
  const tls = { ...selfSigned, ...limits, ca: trusted, requestCert: true, rejectUnauthorized: true }
  const front = await openFaultyProxy(bank.url, tls)
  t.after(() => front.close())
  return { front, at: { url: `${front.url}/pix/v2` } }
}

for (const outgoing of ['efi', 'inter'])
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
    describe(`${outgoing}, ${version}, an expired certificate`, () => {
      test('payments and payouts are not sent, and the circuit breaker of the channel opens', async (t) => {
        const { front, at } = await guarded(t, version)
        const { channel, rail } = connect(outgoing, at, expired)
        const routing = createRouting({ channels: registerChannels([channel]), clock: systemClock })
        const payoutRouting = createPayoutRouting({ rails: registerPayoutRails([rail]), clock: systemClock })
        for (let tries = 0; tries < TRIES; tries++) {
          const started = await channel.start(aPayment())
          assert.ok(started.kind === 'failed' && started.cause === 'unreachable', started.kind)
          assert.equal(kindOf(started), 'failed')
          routing.opened(channel, started, 1)
          const sent = await rail.send(aPayout())
          assert.ok(sent.kind === 'failed' && sent.cause === 'unreachable', sent.kind)
          payoutRouting.called(rail, sent, 1)
        }
        assert.deepEqual(
          { payments: routing.openBreakers(), payouts: payoutRouting.openBreakers() },
          { payments: ['pix'], payouts: ['pix'] },
        )
        assert.deepEqual(front.certificates(), [])
      })

      test('ends nothing at the bank, and a new certificate finishes it', async (t) => {
        const { front, at } = await guarded(t, version)
        const [payment, payout] = [aPayment(), aPayout()]
        const good = connect(outgoing, at, selfSigned)
        assert.equal((await good.channel.start(payment)).kind, 'pending')
        // At Inter, the gateway queries the Pix right after it was sent. On a slow machine, the Pix is then already
        // paid.
        assert.match((await good.rail.send(payout)).kind, /^(processing|succeeded)$/)
        const seen = front.certificates().length
        const old = connect(outgoing, at, expired)
        for (const asked of [
          await old.channel.ask(payment),
          await old.channel.cancel(payment),
          await old.rail.ask(payout.reference),
        ])
          assert.equal(asked.kind, 'unknown')
        assert.equal(front.certificates().length, seen)
        assert.equal((await good.channel.ask(payment)).kind, 'pending')
        const isPaid = async () => (await good.rail.ask(payout.reference)).kind === 'succeeded'
        assert.ok(await eventually(isPaid))
        assert.equal(bank.counterparty.outgoing.count(payout.reference), 1)
      })

      test('while the token is still good, the bank gets nothing, and a repetition pays once', async (t) => {
        const { front, at } = await guarded(t, version)
        const { channel, rail } = connect(
          outgoing,
          { ...at, tokenUrl: `${bank.url}/pix/v2/oauth/token` },
          expired,
        )
        const [payment, payout] = [aPayment(), aPayout()]
        const started = await channel.start(payment)
        const sent = await rail.send(payout)
        // In TLS 1.3, the gateway sends its request before the bank closes the connection. So it cannot know whether
        // the bank read the request.
        for (const outcome of [started, sent])
          if (version === 'TLSv1.3') assert.equal(outcome.kind, 'unknown')
          else assert.ok(outcome.kind === 'failed' && outcome.cause === 'unreachable', outcome.kind)
        assert.deepEqual(front.certificates(), [])
        const good = connect(outgoing, at, selfSigned)
        await good.rail.send(payout)
        const isPaid = async () => (await good.rail.ask(payout.reference)).kind === 'succeeded'
        assert.ok(await eventually(isPaid))
        assert.equal(bank.counterparty.outgoing.count(payout.reference), 1)
        const asked = await good.channel.ask(payment)
        assert.ok(asked.kind === 'failed' && asked.cause === 'cancelled', asked.kind)
      })

      test('is named by the check of the channel, which knows its date', async (t) => {
        const { at } = await guarded(t, version)
        const checked = await connect(outgoing, at, expired).check(AbortSignal.timeout(10_000))
        assert.equal(checked.isRight, false)
        assert.match(checked.message, EXPIRED)
        const good = await connect(outgoing, at, selfSigned).check(AbortSignal.timeout(10_000))
        assert.deepEqual(
          { isRight: good.isRight, warns: /certificate/.test(good.message) },
          { isRight: true, warns: false },
          good.message,
        )
      })
    })

test('a bank that does not mind is right, and the check says all the same that the certificate expired', async () => {
  const { isRight, message } = await connect('efi', {}, expired).check(AbortSignal.timeout(10_000))
  assert.equal(isRight, true, message)
  assert.match(message, EXPIRED)
})

test('a bank that names the reason: nothing was sent, and the check repeats it', async (t) => {
  const url = await openRefusing(t)
  const tokenUrl = `${bank.url}/pix/v2/oauth/token`
  const { channel, rail, check } = connect('efi', { url: `${url}/pix/v2`, tokenUrl }, expired)
  for (const outcome of [await channel.start(aPayment()), await rail.send(aPayout())])
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'unreachable', outcome.kind)
  const { isRight, message } = await check(AbortSignal.timeout(10_000))
  assert.equal(isRight, false)
  assert.match(message, /the counterparty says that our certificate has expired/)
})

/**
 * Opens a server that sends a TLS alert with the reason. Node.js's own servers close a connection without this alert.
 */
async function openRefusing(t: TestContext): Promise<string> {
  const tls = { ...selfSigned, minVersion: 'TLSv1.3', ciphers: ALERT_CIPHER, requestCert: true } as const
  const server = await openHostileServer(
    t,
    // The delay lets the server send its session tickets first, because the alert must follow them.
    ({ line, secret }) =>
      void setTimeout(() => line.write(alertRecord(secret, TICKETS, CERTIFICATE_EXPIRED)), 20),
    { ...tls, rejectUnauthorized: false },
  )
  return server.url.origin
}
