import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Statement } from '../postgres/db.ts'
import { type AuditQuery, readEntries } from './read-entries.ts'

const database = useDatabase()

/** Returns the plan of the statement that `readEntries` runs. */
async function planOf(query: AuditQuery): Promise<string> {
  const statements: Statement[] = []
  const noting = {
    query: (statement: Statement) => {
      statements.push(statement)
      return Promise.resolve([])
    },
  }
  await readEntries(noting, query, 50)
  const [statement] = statements
  const rows = await database.db.query<{ 'QUERY PLAN': string }>({
    text: `explain ${statement?.text}`,
    values: statement?.values ?? [],
  })
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('a rare person and a rare action are found by an index, for merchants and operators', async () => {
  await database.db.query({
    text: `
      insert into audit_log (mer_no, entry_id, at, actor_kind, actor, action, subject)
      select n % 5, 'L' || lpad(n::text, 9, '0'), now(), 'user',
        case when n % 2000 = 0 then 'Rare@shop.example' else 'person' || n % 50 || '@shop.example' end,
        case when n % 2000 = 0 then 'beneficiary.delete' else 'user.sign-in' end, 'x'
      from generate_series(1, 20000) n`,
  })
  await database.db.query({ text: 'analyze audit_log' })
  for (const merNo of [undefined, 3]) {
    assert.match(await planOf({ merNo, actor: 'rare@SHOP.example' }), /audit_log_by_actor/)
    assert.match(await planOf({ merNo, action: 'beneficiary.' }), /audit_log_by_action/)
  }
  const found = await readEntries(database.db, { merNo: undefined, action: 'beneficiary.del' }, 50)
  assert.equal(found.length, 10)
})
