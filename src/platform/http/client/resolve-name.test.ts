import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { test } from 'node:test'
import { createResolve } from './resolve-name.ts'

/** Starts a name server that knows no name, ignores questions for silent names, and records all questions. */
async function startNameServer(t: { after(fn: () => void): void }) {
  const asked: string[] = []
  const server = createSocket('udp4', (query, from) => {
    const name = query.toString('latin1', 12)
    asked.push(name)
    if (name.includes('silent')) return
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8183, 2)
    server.send(answer, from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { asked, servers: [`127.0.0.1:${server.address().port}`] }
}

test('names with a silent name server delay no other lookup', async (t) => {
  const { servers } = await startNameServer(t)
  const resolve = createResolve(servers)
  let settled = 0
  const silent = Array.from({ length: 20 }, (_, at) =>
    resolve(`silent${at}.example`).catch((error: { code?: string }) => {
      settled++
      return error.code
    }),
  )
  assert.equal((await lookup('localhost', 4)).address, '127.0.0.1')
  assert.deepEqual((await resolve('localhost')).map(({ address }) => address).includes('127.0.0.1'), true)
  assert.equal(settled, 0)
  assert.deepEqual(new Set(await Promise.all(silent)), new Set(['ETIMEOUT']))
})

test('a name that nobody knows is refused, and the system is asked for it once', async (t) => {
  const { asked, servers } = await startNameServer(t)
  const resolve = createResolve(servers)
  for (let count = 0; count < 3; count++)
    await assert.rejects(resolve('nobody.invalid'), (error) => error instanceof Error && 'code' in error)
  assert.ok(asked.length >= 2)
})
