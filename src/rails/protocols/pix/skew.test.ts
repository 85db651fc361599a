// Tests a bank whose clock differs from ours by hours.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mountPix, type SandboxPix } from '../../../../sandbox/pix/mount.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import {
  type FaultyProxy,
  loseAnswer,
  openFaultyProxy,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { type Mounted, openMounted } from '../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { openStore } from '../../toolkit/records/store.ts'

const HOUR_MS = 3_600_000
const money = { amount: 12_50n, currency: 'BRL' }
const isToken = (path: string) => path.endsWith('/oauth/token')
const isSending = (path: string) => path.includes('/v3/gn/pix/') || path.endsWith('/banking/v2/pix')
/**
 * The sandbox's bank accepts a Pix and pays it a moment later. On a slow machine, the first query already finds it
 * paid.
 */
const TAKEN = /^(processing|succeeded)$/

for (const outgoing of ['efi', 'inter'])
  for (const ahead of [9, -9])
    describe(`${outgoing}, the bank's clock is ${ahead} hours ahead`, () => {
      let skewMs = ahead * HOUR_MS
      let bank: Mounted<SandboxPix>
      let proxy: FaultyProxy
      const seen: { path: string; body: string }[] = []
      const database = useDatabase({
        async before() {
          bank = await openMounted(mountPix, { clock: { now: () => new Date(Date.now() + skewMs) } })
          proxy = await openFaultyProxy(bank.url)
          watchCalls()
        },
        async after() {
          await proxy.close()
          await bank.close()
        },
      })

      function watchCalls(): void {
        proxy.meet(async (forward, { path, body }) => {
          seen.push({ path, body })
          return forward()
        })
      }

      function connect() {
        const storeOf = (name: string) => openStore({ db: database.db, clock: systemClock }, name)
        const methods = ['pix', 'payout_pix']
        const entry = { ...bank.entry, methods, protocol: 'pix', outgoing, url: `${proxy.url}/pix/v2` }
        const { channels, rail } = connectEntry(entry, toolsWith({ storeOf }))
        assert.ok(channels[0] !== undefined && rail !== undefined)
        return { channel: channels[0], rail }
      }

      const countTokens = () => seen.filter(({ path }) => isToken(path)).length
      const aPayout = () =>
        ({
          reference: makeReference(),
          kind: 'pix',
          money,
          beneficiary: { account: 'ana@example.com', details: {} },
        }) as const
      const countPaid = (reference: string) => bank.counterparty.outgoing.count(reference)

      test('a charge waits for its payer as long as we say, and the payment counts once', async () => {
        const { channel } = connect()
        const request = makeRequest({ method: 'pix', money }, 'pays')
        const started = await channel.start(request)
        assert.equal(started.kind, 'pending')
        const { body } = seen.find(({ path }) => path.includes('/cob/')) ?? assert.fail()
        const { expiracao } = JSON.parse(body).calendario
        const left = (request.expiresAt.getTime() - Date.now()) / 1000
        assert.ok(Math.abs(expiracao - left) < 60, `${expiracao} instead of ${left} seconds`)
        const sandbox = bank.counterparty.banks.get('pix') ?? assert.fail()
        const charge = sandbox.find(request.reference) ?? assert.fail()
        sandbox.pay(charge.id, { amount: money.amount.toString() })
        for (const outcome of [await channel.ask(request), await channel.cancel(request)]) {
          assert.ok(outcome.kind === 'received', outcome.kind)
          assert.equal(outcome.deposits.length, 1)
        }
        const refund = { ...request, refundReference: makeReference(), refund: money }
        const isRefunded = async () => (await channel.refund(refund)).kind === 'succeeded'
        assert.ok(await eventually(isRefunded))
      })

      test('a token is used for its life, and renewed once if the bank thinks that it is over', async () => {
        const { rail } = connect()
        const from = countTokens()
        const [first, second, third] = [aPayout(), aPayout(), aPayout()]
        for (const payout of [first, second]) assert.match((await rail.send(payout)).kind, TAKEN)
        assert.equal(countTokens() - from, 1)
        skewMs += 2 * HOUR_MS
        assert.match((await rail.send(third)).kind, TAKEN)
        assert.equal(countTokens() - from, 2)
        for (const { reference } of [first, second, third]) {
          const isPaid = async () => (await rail.ask(reference)).kind === 'succeeded'
          assert.ok(await eventually(isPaid))
          assert.equal(countPaid(reference), 1)
        }
        assert.equal(countTokens() - from, 2)
      })

      test('a payout whose response was lost is paid once, while the clock of the bank changes', async () => {
        const payout = aPayout()
        proxy.meet(loseAnswer, isSending)
        assert.equal((await connect().rail.send(payout)).kind, 'unknown')
        watchCalls()
        assert.ok(bank.counterparty.outgoing.find(payout.reference), 'the bank has it')
        for (const hours of [5, -20, 30]) {
          skewMs += hours * HOUR_MS
          const { kind } = await connect().rail.send(payout)
          assert.ok(kind === 'processing' || kind === 'succeeded', kind)
        }
        const isPaid = async () => (await connect().rail.ask(payout.reference)).kind === 'succeeded'
        assert.ok(await eventually(isPaid))
        assert.equal(countPaid(payout.reference), 1)
      })
    })
