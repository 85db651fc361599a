// Our clock and STP's clock differ by hours, so that one moment may have two different days.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import {
  type FaultyProxy,
  loseAnswer,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { countSent, openStp, type StpWorld, stpPayout } from '../../../../test/counterparties/stp.ts'

const HOUR_MS = 3_600_000
const money = { amount: 845_20n, currency: 'MXN' }
/** A time of STP's clock, in Mexico. The 13th is a Friday. */
const at = (day: number, time: string) => new Date(`2026-11-${day}T${time}:00-06:00`)
const moments = [
  ...[at(17, '00:30'), at(17, '09:00'), at(17, '17:30'), at(17, '18:30'), at(17, '23:30')],
  at(13, '18:30'),
]
/** The hours by which our clock is ahead of STP's clock. */
const skews = [-12, -7, 7, 12]
const cases = moments.flatMap((moment) => skews.map((skew) => ({ moment, skew })))

let theirs = at(17, '09:00')
let ahead = 0
let world: StpWorld
let proxy: FaultyProxy
before(async () => {
  const ours = { now: () => new Date(theirs.getTime() + ahead * HOUR_MS) }
  world = await openStp(ours, { now: () => theirs })
  proxy = await openFaultyProxy(`${world.url}/stp`)
})
afterEach(() => {
  world.stp.book.refusesToday = false
})
after(async () => {
  await proxy.close()
  await world.close()
})

const nameOf = ({ moment, skew }: (typeof cases)[number]) => `${moment.toISOString()}, ${skew} hours ahead`
const isRegistering = (path: string) => path.endsWith('/registra')

describe('an order whose response was lost', () => {
  for (const refusesToday of [false, true])
    it(`is found on every later day, and not sent again${refusesToday ? ', though STP wants no name of its current day' : ''}`, async () => {
      for (const one of cases) {
        ahead = one.skew
        theirs = one.moment
        world.stp.book.refusesToday = refusesToday
        const request = stpPayout()
        proxy.meet(loseAnswer, isRegistering)
        assert.equal((await world.rail({ url: proxy.url }).send(request)).kind, 'unknown')
        for (const hours of [0, 2, 24, 72]) {
          theirs = new Date(one.moment.getTime() + hours * HOUR_MS)
          const { kind } = await world.rail().send(request)
          const isFound =
            kind === 'processing' || kind === 'succeeded' || (refusesToday && kind === 'unknown')
          assert.ok(isFound, `${nameOf(one)}, ${hours} hours later: ${kind}`)
          assert.equal(countSent(world, request.reference), 1, `${nameOf(one)}, ${hours} hours later`)
        }
        assert.notEqual((await world.rail().ask(request.reference)).kind, 'unknown', nameOf(one))
      }
    })
})

describe('an order that STP never got', () => {
  it('is sent, once', async () => {
    for (const one of cases) {
      ahead = one.skew
      theirs = one.moment
      const request = stpPayout()
      proxy.meet(respond(500), isRegistering)
      assert.equal((await world.rail({ url: proxy.url }).send(request)).kind, 'unknown')
      for (const hours of [1, 2, 24]) {
        theirs = new Date(one.moment.getTime() + hours * HOUR_MS)
        const { kind } = await world.rail().send(request)
        assert.ok(kind === 'processing' || kind === 'succeeded', `${nameOf(one)}: ${kind}`)
      }
      assert.equal(countSent(world, request.reference), 1, nameOf(one))
    }
  })
})

describe('a deposit', () => {
  async function transferred() {
    const request = makeRequest({ method: 'spei', money }, 'pays')
    const waiting = await world.channel.start(request)
    assert.ok(waiting.kind === 'pending' && waiting.action.kind === 'transfer')
    world.stp.notifyAt('')
    await world.stp.deposit(waiting.action.account, money.amount)
    world.stp.notifyAt(world.receiver.url)
    return { request, order: world.stp.book.received.at(-1) ?? assert.fail() }
  }

  for (const refusesToday of [false, true])
    it(`is counted once and at once, by its message and without${refusesToday ? ', though STP wants no name of its current day' : ''}`, async () => {
      for (const one of cases.filter(({ skew }) => Math.abs(skew) === 7)) {
        ahead = one.skew
        theirs = one.moment
        world.stp.book.refusesToday = refusesToday
        const [announced, silent] = [await transferred(), await transferred()]
        const answer = await world.stp.announce(announced.order)
        assert.equal(answer.text, '{"mensaje":"confirmar"}', nameOf(one))
        for (const hours of [0, 12, 24]) {
          theirs = new Date(one.moment.getTime() + hours * HOUR_MS)
          await world.connect().watcher?.work(AbortSignal.timeout(10_000))
          for (const { request } of [announced, silent]) {
            const outcome = await world.channel.ask(request)
            assert.ok(outcome.kind === 'received', `${nameOf(one)}: ${outcome.kind}`)
            assert.equal(outcome.deposits.length, 1, nameOf(one))
          }
        }
      }
    })
})
