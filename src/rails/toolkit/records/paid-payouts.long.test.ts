// Paid payouts whose money comes back without a callback. Such a return is found because each rail that has a query by
// our reference is polled.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { mountAdyen } from '../../../../sandbox/adyen/mount.ts'
import { mountDlocal } from '../../../../sandbox/dlocal/mount.ts'
import { mountPix } from '../../../../sandbox/pix/mount.ts'
import type { ChannelEntry } from '../../../../sandbox/place.ts'
import { mountStp } from '../../../../sandbox/stp/mount.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { openFaultyProxy, respond } from '../../../../test/counterparties/faulty-proxy.ts'
import { openMounted } from '../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { payoutReference } from '../../../money/payouts/payout.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import { createPaidWatcher, joinWatchers, readPaid } from './paid-payouts.ts'
import { claimAsked, openStore } from './store.ts'

const DAY_MS = 86_400_000

type Rail = {
  readonly url: string
  readonly entry: (url: string) => ChannelEntry
  readonly request: Pick<PayoutRequest, 'kind' | 'money' | 'beneficiary'>
  readonly isAbout: (path: string) => boolean
  /** The rail's answer about a payout that the rail no longer lists. */
  readonly unlisted: readonly [status: number, body: string]
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

const iban = {
  kind: 'bank_account',
  money: { amount: 25_00n, currency: 'EUR' },
  beneficiary: {
    account: 'DE89370400440532013000',
    details: { benFirstName: 'Ada', benLastName: 'Byron' },
  },
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
      unlisted: [404, '{}'],
      giveBack: (reference) => counterparty.outgoing.giveBack(reference),
      close,
    }
  }

const rails: Readonly<Record<string, (clock: Clock) => Promise<Rail>>> = {
  Inter: pixOf('inter'),
  Efí: pixOf('efi'),
  async Adyen(clock) {
    const { counterparty, entry, close } = await openMounted(mountAdyen, { clock })
    return {
      url: String(entry.transfersUrl),
      // The sandbox's Adyen has no address for webhooks, so it sends none.
      entry: (transfersUrl) => ({ ...entry, methods: ['payout_bank'], transfersUrl }),
      request: iban,
      isAbout: (path) => path.includes('/transfers?'),
      unlisted: [200, '{"data":[]}'],
      giveBack: (reference) => counterparty.transfers.giveBack(reference),
      close,
    }
  },
  async STP(clock) {
    const { counterparty, entry, url, close } = await openMounted(mountStp, { clock })
    return {
      url: `${url}/stp`,
      entry: (at) => ({ ...entry, methods: ['payout_spei'], url: at }),
      request: spei,
      isAbout: (path) => path.includes('consOrdEnvRastreo'),
      unlisted: [200, '{"resultado":{"id":-100,"descripcionError":"none"}}'],
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
      unlisted: [404, '{"code":4000}'],
      giveBack: (reference) => counterparty.payouts.giveBack(reference),
      close,
    }
  },
}

const makePayoutReference = ({ now }: Clock) => payoutReference(makeId('T', 10_001, now()))

for (const [name, open] of Object.entries(rails))
  describe(`a payout that ${name} has paid`, () => {
    it('is asked about again, and found when it comes back without a message', async (test) => {
      let days = 0
      const clock = { now: () => new Date(Date.now() + days * DAY_MS) }
      const { url, entry, request, isAbout, unlisted, giveBack, close } = await open(clock)
      const proxy = await openFaultyProxy(url)
      const database = await cloneDatabase()
      test.after(async () => {
        await proxy.close()
        await close()
        await database.drop()
      })
      const storeOf = (channel: string) => openStore({ db: database.db, clock }, channel)
      const callbackUrlOf = () => 'http://127.0.0.1:1/'
      const alarmed: string[] = []
      const alarm = (_reference: string, what: string) => void alarmed.push(what)
      const tools = toolsWith({ clock, storeOf, timeoutMs: 60_000, callbackUrlOf, alarm })
      const { rail, watcher } = connectEntry(entry(proxy.url), tools)
      assert.ok(rail && watcher)
      const asked = async () => {
        await watcher.work(AbortSignal.timeout(60_000))
        const claim = { now: clock.now(), leaseUntil: clock.now(), limit: 10, busy: [] }
        return (await claimAsked(database.db, claim)).map(({ reference }) => reference)
      }
      // The references contain the time of their creation, because Adyen's query needs a range of time.
      const [reference, other] = [makePayoutReference(clock), makePayoutReference(clock)]
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
      assert.deepEqual(
        { waiting: waiting.length, due: waiting.filter(isDue) },
        { waiting: 2, due: [] },
        'each is asked about the next day',
      )
      days = 2.2
      proxy.meet(respond(403, '{"code":3001}'), isAbout)
      assert.notEqual((await rail.ask(reference)).kind, 'returned', 'our credentials have expired')
      assert.notEqual((await rail.send({ ...request, reference })).kind, 'returned')
      proxy.meet(undefined)
      assert.deepEqual(await asked(), [reference])
      assert.equal((await rail.ask(reference)).kind, 'returned')
      assert.equal((await rail.ask(other)).kind, 'succeeded')
      for (days = 3.3; days < 120; days += 10) {
        if (days > 50) proxy.meet(respond(...unlisted), isAbout)
        assert.deepEqual(await asked(), [reference])
      }
      assert.deepEqual(await storeOf(rail.name).list('paid-again', { limit: 10 }), [])
      assert.deepEqual(alarmed, [], 'it does not list the other any more')
    })
  })

