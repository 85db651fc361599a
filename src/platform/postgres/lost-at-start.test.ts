import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { openDb } from './db.ts'
import { isConnectionError } from './outages.ts'

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, body])
}

/**
 * The messages of a server that stops while a client connects. The server is ready for the first statement, and then
 * ends the connection.
 */
const readyAndGone = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')),
])

test('a server that stops during a connect fails the statements, not the process', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(readyAndGone))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const connection = { host: '127.0.0.1', port: address.port, user: 'nobody', database: 'none' }
  for (const pipeline of [true, false]) {
    const db = openDb({ connection, maxConnections: 2, pipeline })
    const statement = { text: 'select 1' }
    for (const byKey of [true, false]) {
      await assert.rejects(db.query(statement, { byKey }), isConnectionError)
      await assert.rejects(db.atOnce([statement], { byKey }), isConnectionError)
      await assert.rejects(
        db.transaction((tx) => tx.query(statement), { byKey }),
        isConnectionError,
      )
    }
    await db.close()
  }
})
