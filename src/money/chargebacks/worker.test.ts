import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { systemClock } from '../base/clock.ts'
import type { Disputes } from '../channels/contract.ts'
import { openLog } from '../runtime/log.ts'
import { startDisputes } from './worker.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('channels that never answer delay neither the others nor a stop', async () => {
  const asked: string[] = []
  const silent = (name: string) => ({
    name,
    disputes() {
      asked.push(name)
      return new Promise<Disputes>(() => {})
    },
  })
  const answers = {
    name: 'answers',
    async disputes(): Promise<Disputes> {
      asked.push('answers')
      return { kind: 'listed', list: [] }
    },
  }
  const worker = startDisputes({
    db: database.db,
    clock: systemClock,
    log: openLog('silent'),
    minuteMs: 60_000,
    channels: { all: [silent('first'), silent('second'), answers, { name: 'has none' }] },
    findMerchant: async () => ({ feePlans: new Map(), chargebackUrl: '' }),
    alarm: () => assert.fail('nothing is wrong'),
  })
  assert.ok(await eventually(() => asked.length === 3))
  assert.deepEqual(asked.sort(), ['answers', 'first', 'second'])
  await worker.stop()
})
