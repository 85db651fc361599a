import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openLiveCopy } from './live-copy.ts'

const database = useDatabase()

test('a change that is announced during a read that fails is read at once', async () => {
  const { db } = database
  let price = 1
  let failure: (() => void) | undefined
  let breaksNext = false
  const failures: unknown[] = []
  const copy = await openLiveCopy({
    db,
    channel: 'prices',
    everyMs: 3_600_000,
    async read() {
      const read = price
      if (breaksNext) {
        breaksNext = false
        await new Promise<void>((_, reject) => {
          failure = () => reject(new Error('the connection ended'))
        })
      }
      return read
    },
    failed: (err) => failures.push(err),
  })
  try {
    const announced = () => db.query({ text: `select pg_notify('prices', '')` })
    breaksNext = true
    await announced()
    assert.ok(await eventually(() => failure !== undefined))
    price = 2
    await announced()
    // The response to `notify` is no proof that the listener, on another connection, has received the announcement.
    await new Promise((resolve) => setTimeout(resolve, 200))
    failure?.()
    assert.ok(await eventually(() => copy.current() === 2))
    assert.equal(failures.length, 1)
  } finally {
    copy.close()
  }
})