describe('a round of questions about paid payouts', () => {
  /** Opens a database with `count` paid payouts, and a watcher that asks the rail by `ask`. */
  async function openRound(test: TestContext, count: number, ask: PayoutRail['ask']) {
    let days = 0
    const clock = { now: () => new Date(Date.now() + days * DAY_MS) }
    const database = await cloneDatabase()
    test.after(() => database.drop())
    const store = openStore({ db: database.db, clock }, 'rail-1')
    const read = readPaid({ store, clock, kind: 'payout-paid' })
    const references = Array.from({ length: count }, makeReference)
    for (const one of references) await read(one, { kind: 'succeeded', money: pix.money, railRef: one })
    const alarmed: string[] = []
    const asked: string[] = []
    const watcher = createPaidWatcher({
      store,
      clock,
      alarm: (reference) => alarmed.push(reference),
      ask: (reference) => {
        asked.push(reference)
        return ask(reference)
      },
    })
    return {
      references,
      alarmed,
      /** Runs a round on this day. Returns the references that the rail was asked about. */
      async workOn(day: number) {
        days = day
        asked.length = 0
        await watcher.work(AbortSignal.timeout(60_000))
        return [...asked]
      },
      waiting: () => store.list('paid-again', { limit: 1_000 }),
      async found() {
        const claim = { now: clock.now(), leaseUntil: clock.now(), limit: 10, busy: [] }
        return (await claimAsked(database.db, claim)).length
      },
    }
  }

  const unknown = { kind: 'unknown', why: 'no answer' } as const

  it('goes on past those without an answer, and past a page', async (test) => {
    const round = await openRound(test, 130, async () => unknown)
    assert.deepEqual((await round.workOn(1.1)).sort(), [...round.references].sort())
    assert.deepEqual(await round.workOn(1.2), [], 'each is asked about the next day')
  })

  it('ends after its time, and the next one goes on', async (test) => {
    let ms = 0
    test.mock.method(performance, 'now', () => ms)
    const round = await openRound(test, 5, async () => {
      ms += 8_000
      return unknown
    })
    const first = await round.workOn(1.1)
    assert.equal(first.length, 3)
    assert.deepEqual([...first, ...(await round.workOn(1.1))].sort(), [...round.references].sort())
  })

  it('goes on past a question that fails', async (test) => {
    const round = await openRound(test, 2, () => Promise.reject(new Error('a fault of the adapter')))
    assert.equal((await round.workOn(1.1)).length, 2)
    assert.deepEqual(await round.workOn(1.2), [])
    assert.equal((await round.workOn(2.3)).length, 2)
  })

  it('gives one up that has no answer for a week after the last day, and an alarm says so once', async (test) => {
    const round = await openRound(test, 2, async (reference) =>
      reference === round.references[0] ? unknown : { kind: 'processing', railRef: reference },
    )
    for (let day = 1.1; day < 97; day += 1.01) await round.workOn(day)
    assert.deepEqual(round.alarmed, [])
    for (const day of [98.2, 99.3]) await round.workOn(day)
    assert.deepEqual(round.alarmed, round.references.slice(0, 1))
    assert.deepEqual(await round.waiting(), [])
  })

  it('asks ever less often about one without an answer', async (test) => {
    const round = await openRound(test, 1, async () => unknown)
    const days: number[] = []
    for (let day = 1.01; day < 100; day += 0.5) if ((await round.workOn(day)).length > 0) days.push(day)
    const pauses = days.slice(1).map((day, at) => day - (days[at] ?? 0))
    assert.ok(days.length < 25 && Math.max(...pauses) < 25, String(days))
    assert.ok(days.filter((day) => day < 5).length >= 4, String(days))
    assert.deepEqual(round.alarmed, round.references)
  })

  const gone = [{ kind: 'absent' }, { ...unknown, isUnlisted: true }] as const

  it('stops asking about one that the rail does not list any more, a week after the last day and without an alarm', async (test) => {
    for (const answer of gone) {
      const round = await openRound(test, 1, async () => answer)
      const days: number[] = []
      for (let day = 1.01; day < 120; day += 0.5) if ((await round.workOn(day)).length > 0) days.push(day)
      assert.ok(days.length < 25 && (days.at(-1) ?? 0) > 97, String(days))
      assert.deepEqual(
        { alarmed: round.alarmed, waiting: await round.waiting() },
        { alarmed: [], waiting: [] },
      )
    }
  })

  it('finds a return soon after a gap of the list, also at the end', async (test) => {
    const returned = { kind: 'returned', message: 'came back', money: undefined } as const
    for (const answer of gone)
      for (const [gap, back, latest] of [
        [30, 31, 39],
        [90, 91, 98],
      ] as const) {
        let day = 1.01
        const paid = { kind: 'succeeded', money: pix.money, railRef: 'R1' } as const
        const isGap = () => day >= gap && day < gap + 0.5
        const round = await openRound(test, 1, async () => (isGap() ? answer : day < back ? paid : returned))
        for (; day < latest; day += 0.5) await round.workOn(day)
        assert.deepEqual(await round.waiting(), [], `found between day ${back} and ${latest}`)
        assert.equal(await round.found(), 1)
      }
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
