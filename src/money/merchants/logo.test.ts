import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openVault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { setOptions } from './change-merchant.ts'
import { createMerchant } from './create-merchant.ts'
import { loadMerchants } from './load-merchants.ts'
import { findLogo } from './logo.ts'
import { readOptions } from './options.ts'

const now = new Date('2026-11-15T12:00:00Z')
const vault = openVault(Buffer.alloc(32, 1))
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(20)])
const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex')

const database = useDatabase()

async function shop(): Promise<number> {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
  const wanted = { options, pending: false, now }
  const { merNo } = await database.db.transaction((tx) => createMerchant(tx, vault, wanted))
  return merNo
}

async function brandOf(merNo: number) {
  const merchant = (await loadMerchants(database.db, vault, [merNo], now)).get(merNo)
  return { accent: merchant?.accent, hasLogo: merchant?.hasLogo }
}

test('pages use our colour and no logo until the merchant sets its own, and again after it removes them', async () => {
  const merNo = await shop()
  const change = (texts: Parameters<typeof readOptions>[0]) =>
    setOptions(database.db, merNo, readOptions(texts), now)
  assert.deepEqual(await brandOf(merNo), { accent: undefined, hasLogo: false })
  await change({ accent: '#AABBCC', logo: png })
  assert.deepEqual(await brandOf(merNo), { accent: '#aabbcc', hasLogo: true })
  await change({ name: 'Other name' })
  assert.deepEqual(await brandOf(merNo), { accent: '#aabbcc', hasLogo: true })
  await change({ accent: 'none', logo: 'none' })
  assert.deepEqual(await brandOf(merNo), { accent: undefined, hasLogo: false })
  assert.equal(await findLogo(database.db, merNo), undefined)
})

test("a logo's type is determined by its content", async () => {
  const merNo = await shop()
  for (const [logo, type] of [
    [png, 'image/png'],
    [jpeg, 'image/jpeg'],
  ] as const) {
    await setOptions(database.db, merNo, readOptions({ logo }), now)
    assert.deepEqual(await findLogo(database.db, merNo), { type, bytes: logo })
  }
})

test('any other file or colour is refused with one sentence', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const wrong = [
    { logo: svg },
    { logo: Buffer.alloc(0) },
    { logo: Buffer.concat([png, Buffer.alloc(65_536)]) },
  ]
  for (const texts of [...wrong, { accent: 'red' }, { accent: '#abc' }, { accent: '#aabbcc;x' }])
    assert.throws(() => readOptions(texts), OperatorRefusal)
})
