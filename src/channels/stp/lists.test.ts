// Shared readings of STP's lists, and the secret that keeps strangers from causing them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mountStp } from '../../../sandbox/stp/mount.ts'
import { connectEntry, toolsWith } from '../../../test/connect-entry.ts'
import { openMounted } from '../../../test/mounted.ts'
import { openStp, type StpWorld } from '../../../test/stp.ts'
import type { Fields } from '../../base/object.ts'
import { createLists } from './lists.ts'
import type { StpApi } from './stp-api.ts'

const clock = { now: () => new Date('2026-11-16T20:00:00Z') }
const [EARLIER, TODAY] = ['20261114', '20261116']
const orderOf = (claveRastreo: string, estado = 'LQ') => ({ claveRastreo, estado, monto: 1.2 })
const named = (name: string) => (order: Fields) => order.claveRastreo === name

/** Lists what `book` has when the question comes; answers when `release` is called. */
function openBook() {
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
  return { book, asked, release, lists: createLists({ api, clock, timeoutMs: 10_000 }) }
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

  it('is required in live where deposits are taken', async () => {
    const { entry, close } = await openMounted(mountStp)
    const { callbackSecret: _secret, ...bare } = entry
    const storeOf = () => world.store
    const connect = (isLive: boolean, changes: object) =>
      connectEntry({ ...bare, ...changes }, toolsWith({ isLive, storeOf }))
    assert.throws(() => connect(true, {}), /stp: "callbackSecret" is missing/)
    assert.ok(connect(true, { callbackSecret: 'x' }))
    assert.ok(connect(true, { methods: ['payout_spei'] }))
    assert.ok(connect(false, {}))
    await close()
  })
})
