// Kills a settlement run with kill -9 between any two of its statements, then runs the settlement again.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertMoneySound, balancesOf, paidOrder, stepsOf } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { type Run, settleDue } from './settle-due.ts'

const database = useDatabase()

const program = fileURLToPath(new URL('../../../test/harness/settle-and-die.ts', import.meta.url))

/** Returns false if the run was killed. */
async function settleUntil(boundary: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, database.url, String(boundary)], { stdio: 'inherit' })
  const [status, signal] = await once(child, 'exit')
  assert.ok(signal === 'SIGKILL' || status === 0, `ended with ${status} ${signal}`)
  return status === 0
}

function settleAgain(): Promise<Run> {
  const failed = (_merNo: number, error: unknown) => assert.fail(String(error))
  const asOf = new Date(Date.now() + 1000 * 86_400_000)
  return settleDue({ db: database.db, clock: { now: () => new Date() }, failed, batchSize: 2 }, asOf)
}

const plain = { settleDays: 1, feeBps: 290 }
const withMargin = { ...plain, marginBps: 1000, marginDays: 2 }
const inEuros = { ...plain, settleCurrency: 'EUR', settleRate: { digits: 9n, scale: 1 } }

/** Makes orders for three batches: two of settlement, one of margin. */
async function ordersOf(merNo: number) {
  const all = [withMargin, plain, inEuros].map((terms) => paidOrder(database.db, { merNo, terms }))
  return Promise.all(all)
}

const settled = {
  'merchant:available EUR': 873n,
  'merchant:available USD': 971n * 2n,
  'platform:exchange EUR': -873n,
  'platform:exchange USD': 971n,
  'platform:fees USD': 29n * 3n,
  'rail:card USD': -3000n,
}

test('a settlement killed at any statement boundary, and run again, ends the same and settles each order once', async () => {
  let killed = 0
  for (let boundary = 1; ; boundary++) {
    const merNo = 42_000_000 + boundary
    const orders = await ordersOf(merNo)
    const survived = await settleUntil(boundary)
    if (!survived) await settleAgain()
    assert.deepEqual(await balancesOf(database.db, merNo), settled, `killed at boundary ${boundary}`)
    const steps = await Promise.all(orders.map((order) => stepsOf(database.db, order)))
    assert.equal(steps.flat().filter((step) => step === 'settle').length, 3)
    assert.equal(steps.flat().filter((step) => step === 'margin-release').length, 1)
    if (survived) break
    killed++
  }
  assert.ok(killed > 20, `only ${killed} boundaries were met`)
  await assertMoneySound(database.db)
})
