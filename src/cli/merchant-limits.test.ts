import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { inProcess } from '../../test/in-process.ts'
import { merchantCommands } from './merchant.ts'
import { merchantOptions } from './merchant-options.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('set, create, show and help warn that a merchant without a limit can take no payments', async () => {
  const { run, said } = inProcess(merchantCommands, database.db)
  const names = { name: 'Shop', site: ['shop.example'] }
  const limitsIn = (text: string) => text.split('\n').find((line) => line.startsWith('limits'))
  const warning = /has no single limit\. That does not mean unlimited.*set --limit-single to an amount/

  const made = await run('merchant create', '', { ...names, 'limit-single': 'none' })
  assert.match(said().join('\n'), warning)
  const merNo = /Merchant (\d+)/.exec(made.text)?.[1] ?? ''
  assert.match(
    limitsIn((await run('merchant show', merNo)).text) ?? '',
    /single not set \(every order is refused with 10020\), daily 1000000\.00/,
  )

  await run('merchant set', merNo, { 'limit-single': '100' })
  assert.deepEqual(said(), [])
  const set = await run('merchant set', merNo, { 'limit-daily': 'none', 'limit-monthly': 'none' })
  assert.match(
    said().join('\n'),
    /has no daily and no monthly limit\. .* until you set --limit-daily, --limit-monthly/,
  )
  assert.match(limitsIn(set.text) ?? '', /single 100\.00, daily not set .*10021.*, monthly not set .*10022/)

  for (const name of ['limit-single', 'limit-daily', 'limit-monthly'])
    assert.match(merchantOptions[name]?.help ?? '', /none refuses every order/)
})
