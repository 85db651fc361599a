// Shared requests for STP's lists, and the secret that keeps strangers from causing requests.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mountStp } from '../../../../sandbox/stp/mount.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { openMounted } from '../../../../test/counterparties/mounted.ts'
import { openStp, type StpWorld, stpPayout } from '../../../../test/counterparties/stp.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { StpApi } from './api.ts'
import { createLists } from './lists.ts'

const clock = { now: () => new Date('2026-11-16T20:00:00Z') }
const [EARLIER, TODAY] = ['20261114', '20261116']
const orderOf = (claveRastreo: string, estado = 'LQ') => ({ claveRastreo, estado, monto: 1.2 })
const named = (name: string) => (order: Fields) => order.claveRastreo === name

/**
 * Makes lists of a fake STP, which responds only when `release` is called. A response has the orders that were in
 * `book` at the time of the request.
 */
function openBook(isSecret = true) {
  const book: Fields[] = []
  const asked: (string | undefined)[] = []
  const waiting: (() => void)[] = []
  const listReceived: StpApi['listReceived'] = async (day) => {
    asked.push(day)
    const lst = [...book]
    await new Promise<void>((resolve) => waiting.push(resolve))
    return { kind: 'result', id: 0, result: { lst } }
  }
  const never = async () => assert.fail('only lists are read')
  const api = { listReceived, register: never, findSent: never }
  const release = async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      for (const resolve of waiting.splice(0)) resolve()
      await new Promise(setImmediate)
    }
  }
  return { book, asked, release, lists: createLists({ api, clock, timeoutMs: 10_000, isSecret }) }
}

describe('the readings of a list', () => {
  it('are shared by messages that come at the same time, and never by one that came after it began', async () => {
    const { book, asked, release, lists } = openBook()
    book.push(orderOf('first'))
    const first = lists.find(EARLIER, named('first'))
    book.push(orderOf('second'), orderOf('third'))
    const later = [1, 2, 3, 4].map((at) => lists.find(EARLIER, named(at % 2 === 0 ? 'second' : 'third')))
    await release()
    assert.equal((await first)?.claveRastreo, 'first')
    for (const one of later) assert.ok((await one) !== undefined)
    assert.deepEqual(asked, [EARLIER, EARLIER])
  })

  it('are kept for settled orders, and made again for others', async () => {
    const { book, asked, release, lists } = openBook()
    const open = orderOf('open', 'PA')
    book.push(orderOf('settled'), { ...open })
    const read = lists.read(EARLIER)
    await release()
    assert.equal((await read)?.length, 2)
    const settled = lists.find(EARLIER, named('settled'))
    await release()
    assert.ok((await settled) !== undefined)
    assert.equal(asked.length, 1)
    for (const name of ['open', 'unlisted']) {
      const found = lists.find(EARLIER, named(name))
      await release()
      assert.equal((await found)?.estado, name === 'open' ? 'PA' : undefined)
    }
    assert.equal(asked.length, 3)
  })

  it('of today ask by its name only for what the current day lacks', async () => {
    const { book, asked, release, lists } = openBook()
    book.push(orderOf('one'))
    const found = lists.find(TODAY, named('one'))
    await release()
    assert.ok((await found) !== undefined)
    assert.deepEqual(asked, [undefined])
    const missing = lists.find(TODAY, named('other'))
    await release()
    assert.equal(await missing, undefined)
    assert.deepEqual(asked, [undefined, undefined, TODAY])
  })
})

describe('the secret of callbacks', () => {
  let world: StpWorld
  before(async () => {
    world = await openStp()
  })
  after(() => world.close())

  it('may be left out in live, and the check advises to set it where deposits are taken', async (t) => {
    const { entry, close } = await openMounted(mountStp)
    t.after(close)
    const { callbackSecret: _secret, ...bare } = entry
    const check = (changes: object) => {
      const tools = toolsWith({ isLive: true, storeOf: () => world.store })
      return connectEntry({ ...bare, ...changes }, tools).check(AbortSignal.timeout(10_000))
    }
    const open = await check({})
    assert.ok(open.isRight)
    assert.match(open.message, /Set "callbackSecret"/)
    for (const changes of [{ callbackSecret: 'a path nobody guesses' }, { methods: ['payout_spei'] }])
      assert.doesNotMatch((await check(changes)).message, /callbackSecret/)
    assert.throws(() =>
      connectEntry({ ...bare, callbackSecret: '' }, toolsWith({ storeOf: () => world.store })),
    )
  })

  it('if left out leaves a bounded number of readings to strangers, and no message is believed for it', async (t) => {
    const { book, asked, release, lists } = openBook(false)
    const messages = (day: string) => [1, 2, 3].map(() => lists.find(day, named('invented')))
    for (const _burst of [1, 2, 3]) {
      const found = messages(EARLIER)
      await release()
      assert.deepEqual(await Promise.all(found), [undefined, undefined, undefined])
    }
    assert.deepEqual(asked, [EARLIER], 'a past day')
    for (const day of ['20260101', '19990101', '00000000'])
      assert.equal(await lists.find(day, named('x')), undefined)
    assert.equal(asked.length, 1, 'no day of long ago')
    const first = lists.find('rubbish', named('real'))
    await release()
    assert.equal(await first, undefined)
    assert.equal(asked.length, 2)
    book.push(orderOf('real'))
    const beganMs = performance.now()
    const second = lists.find('rubbish', named('real'))
    t.after(() => clearInterval(releasing))
    const releasing = setInterval(() => void release(), 50)
    assert.equal((await second)?.claveRastreo, 'real')
    assert.ok(performance.now() - beganMs > 3_000, 'the current day is read every few seconds')
    assert.equal(asked.length, 3)
  })

  it('if left out lets nobody report a deposit or a state that STP does not', async () => {
    const [channel] = world.connect({ callbackSecret: undefined }).channels
    const read = (body: object) => {
      const callback = {
        method: 'POST',
        path: '/callbacks/stp',
        query: '',
        headers: {},
        body: JSON.stringify(body),
      }
      return channel?.readCallback?.(callback)
    }
    const request = makeRequest({ method: 'spei', money: { amount: 100n, currency: 'MXN' } }, 'pays')
    const started = await channel?.start(request)
    assert.ok(started?.kind === 'pending' && started.action.kind === 'transfer')
    const payout = stpPayout()
    await world.rail({ callbackSecret: undefined }).send(payout)
    const invented = { claveRastreo: 'X1', institucionOrdenante: '40012', monto: 1, estado: 'LQ' }
    const deposit = { ...invented, cuentaBeneficiario: started.action.account, fechaOperacion: '20260101' }
    assert.equal((await read(deposit))?.kind, 'refused')
    const state = await read({ folioOrigen: payout.reference, estado: 'D' })
    const outcome = state?.kind === 'accepted' ? state.payouts?.[0]?.outcome.kind : state?.kind
    assert.ok(outcome === 'processing' || outcome === 'succeeded', String(outcome))
  })
})
