import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openVault } from '../../platform/base/secret.ts'
import { type Db, openDb, type Tx } from '../../platform/postgres/db.ts'
import { changeState, rotateKey, setOptions } from './change-merchant.ts'
import { createMerchant } from './create-merchant.ts'
import { type MerchantCache, openMerchantCache } from './merchant-cache.ts'
import { readOptions } from './options.ts'

const vault = openVault(randomBytes(32))
let now = new Date('2026-11-15T12:00:00Z')
const clock = { now: () => now }
const HOUR_MS = 3_600_000

/** The cache's own database connection, which counts its queries. */
let db: Db
let asked = 0
let cache: MerchantCache
let merNo: number

const database = useDatabase({
  async before() {
    const real = openDb({ connection: database.connection, maxConnections: 4 })
    db = {
      ...real,
      query(statement) {
        asked += 1
        return real.query(statement)
      },
    }
    cache = await openMerchantCache({ db, vault, clock })
  },
  async after() {
    await cache.close()
    await db.close()
  },
})

beforeEach(async () => {
  merNo = (await create()).merNo
  await announced()
  asked = 0
})

function create() {
  return database.db.transaction(createIn)
}

function createIn(tx: Tx) {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
  return createMerchant(tx, vault, { options, pending: false, now })
}

/**
 * Waits until all earlier announcements have arrived. PostgreSQL delivers announcements in commit order, so waiting for
 * one more is enough: the cache shows the new name of a cached merchant only after its announcement.
 */
async function announced(): Promise<void> {
  const { merNo: marker } = await create()
  await cache.find(marker)
  await database.db.query({
    text: `with renamed as (update merchants set name = 'Marker' where mer_no = $1 returning mer_no)
      select pg_notify('merchants', mer_no::text) from renamed`,
    values: [marker],
  })
  assert.ok(await eventually(async () => (await cache.find(marker))?.name === 'Marker'))
}

test('a merchant is loaded once, for concurrent and later finds', async () => {
  const found = await Promise.all(Array.from({ length: 100 }, () => cache.find(merNo)))
  assert.equal(new Set(found).size, 1)
  await cache.find(merNo)
  assert.equal(asked, 1)
})

test('a cached merchant is available without waiting while it is fresh, with its valid keys only', async () => {
  await rotateKey(database.db, vault, {
    merNo,
    now: new Date(now.getTime() - 24 * HOUR_MS + 1_000),
    endsOldKey: false,
  })
  await announced()
  const loading = cache.findAtOnce(merNo)
  assert.ok(loading instanceof Promise)
  const found = await loading
  assert.equal(cache.findAtOnce(merNo), found)
  now = new Date(now.getTime() + 1_000)
  const cached = cache.findAtOnce(merNo)
  assert.ok(!(cached instanceof Promise))
  assert.equal(cached.keys.length, 1)
  now = new Date(now.getTime() + 4_000)
  const again = cache.findAtOnce(merNo)
  assert.ok(again instanceof Promise)
  await again
})

test('a change made elsewhere is seen immediately', async () => {
  assert.equal((await cache.find(merNo))?.state, 'active')
  await changeState(database.db, merNo, 'suspend')
  assert.ok(await eventually(async () => (await cache.find(merNo))?.state === 'suspended'))
  await setOptions(database.db, merNo, readOptions({ name: 'Other' }), now)
  assert.ok(await eventually(async () => (await cache.find(merNo))?.name === 'Other'))
})

test('an unknown number is cached too, until a merchant gets it', async () => {
  assert.equal(await cache.find(5), undefined)
  assert.equal(await cache.find(5), undefined)
  assert.equal(asked, 1)
  const made = await database.db.transaction(async (tx) => {
    const { merNo } = await createIn(tx)
    assert.equal(await cache.find(merNo), undefined, 'the transaction has not committed')
    return merNo
  })
  assert.ok(await eventually(async () => (await cache.find(made)) !== undefined))
})

test('without announcements an entry lives for five seconds', async () => {
  await cache.find(merNo)
  now = new Date(now.getTime() + 4_999)
  await cache.find(merNo)
  assert.equal(asked, 1)
  now = new Date(now.getTime() + 1)
  await cache.find(merNo)
  assert.equal(asked, 2)
})

test('a missed announcement is noticed when the entry expires', async () => {
  await cache.find(merNo)
  await database.db.query({ text: `update merchants set name = 'Silent' where mer_no = $1`, values: [merNo] })
  assert.equal((await cache.find(merNo))?.name, 'Shop')
  now = new Date(now.getTime() + 5_000)
  assert.equal((await cache.find(merNo))?.name, 'Silent')
})

test('a key that expires while it is cached is left out', async () => {
  await rotateKey(database.db, vault, {
    merNo,
    now: new Date(now.getTime() - 24 * HOUR_MS + 1_000),
    endsOldKey: false,
  })
  await announced()
  assert.equal((await cache.find(merNo))?.keys.length, 2)
  asked = 0
  now = new Date(now.getTime() + 1_000)
  assert.equal((await cache.find(merNo))?.keys.length, 1)
  assert.equal(asked, 0)
})

test("a key's use is recorded once an hour, and the next find sees it", async () => {
  const use = async () => {
    const [key] = (await cache.find(merNo))?.keys ?? []
    assert.ok(key)
    asked = 0
    for (let time = 0; time < 50; time++) cache.keyUsed(merNo, key)
    await cache.close()
    const written = asked
    return { written, usedAt: (await cache.find(merNo))?.keys[0]?.usedAt }
  }
  const first = now
  assert.deepEqual(await use(), { written: 1, usedAt: first })
  now = new Date(first.getTime() + HOUR_MS)
  assert.deepEqual(await use(), { written: 0, usedAt: first })
  now = new Date(now.getTime() + 1)
  assert.deepEqual(await use(), { written: 1, usedAt: now })
})

test('a node that read the key before another node recorded a use changes nothing', async () => {
  const [before] = (await cache.find(merNo))?.keys ?? []
  assert.ok(before)
  const first = now
  cache.keyUsed(merNo, before)
  await cache.close()
  now = new Date(first.getTime() + 60_000)
  cache.keyUsed(merNo, before)
  await cache.close()
  assert.deepEqual((await cache.find(merNo))?.keys[0]?.usedAt, first)
})

test('a use that cannot be recorded is logged, and one after a minute tries again', async () => {
  const lines: string[] = []
  let isBroken = true
  const own = await openMerchantCache({
    db: {
      ...db,
      listen: async () => {},
      query: (statement) => (isBroken ? Promise.reject(new Error('no database today')) : db.query(statement)),
    },
    vault,
    clock,
    log: { error: (_, message) => lines.push(message) },
  })
  const merchant = await cache.find(merNo)
  assert.ok(merchant)
  const [key] = merchant.keys
  assert.ok(key)
  own.keyUsed(merNo, key)
  await own.close()
  assert.equal(lines.length, 1)
  await assert.rejects(own.find(merNo), /no database today/)
  isBroken = false
  now = new Date(now.getTime() + 59_999)
  own.keyUsed(merNo, key)
  await own.close()
  assert.equal((await own.find(merNo))?.keys[0]?.usedAt, undefined)
  now = new Date(now.getTime() + 1)
  own.keyUsed(merNo, key)
  await own.close()
  assert.deepEqual((await own.find(merNo))?.keys[0]?.usedAt, now)
})
