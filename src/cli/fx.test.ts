import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { inProcess } from '../../test/in-process.ts'
import { fxCommands } from './fx.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('setting one direction reports what happens to the other', async () => {
  const { run } = inProcess(fxCommands, database.db)
  const set = (from: string, to: string, rate: string) => run('fx set', '', { from, to, rate })
  const first = await set('USD', 'EUR', '0.92')
  assert.match(first.text, /^1 USD is 0\.92 EUR from now on\.\n.*follows: 1 EUR is 1\.086956521739 USD/)
  const own = await set('EUR', 'USD', '1.1')
  assert.match(own.text, /from USD to EUR, does not change: it was set explicitly\.$/)
  assert.match(
    (await set('IDR', 'USD', '0.000000000001')).text,
    /does not change: the inverse is too large\.$/,
  )
})
