import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findShop, removeShopPort, SHOP_HOST, writeShopPort } from './shop-address.ts'

test('the shop is found while something listens at its port', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-shop-'))
  context.after(() => rmSync(dataDir, { recursive: true }))
  assert.equal(await findShop(dataDir), undefined)

  const server = createServer().listen(0, SHOP_HOST)
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  writeShopPort(dataDir, address.port)
  assert.equal(await findShop(dataDir), `http://localhost:${address.port}/`)

  server.close()
  await once(server, 'close')
  assert.equal(await findShop(dataDir), undefined, 'a shop that was killed leaves its file behind')

  for (const text of ['', '0', '70000', '80@evil.example', '//evil.example', '-1']) {
    writeFileSync(join(dataDir, 'shop-port'), text)
    assert.equal(await findShop(dataDir), undefined, text)
  }
  removeShopPort(dataDir)
  removeShopPort(dataDir)
  assert.equal(await findShop(dataDir), undefined)
})
