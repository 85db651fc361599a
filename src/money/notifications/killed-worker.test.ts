import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { behaviours, openReceiver, type Receiver } from '../../../test/counterparties/receiver.ts'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { compileCache } from '../../../test/harness/gateway-process.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { makeId } from '../../platform/base/id.ts'
import { openVault } from '../../platform/base/secret.ts'
import { rotateKey } from '../merchants/change-merchant.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { readOptions } from '../merchants/options.ts'
import { enqueueNotifications } from './enqueue-notifications.ts'
import { listAttempts, listNotifications } from './list-notifications.ts'
import type { Notification } from './notification.ts'
import { leaseMs } from './schedule.ts'

const program = fileURLToPath(new URL('../../../test/harness/delivery-process.ts', import.meta.url))
const masterKey = randomBytes(32)
const vault = openVault(masterKey)
/** The time-out is so long that the worker is killed before the time-out ends. */
const TIMEOUT_MS = 600_000
let receiver: Receiver

const database = useDatabase({
  async before() {
    receiver = await openReceiver()
  },
  after: () => receiver.close(),
})

function startWorker(t: TestContext, handOver?: Notification): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    ...compileCache,
    TOLLGATE_TEST_KEYS: process.env.TOLLGATE_TEST_KEYS,
    TOLLGATE_FAST_PATHS: process.env.TOLLGATE_FAST_PATHS,
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey.toString('hex'),
    TIMEOUT_MS: String(TIMEOUT_MS),
    MINUTE_MS: '100',
    ...(handOver && { HAND_OVER: JSON.stringify(handOver) }),
  }
  const child = spawn(process.execPath, [program], { env, stdio: 'inherit' })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

function aNotification(merNo: number, path: string): Notification {
  const at = new Date()
  const tradeNo = makeId('T', merNo, at)
  const fields = { tradeNo, merOrderNo: 'order-1', code: '0', message: 'Approved' }
  return { merNo, tradeNo, event: 'payment', url: receiver.url + path, fields, at, isFirst: true }
}

const enqueue = (one: Notification) => database.db.transaction((tx) => enqueueNotifications(tx, [one]))

/** Returns the end of the lease of the attempt in progress. */
async function leaseOf(tradeNo: string): Promise<number> {
  const [row] = await database.db.query<{ leased_until: Date }>({
    text: 'select leased_until from notifications where trade_no = $1',
    values: [tradeNo],
  })
  return row?.leased_until.getTime() ?? 0
}

for (const isHandedOver of [false, true])
  test(`the attempt of a killed worker counts, and the next leaves when its lease is over, with the same body: ${isHandedOver ? 'handed over' : 'claimed'}`, (t) =>
    killDuringAttempt(t, isHandedOver))

async function killDuringAttempt(t: TestContext, isHandedOver: boolean): Promise<void> {
  const [hook, other] = isHandedOver ? ['/handed', '/later'] : ['/hook', '/other']
  receiver.on(hook, behaviours.hang)
  const merchant = await database.db.transaction((tx) => {
    const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
    return createMerchant(tx, vault, { options, pending: false, now: new Date() })
  })
  const begunMs = Date.now()
  const one = aNotification(merchant.merNo, hook)
  const { tradeNo } = one
  const hooked = () => receiver.received(hook)

  if (!isHandedOver) await enqueue(one)
  const first = startWorker(t, isHandedOver ? one : undefined)
  assert.ok(await eventually(() => hooked().length === 1))
  const [least, most] = [begunMs, Date.now()].map((ms) => ms + leaseMs(TIMEOUT_MS))
  await kill(first)
  receiver.on(hook, behaviours.ok)
  // A new key that the merchant has not used yet does not change the body.
  await rotateKey(database.db, vault, {
    merNo: merchant.merNo,
    now: new Date(),
    endsOldKey: false,
  })
  startWorker(t)
  await enqueue(aNotification(merchant.merNo, other))
  assert.ok(await eventually(() => receiver.received(other).length === 1))
  assert.ok(await staysFalse(() => hooked().length > 1, 1_500), 'the lease was not respected')
  const leased = await leaseOf(tradeNo)
  assert.ok(least !== undefined && most !== undefined && least <= leased && leased <= most)
  await database.db.query({
    text: 'update notifications set leased_until = now() where trade_no = $1',
    values: [tradeNo],
  })
  assert.ok(await eventually(() => hooked().length === 2))

  const [before, again] = hooked()
  assert.equal(before?.body, again?.body)
  assert.equal(before?.headers['webhook-id'], again?.headers['webhook-id'])
  const isDelivered = async () => {
    const [found] = await listNotifications(database.db, { tradeNo })
    return found?.state === 'delivered'
  }
  assert.ok(await eventually(isDelivered))
  const [found] = await listNotifications(database.db, { tradeNo })
  const attempts = await listAttempts(database.db, merchant.merNo, found?.notificationId ?? '')
  assert.deepEqual(
    attempts.map(({ attemptNo, error }) => [attemptNo, error]),
    [
      [2, null],
      [1, 'the worker ended before the answer came'],
    ],
  )
}
