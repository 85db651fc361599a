import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { useDatabase } from '../../../test/harness/harness.ts'
import { isSound, verifyBooks } from '../../money/audit/verify-books.ts'
import { writeStatement } from '../../money/ledger/statement.ts'
import { systemClock } from '../base/clock.ts'
import { openDb } from './db.ts'
import { isConnectionError, outageOf } from './outages.ts'

/** A time longer than a transaction may be idle. */
const STANDSTILL_MS = 11_500

const database = useDatabase()

describe('a transaction that idles', { concurrency: true }, () => {
  for (const byKey of [false, true])
    it(`is undone and fails as a lost connection, byKey ${byKey}`, async () => {
      const { db } = database
      const name = `by key ${byKey}`
      const stands = db.transaction(
        async (tx) => {
          await tx.query({ text: 'insert into migrations (name) values ($1)', values: [name] })
          await sleep(STANDSTILL_MS)
          await tx.query({ text: 'select 1' })
        },
        { byKey },
      )
      await assert.rejects(stands, isConnectionError)
      const rows = await db.query({ text: 'select from migrations where name = $1', values: [name] })
      assert.equal(rows.length, 0)
      const works = await db.transaction((tx) => tx.query({ text: 'select 1 as one' }), { byKey })
      assert.deepEqual(works, [{ one: 1 }])
    })

  it('holds its connection, and who waits too long for one has stored nothing', async (t) => {
    const db = openDb({ connection: database.connection, maxConnections: 1 })
    t.after(() => db.close())
    const free = Promise.withResolvers<void>()
    const holds = db.transaction(() => free.promise)
    const error = await db.query({ text: 'select 1' }).catch((caught: unknown) => caught)
    assert.equal(outageOf(error), 'nothing stored')
    free.resolve()
    await holds
    assert.equal((await db.query({ text: 'select 1' })).length, 1)
  })

  it('is left alone if somebody reads a statement of an account at their own pace', async () => {
    const written: string[] = []
    const query = { merNo: 1, currency: 'USD', from: new Date(0), until: new Date() }
    await writeStatement(database.db, query, async (text) => {
      if (written.push(text) === 2) await sleep(STANDSTILL_MS)
    })
    assert.equal(written.length, 3)
  })
})

// This test stops the whole process, and so the transactions of all other tests. It must not run concurrently with
// them.
test('the books are verified although the process was held, as by a terminal or a full pipe', async () => {
  let reports = 0
  const books = await verifyBooks({ db: database.db, clock: systemClock }, () => {
    reports += 1
    if (reports === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS)
  })
  assert.ok(reports > 1 && isSound(books))
})

test('the server may end an idle transaction while the next statement is on its way', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]))
      socket.once('data', () => socket.end(message('E', Buffer.from('SFATAL\0C25P03\0Midle\0\0'))))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const connection = { host: '127.0.0.1', port: address.port, user: 'nobody', database: 'none' }
  const db = openDb({ connection, maxConnections: 1 })
  await assert.rejects(db.query({ text: 'select 1' }), isConnectionError)
  await db.close()
})

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, body])
}
