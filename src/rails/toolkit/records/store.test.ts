import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsOf } from '../../../../test/counterparties/connect-entry.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { checkNumberOwners, numberedBy } from './number-owners.ts'
import { claimAsked, endAsk, openStore } from './store.ts'

const database = useDatabase()

const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
/** No order of these tests has an account. */
const ownerDeps = () => ({ db: database.db, clock: systemClock, accountOf: async () => undefined })
const aDeposit = (key: string, reference?: string) => ({
  kind: 'deposit',
  key,
  reference,
  body: { amount: '5' },
})

test('references get numbers without gaps, and keep them, however many ask at once', async () => {
  const store = storeOf('numbers')
  const wanted = ['A', 'B', 'C', 'A', 'B', 'D', 'A']
  const given = await Promise.all(wanted.map((reference) => store.numberOf(reference)))
  assert.deepEqual([...new Set(given)].sort(), [0, 1, 2, 3])
  assert.equal(given[0], given[3])
  for (const [at, reference] of wanted.entries())
    assert.equal(await store.referenceOf(given[at] ?? -1), reference)
  assert.equal(await store.referenceOf(4), undefined)
  assert.equal(await storeOf('another').numberOf('D'), 0)
})

test('numbers of one setting are given by one channel, whatever an entry is renamed to', async () => {
  const deps = ownerDeps()
  const entry = { name: 'stp-a', methods: ['spei'], protocol: 'stp', clabePrefix: '6461801234' }
  const settings = (changes: object) => settingsOf({ ...entry, ...changes })
  const check = (...entries: readonly object[]) => checkNumberOwners(deps, entries.map(settings))
  const store = (changes: object = {}) => {
    const one = settings(changes)
    return openStore(deps, one.name, numberedBy(one))
  }
  const renamed = { name: 'stp-b' }
  // Before an order has a number, the entry may be renamed.
  await check({})
  await check(renamed)
  assert.equal(await store().numberOf('A'), 0)
  await check({})
  await assert.rejects(() => check(renamed), /channel stp-b: orders of the channel stp-a .* "clabePrefix"/)
  // A node that read the channels file earlier is refused, too.
  await assert.rejects(() => store(renamed).numberOf('B'), /channel stp-b: orders of the channel stp-a/)
  assert.equal(await store(renamed).referenceOf(0), undefined)
  await check({ ...renamed, clabePrefix: '6461805678' })
  await check({ ...renamed, methods: ['payout_spei'] })
  // A prefix that no order used, because it was corrected before any order got a number with it, has no owner.
  await check({ clabePrefix: '6461807777' })
  await check({ ...renamed, clabePrefix: '6461807777' })
  assert.equal(await store().numberOf('B'), 1)
})

test('numbers of an earlier version belong to the channel that has them', async () => {
  const deps = ownerDeps()
  const xpub =
    'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'
  const entry = { name: 'evm-a', methods: ['crypto'], protocol: 'evm', xpub }
  await storeOf('evm-a').numberOf('A')
  // A wrong value has no owner, because no account is derived from it.
  for (const wrong of [{ xpub: 'xpub6A' }, { xpub: undefined, clabePrefix: '646180…' }])
    for (const name of ['evm-a', 'evm-b'])
      await checkNumberOwners(deps, [settingsOf({ ...entry, ...wrong, name })])
  await checkNumberOwners(deps, [settingsOf(entry)])
  await assert.rejects(
    () => checkNumberOwners(deps, [settingsOf({ ...entry, name: 'evm-b' })]),
    /channel evm-b: orders of the channel evm-a .* "xpub"/,
  )
})

test('of two channels that begin at the same moment one gives numbers', async () => {
  const numbered = { setting: 'xpub', key: 'contended' }
  const deps = { db: database.db, clock: systemClock }
  const stores = ['first', 'second'].map((name) => openStore(deps, name, numbered))
  const given = await Promise.allSettled(stores.map((store) => store.numberOf('A')))
  assert.deepEqual(given.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a record is added once, replaced only if it differs, and removed', async () => {
  const store = storeOf('records')
  const first = aDeposit('1', 'R1')
  assert.deepEqual(await store.write([{ add: first }, { add: first }]), [true, false])
  const other = { ...first, body: { amount: '6' } }
  assert.deepEqual(await store.write([{ add: other }, { put: first }, { put: other }]), [false, false, true])
  assert.deepEqual(await store.find(first), other)
  assert.deepEqual(await store.listOf('deposit', 'R1'), [other])
  assert.deepEqual(await store.write([{ remove: first }, { remove: first }]), [true, false])
  assert.equal(await store.find(first), undefined)
})

test('records are listed by key in pages, those of one channel only', async () => {
  const store = storeOf('pages')
  await store.write(['3', '1', '2'].map((key) => ({ add: aDeposit(key) })))
  await storeOf('others').write([{ add: aDeposit('0') }])
  const keysOf = async (after: string) =>
    (await store.list('deposit', { after, limit: 2 })).map(({ key }) => key)
  assert.deepEqual(await keysOf(''), ['1', '2'])
  assert.deepEqual(await keysOf('2'), ['3'])
})

test('a write that fails leaves nothing behind', async () => {
  const store = storeOf('whole')
  const broken = { ...aDeposit('2'), body: { text: '\u0000' } }
  await assert.rejects(store.write([{ add: aDeposit('1') }, { add: broken }], ['R1']))
  assert.deepEqual(await store.list('deposit', { limit: 9 }), [])
  assert.deepEqual(await claim(), [])
})

test('a payment is asked about once, and once more if the channel learns something meanwhile', async () => {
  const store = storeOf('asks')
  await store.write([], ['R1', 'R1', 'R2'])
  const first = await claim()
  assert.deepEqual(first.map(({ reference }) => reference).sort(), ['R1', 'R2'])
  assert.deepEqual(await claim(), [])
  await store.write([{ add: aDeposit('9', 'R2') }], ['R2'])
  for (const one of first) await endAsk(database.db, one)
  const [again, ...others] = await claim()
  assert.equal(again?.reference, 'R2')
  assert.deepEqual(others, [])
})

function claim() {
  const now = systemClock.now()
  const leaseUntil = new Date(now.getTime() + 60_000)
  return claimAsked(database.db, { now, leaseUntil, limit: 10, busy: [] })
}
