// Payouts that come back after they were paid, while no message about that arrives: of each rail that is asked by our reference.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mountDlocal } from '../../../sandbox/dlocal/mount.ts'
import { mountPix } from '../../../sandbox/pix/mount.ts'
import type { ChannelEntry } from '../../../sandbox/place.ts'
import { mountStp } from '../../../sandbox/stp/mount.ts'
import { makeReference } from '../../../test/channel-driver.ts'
import { connectEntry, toolsWith } from '../../../test/connect-entry.ts'
import { eventually } from '../../../test/eventually.ts'
import { openFaultyProxy, respond } from '../../../test/faulty-proxy.ts'
import { cloneDatabase } from '../../../test/harness.ts'
import { openMounted } from '../../../test/mounted.ts'
import { claimAsked } from '../asks.ts'
import { openStore } from '../open-store.ts'
import type { PayoutRequest } from './contract.ts'
import { joinWatchers } from './paid-payouts.ts'

const DAY_MS = 86_400_000

type Rail = {
  readonly url: string
  readonly entry: (url: string) => ChannelEntry
  readonly request: Pick<PayoutRequest, 'kind' | 'money' | 'beneficiary'>
  readonly isAbout: (path: string) => boolean
  giveBack(reference: string): void
  close(): Promise<void>
}

type Clock = { now(): Date }

const spei = {
  kind: 'spei',
  money: { amount: 50_00n, currency: 'MXN' },
  beneficiary: { account: '032180000118359719', details: { benFirstName: 'Eva', benLastName: 'Paz' } },
} as const
const pix = {
  kind: 'pix',
  money: { amount: 10_00n, currency: 'BRL' },
  beneficiary: { account: 'ana@example.com', details: {} },
} as const

const pixOf =
  (outgoing: string) =>
  async (clock: Clock): Promise<Rail> => {
    const { counterparty, entry, url, close } = await openMounted(mountPix, { clock })
    const own = { methods: ['payout_pix'], protocol: 'pix', outgoing }
    return {
      url,
      entry: (at) => ({ ...entry, ...own, url: `${at}/pix/v2` }),
      request: pix,
      isAbout: (path) => path.includes('/gn/') || path.includes('/banking/'),
      giveBack: (reference) => counterparty.outgoing.giveBack(reference),
      close,
    }
  }

const rails: Readonly<Record<string, (clock: Clock) => Promise<Rail>>> = {
  Inter: pixOf('inter'),
  Efí: pixOf('efi'),
  async STP(clock) {
    const { counterparty, entry, url, close } = await openMounted(mountStp, { clock })
    return {
      url: `${url}/stp`,
      entry: (at) => ({ ...entry, methods: ['payout_spei'], url: at }),
      request: spei,
      isAbout: (path) => path.includes('consOrdEnvRastreo'),
      giveBack: (reference) => counterparty.giveBack(reference),
      close,
    }
  },
  async dLocal(clock) {
    const { counterparty, entry, close } = await openMounted(mountDlocal, { clock })
    return {
      url: String(entry.payoutUrl),
      entry: (payoutUrl) => ({ ...entry, payoutUrl }),
      request: spei,
      isAbout: (path) => path.includes('external_id'),
      giveBack: (reference) => counterparty.payouts.giveBack(reference),
      close,
    }
  },
}

for (const [name, open] of Object.entries(rails))
  describe(`a payout that ${name} has paid`, () => {
    it('is asked about again, and found when it comes back without a message', async (test) => {
      let days = 0
      const clock = { now: () => new Date(Date.now() + days * DAY_MS) }
      const { url, entry, request, isAbout, giveBack, close } = await open(clock)
      const proxy = await openFaultyProxy(url)
      const database = await cloneDatabase()
      test.after(async () => {
        await proxy.close()
        await close()
        await database.drop()
      })
      const storeOf = (channel: string) => openStore({ db: database.db, clock }, channel)
      const callbackUrlOf = () => 'http://127.0.0.1:1/'
      const tools = toolsWith({ clock, storeOf, timeoutMs: 60_000, callbackUrlOf })
      const { rail, watcher } = connectEntry(entry(proxy.url), tools)
      assert.ok(rail && watcher)
      const asked = async () => {
        await watcher.work(AbortSignal.timeout(60_000))
        const claim = { now: clock.now(), leaseUntil: clock.now(), limit: 10, busy: [] }
        return (await claimAsked(database.db, claim)).map(({ reference }) => reference)
      }
      const [reference, other] = [makeReference(), makeReference()]
      for (const one of [reference, other]) {
        await rail.send({ ...request, reference: one })
        assert.ok(await eventually(async () => (await rail.ask(one)).kind === 'succeeded'))
      }
      giveBack(reference)
      assert.deepEqual(await asked(), [], 'not before a day')
      days = 1.1
      proxy.meet(respond(500), isAbout)
      assert.deepEqual(await asked(), [])
      const waiting = await storeOf(rail.name).list('paid-again', { limit: 10 })
      const isDue = ({ key }: { readonly key: string }) => key <= clock.now().toISOString()
      assert.equal(waiting.filter(isDue).length, 1, 'a round ends when the rail does not answer')
      days = 2.2
      proxy.meet(respond(403, '{"code":3001}'), isAbout)
      assert.notEqual((await rail.ask(reference)).kind, 'returned', 'our credentials have expired')
      assert.notEqual((await rail.send({ ...request, reference })).kind, 'returned')
      proxy.meet(undefined)
      assert.deepEqual(await asked(), [reference])
      assert.equal((await rail.ask(reference)).kind, 'returned')
      assert.equal((await rail.ask(other)).kind, 'succeeded')
      for (days = 3.3; days < 120; days += 10) assert.deepEqual(await asked(), [reference])
      assert.deepEqual(await storeOf(rail.name).list('paid-again', { limit: 10 }), [])
    })
  })

it('background work that fails holds up no other', async () => {
  let done = 0
  const failing = { everyMs: 5, work: () => Promise.reject(new Error('the first')) }
  const working = { everyMs: 7, work: async () => void done++ }
  const joined = joinWatchers([failing, working])
  await assert.rejects(() => joined.work(AbortSignal.timeout(1_000)), /the first/)
  assert.equal(done, 1)
  assert.equal(joined.everyMs, 5)
})
