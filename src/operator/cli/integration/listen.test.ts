import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { behaviours, openReceiver, type Receiver } from '../../../../test/counterparties/receiver.ts'
import { startListen } from '../../../../test/harness/command-process.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { createMerchant, type NewMerchant } from '../../../money/merchants/create-merchant.ts'
import { readOptions } from '../../../money/merchants/options.ts'
import { enqueueNotifications } from '../../../money/notifications/enqueue-notifications.ts'
import { listNotifications } from '../../../money/notifications/list-notifications.ts'
import type { Notification } from '../../../money/notifications/notification.ts'
import { makeId } from '../../../platform/base/id.ts'
import { openVault } from '../../../platform/base/secret.ts'

const masterKey = randomBytes(32)
const vault = openVault(masterKey)
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-listen-'))
let receiver: Receiver
let shop: NewMerchant
const database = useDatabase({
  async before() {
    receiver = await openReceiver()
    shop = await newShop()
    writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ merNo: shop.merNo }))
  },
  async after() {
    await receiver.close()
    rmSync(dataDir, { recursive: true })
  },
})

function newShop(): Promise<NewMerchant> {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
  const wanted = { options, pending: false, now: new Date() }
  return database.db.transaction((tx) => createMerchant(tx, vault, wanted))
}

function settings() {
  return {
    DATABASE_URL: database.url,
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_MASTER_KEY: masterKey.toString('hex'),
  }
}

async function enqueue(changes: Partial<Notification> = {}): Promise<Notification> {
  const at = new Date()
  const { merNo } = shop
  const tradeNo = makeId('T', merNo, at)
  const fields = { tradeNo, merOrderNo: 'order-1', code: '0', message: 'Approved' }
  const url = 'https://merchant.example/hook'
  const one = { merNo, tradeNo, event: 'payment', url, fields, at, ...changes } as const
  await database.db.transaction((tx) => enqueueNotifications(tx, [one]))
  return one
}

test('forwards new notifications signed like a delivery, prints each, and marks none as delivered', async () => {
  await enqueue({ fields: { merOrderNo: 'from before' } })
  const listening = await startListen(['--forward', `${receiver.url}/hook`], settings())
  const one = await enqueue()
  await enqueue({ merNo: (await newShop()).merNo })
  assert.ok(await eventually(() => listening.stdout().includes('\n')))
  receiver.on('/hook', behaviours.wrongBody)
  await enqueue({ event: 'refund', fields: { merOrderNo: 'order-2', refundNo: 'R1', state: 1 } })
  assert.ok(await eventually(() => listening.stdout().split('\n').length > 2))
  assert.equal(await listening.interrupt(), 0)

  const came = receiver.received('/hook')
  assert.equal(came.length, 2)
  for (const { headers, body } of came) {
    new Webhook(shop.webhookSecret).verify(body, stringsOf(headers), { jsonParse: false })
  }
  assert.equal(new URLSearchParams(came[0]?.body).get('tradeNo'), one.tradeNo)
  const [payment = '', refund = '', last = ''] = listening.stdout().split('\n')
  assert.match(
    payment,
    /^\S+Z {2}payment {2}T\w+ {2}order-1 {2}code 0 {2}sign verifies {2}→ 200 "SUCCESS" in /,
  )
  assert.match(payment, / ms, acknowledged$/)
  assert.match(refund, /refund {2}T\w+ {2}order-2 {2}code 1 .* 200 "OK" .*not acknowledged: .*not SUCCESS$/)
  assert.equal(last, '2 forwarded, 1 acknowledged.')
  const [row] = await listNotifications(database.db, { tradeNo: one.tradeNo })
  assert.equal(row?.state, 'pending')
  assert.equal(row?.attempts, 0)
})

function stringsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

test('with --json it prints one document per line, also when the server does not respond', async () => {
  const listening = await startListen(
    ['--forward', 'http://127.0.0.1:9/hook', '--mer-no', String(shop.merNo), '--json'],
    settings(),
  )
  const { tradeNo } = await enqueue()
  assert.ok(await eventually(() => listening.stdout().includes('\n')))
  assert.equal(await listening.interrupt(), 0)
  const [first, counts] = listening
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(first.tradeNo, tradeNo)
  assert.equal(first.status, null)
  assert.match(first.why, /ECONNREFUSED/)
  assert.equal(first.signVerifies, true)
  assert.deepEqual(counts, { forwarded: 1, acknowledged: 0 })
})

test('without --forward it prints the body of each, and leaves no file behind', async () => {
  const listening = await startListen([], settings())
  assert.match(
    listening.stderr(),
    /are shown here\.\nPayments by "tollgate pay" and events of "tollgate trigger" notify this command\./,
  )
  const { tradeNo } = await enqueue()
  assert.ok(await eventually(() => listening.stdout().split('\n').length > 2))
  assert.ok(existsSync(join(dataDir, 'listen.json')))
  assert.equal(await listening.interrupt(), 0)
  const [line = '', body = '', counts] = listening.stdout().split('\n')
  assert.match(line, /^\S+Z {2}payment {2}T\w+ {2}order-1 {2}code 0 {2}sign verifies$/)
  assert.equal(new URLSearchParams(body.trim()).get('tradeNo'), tradeNo)
  assert.equal(counts, '1 shown.')
  assert.equal(existsSync(join(dataDir, 'listen.json')), false)
})

test('reports a body that was signed with an expired key', async () => {
  const listening = await startListen(['--forward', `${receiver.url}/rotated`, '--json'], settings())
  const at = new Date()
  const tradeNo = makeId('T', shop.merNo, at)
  const fields = { tradeNo, merOrderNo: 'order-3', code: '0' }
  const body = new URLSearchParams({ ...fields, sign: '0'.repeat(32) }).toString()
  await database.db.query({
    text: `insert into notifications
        (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at, body)
      values ($1, $2, $3, 'payment', 'https://merchant.example/hook', $4, $5, $5, $6)`,
    values: [shop.merNo, makeId('N', shop.merNo, at), tradeNo, JSON.stringify(fields), at, body],
  })
  assert.ok(await eventually(() => listening.stdout().includes('\n')))
  await listening.interrupt()
  const [line = ''] = listening.stdout().split('\n')
  assert.equal(JSON.parse(line).signVerifies, false)
  assert.equal(receiver.received('/rotated')[0]?.body, body)
})

for (const [target, why] of [
  ['ftp://localhost/hook', /must be an http or https address/],
  ['localhost:3000', /must be an http or https address/],
  ['https://merchant.example/hook', /is not this machine/],
  ['http://169.254.169.254/', /is not this machine/],
] as const) {
  test(`does not forward to ${target}`, async () => {
    const { status, stderr } = await runTollgate(['listen', '--forward', target], settings())
    assert.equal(status, 1)
    assert.match(stderr, why)
  })
}
