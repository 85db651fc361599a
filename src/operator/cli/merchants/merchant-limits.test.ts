import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { merchantOptions } from './merchant-options.ts'

const database = useDatabase()

test('set, create, show and help warn that a merchant without a limit can take no payments', async () => {
  const env = { DATABASE_URL: database.url, TOLLGATE_MASTER_KEY: '2'.repeat(64) }
  const run = (...args: string[]) => runTollgate(['merchant', ...args], env)
  const limitsIn = (text: string) => text.split('\n').find((line) => line.startsWith('limits'))
  const warning = /has no single limit\. That does not mean unlimited.*set --limit-single to an amount/

  const made = await run('create', '--name', 'Shop', '--site', 'shop.example', '--limit-single', 'none')
  assert.match(made.stderr, warning)
  const merNo = /Merchant (\d+)/.exec(made.stdout)?.[1] ?? ''
  assert.match(
    limitsIn((await run('show', merNo)).stdout) ?? '',
    /single not set \(every order is refused with 10020\), daily 1000000\.00/,
  )

  assert.equal((await run('set', merNo, '--limit-single', '100')).stderr, '')
  const set = await run('set', merNo, '--limit-daily', 'none', '--limit-monthly', 'none')
  assert.match(
    set.stderr,
    /has no daily and no monthly limit\. .* until you set --limit-daily, --limit-monthly/,
  )
  assert.match(limitsIn(set.stdout) ?? '', /single 100\.00, daily not set .*10021.*, monthly not set .*10022/)

  for (const name of ['limit-single', 'limit-daily', 'limit-monthly'])
    assert.match(merchantOptions[name]?.help ?? '', /none refuses every order/)
})
