import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openLog } from '../../platform/runtime/log.ts'
import type { Disputes } from '../../rails/contract/channel.ts'
import { startDisputes } from './worker.ts'

const database = useDatabase()

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
    everyMs: 5_000,
    minuteMs: 60_000,
    channels: { all: [silent('first'), silent('second'), answers, { name: 'has none' }] },
    findMerchant: async () => ({ feePlans: new Map(), chargebackUrl: '' }),
    alarm: () => assert.fail('nothing is wrong'),
  })
  assert.ok(await eventually(() => asked.length === 3))
  assert.deepEqual(asked.sort(), ['answers', 'first', 'second'])
  await worker.stop()
})
