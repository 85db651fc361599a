import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { watchDatabase } from './database-health.ts'
import { openLog } from './log.ts'

const database = useDatabase({ maxConnections: 1 })

const allWell = { database: true, writes: true, schema: true }

function raise(code: string): Promise<unknown> {
  return database.db.query({ text: `do $$ begin raise exception 'failed' using errcode = '${code}'; end $$` })
}

test('a full disk is an outage until nothing has failed for a while, although the probe can write', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (text) => lines.push(text) })
  const health = await watchDatabase({ db: database.db, log })
  t.after(health.close)
  assert.deepEqual(await health.check(), allWell)
  const failures = await Promise.allSettled(Array.from({ length: 10 }, () => raise('53100')))
  for (const one of failures) if (one.status === 'rejected') log.error({ err: one.reason }, 'a worker failed')
  assert.deepEqual(await health.check(), { ...allWell, writes: false })
  assert.ok(await eventually(() => lines.length > 1))
  assert.deepEqual(await health.check(), allWell)
  assert.equal(lines.length, 2, lines.join(''))
  assert.match(lines[0] ?? '', /"why":"failed".*the database fails/)
  assert.match(lines[1] ?? '', /"seconds":[3-9].*the database works again/)
})

test('a node whose disk stays full does not become ready between the failures', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (text) => lines.push(text) })
  const health = await watchDatabase({ db: database.db, log })
  t.after(health.close)
  // Creating a table needs space, and the probe of an ordinary round does not.
  await database.db.query({
    text: `create function no_space() returns event_trigger language plpgsql
      as $$ begin raise exception 'full' using errcode = '53100'; end $$`,
  })
  await database.db.query({
    text: `create event trigger no_space on ddl_command_start when tag in ('CREATE TABLE AS')
      execute function no_space()`,
  })
  await assert.rejects(raise('53100'))
  assert.ok(await staysFalse(async () => (await health.check()).writes, 8_000))
  assert.equal(lines.length, 1, lines.join(''))
  await database.db.query({ text: 'drop event trigger no_space; drop function no_space()' })
  assert.ok(await eventually(async () => (await health.check()).writes))
  assert.ok(await eventually(() => lines.length > 1))
  assert.equal(lines.length, 2, lines.join(''))
})

test('a failure of a statement is no outage, and is logged', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (text) => lines.push(text) })
  const health = await watchDatabase({ db: database.db, log })
  t.after(health.close)
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  for (const err of [await raise('22012').catch((error: unknown) => error), unreachable])
    log.error({ err }, 'a worker failed')
  assert.equal(lines.length, 2)
  assert.deepEqual(await health.check(), allWell)
})

test('a pool without a free connection is not ready, and no probe waits behind another', async (t) => {
  const health = await watchDatabase({ db: database.db, log: openLog('silent') })
  t.after(health.close)
  await database.db.transaction(async (tx) => {
    await tx.query({ text: 'select 1' })
    const beganMs = performance.now()
    const nothing = { database: false, writes: false, schema: false }
    assert.deepEqual(await Promise.all([health.check(), health.check()]), [nothing, nothing])
    assert.ok(performance.now() - beganMs < 4_000)
  })
  assert.ok(await eventually(async () => (await health.check()).writes))
})
