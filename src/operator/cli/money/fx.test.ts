import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'

const database = useDatabase()

test('setting one direction reports what happens to the other', async () => {
  const env = { DATABASE_URL: database.url, TOLLGATE_MASTER_KEY: '2'.repeat(64) }
  const run = (from: string, to: string, rate: string, ...more: string[]) =>
    runTollgate(['fx', 'set', '--from', from, '--to', to, '--rate', rate, ...more], env)
  const set = async (...words: Parameters<typeof run>) => (await run(...words)).stdout.trimEnd()
  const first = await set('USD', 'EUR', '0.92')
  assert.match(first, /^1 USD is 0\.92 EUR from now on\.\n.*follows: 1 EUR is 1\.086956521739 USD/)
  const { status, stderr } = await run('EUR', 'USD', '1.1')
  assert.equal(status, 1)
  assert.match(
    stderr,
    /the product must be from 0\.9 to 1, and is 1\.012\. Correct .* confirm it with --confirm/,
  )
  const own = await set('EUR', 'USD', '1.1', '--confirm')
  assert.match(own, /from USD to EUR, does not change: it was set explicitly\.$/)
  assert.match(await set('IDR', 'USD', '0.000000000001'), /does not change: the inverse is too large\.$/)
})
