import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { type Operator, operatorAt } from '../../../../test/harness/operator.ts'

let operator: Operator
let dataDir: string
useDatabase({
  before({ url }) {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-risk-'))
    operator = operatorAt({ databaseUrl: url, dataDir })
  },
  after: () => rmSync(dataDir, { recursive: true }),
})

test('an entry is added, listed and removed', async () => {
  const add = ['risk', 'add', '--list', 'block', '--kind', 'email', '--value']
  const { entryId } = await operator.run(...add, '@Thieves.example', '--why', 'Stolen cards')
  const listed = await operator.run('risk', 'list', '--search', 'thieves')
  assert.match(JSON.stringify(listed), /"shown":"@thieves\.example","reason":"Stolen cards"/)
  assert.match(await operator.refused(...add, '@thieves.example'), /already/)
  const card = ['--list', 'block', '--kind', 'card', '--value', '4242424242424242']
  assert.match(await operator.refused('risk', 'add', ...card), /never by its number/)
  await operator.run('risk', 'remove', String(entryId))
  assert.deepEqual(await operator.run('risk', 'list'), { entries: [] })
})

test('a rule is written, tried and switched', async () => {
  const conditions = '{"above":"500","velocity":{"per":"card","minutes":60,"mostPayments":3}}'
  const rule = ['--name', 'Large', '--action', 'refuse', '--conditions', conditions]
  const { ruleId } = await operator.run('risk', 'add-rule', ...rule)
  const switchTo = (state: string) => ['risk', 'switch', String(ruleId), '--to', state]
  assert.match(await operator.refused(...switchTo('on')), /try the rule/)
  const { hits, orders } = await operator.run('risk', 'try', String(ruleId))
  assert.deepEqual({ hits, orders }, { hits: 0, orders: 0 })
  assert.equal((await operator.run(...switchTo('on'))).state, 'on')
  assert.match(JSON.stringify(await operator.run('risk', 'rules')), /"name":"Large".*"state":"on"/)
})
