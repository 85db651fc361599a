// `pay` in one shell and `listen` in another, at a real gateway.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, startListen } from '../../../../test/harness/command-process.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { freePort, openInstallation } from '../../../../test/harness/gateway-process.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'

test('a payment by "pay" notifies a running "listen", and nobody once it has ended', async (t) => {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url })
  t.after(async () => {
    await installation.remove()
    await database.drop()
  })
  await installation.start()
  const env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: installation.dataDir }
  const file = join(installation.dataDir, 'listen.json')
  const explain = async (orderNo: string) =>
    JSON.parse((await runTollgate(['explain', orderNo, '--json'], env)).stdout)
  const delivered = async (orderNo: string) => {
    const [one] = (await explain(orderNo)).notifications
    return one?.state === 'delivered' && one.deliveries.length === 1
  }

  const listening = await startListen([], env)
  const paid = await runCommand(['pay', '--order-no', 'cart-1'], env)
  assert.equal(paid.status, 0, paid.stderr)
  assert.match(paid.stdout, /Its notifications go to your "tollgate listen"\.\n$/)
  const line = /payment {2}T\w+ {2}cart-1 {2}code 0 {2}sign verifies\n {2}.*&sign=/
  assert.ok(await eventually(() => line.test(listening.stdout())), listening.stdout())
  assert.ok(await eventually(() => delivered('cart-1')), 'the gateway delivered it to "listen"')
  assert.equal(await listening.interrupt(), 0)

  assert.equal(existsSync(file), false)
  const after = await runCommand(['pay', '--order-no', 'cart-2'], env)
  assert.equal(after.status, 0, after.stderr)
  assert.doesNotMatch(after.stdout, /notifications go/)
  assert.deepEqual((await explain('cart-2')).notifications, [])

  // A killed `listen` leaves its file behind. `pay` must ignore the file.
  const { merNo } = await explain('cart-1')
  writeFileSync(file, JSON.stringify({ merNo, url: `http://127.0.0.1:${await freePort()}/notify` }))
  const stale = await runCommand(['pay', '--order-no', 'cart-3'], env)
  assert.equal(stale.status, 0, stale.stderr)
  assert.deepEqual((await explain('cart-3')).notifications, [])
})
