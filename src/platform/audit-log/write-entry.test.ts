import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { AuditEntry } from './entry.ts'
import { audited } from './write-entry.ts'

const database = useDatabase()

function entry(action: string): AuditEntry {
  return { merNo: 7, at: new Date(), actor: { kind: 'command', name: 'ops' }, action, subject: '7' }
}

function linesOf(action: string): Promise<{ subject: string; after: unknown }[]> {
  return database.db.query({
    text: 'select subject, after from audit_log where mer_no = 7 and action = $1',
    values: [action],
  })
}

test('the first transaction writes the line, later ones do not', async () => {
  const db = audited(database.db, entry('twice'))
  for (const value of [1, 2]) assert.equal(await db.transaction(async () => value), value)
  assert.equal((await linesOf('twice')).length, 1)
})

test('a transaction that is undone leaves no line, and the next one writes it', async () => {
  const db = audited(database.db, entry('undone'))
  await assert.rejects(
    db.transaction(async () => {
      throw new Error('no')
    }),
  )
  assert.deepEqual(await linesOf('undone'), [])
  await db.transaction(async () => {})
  assert.equal((await linesOf('undone')).length, 1)
})

test('the line may depend on the result', async () => {
  const line = (result: unknown) => ({ ...entry('made'), subject: String(result), after: { is: 'new' } })
  await audited(database.db, line).transaction(async () => 8001)
  assert.deepEqual(await linesOf('made'), [{ subject: '8001', after: { is: 'new' } }])
})

test('a line cannot be changed or removed', async () => {
  await audited(database.db, entry('stays')).transaction(async () => {})
  for (const text of [`update audit_log set actor = 'x'`, 'delete from audit_log', 'truncate audit_log'])
    await assert.rejects(database.db.query({ text }), /append only/)
})
