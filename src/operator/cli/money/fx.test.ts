import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { runTollgate } from '../../test/operator.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('setting one direction reports what happens to the other', async () => {
  const env = { DATABASE_URL: database.url, TOLLGATE_MASTER_KEY: '2'.repeat(64) }
  const set = async (from: string, to: string, rate: string) => {
    const { stdout } = await runTollgate(['fx', 'set', '--from', from, '--to', to, '--rate', rate], env)
    return stdout.trimEnd()
  }
  const first = await set('USD', 'EUR', '0.92')
  assert.match(first, /^1 USD is 0\.92 EUR from now on\.\n.*follows: 1 EUR is 1\.086956521739 USD/)
  const own = await set('EUR', 'USD', '1.1')
  assert.match(own, /from USD to EUR, does not change: it was set explicitly\.$/)
  assert.match(await set('IDR', 'USD', '0.000000000001'), /does not change: the inverse is too large\.$/)
})
