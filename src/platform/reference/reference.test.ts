import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { operatorAt } from '../../../test/harness/operator.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { type Db, openDb } from '../postgres/db.ts'
import { addItem, changeItem, removeItem } from './change-list.ts'
import { type ListName, listNames, OTHER_REASON, traitsOf } from './list.ts'
import { openReference, type Reference, readReference } from './reference.ts'

/** Two nodes on one database, each with its own connections. */
let nodes: readonly (Reference & { close(): void })[]
let secondDb: Db
const database = useDatabase({
  async before() {
    secondDb = openDb({ connection: { connectionString: database.url }, maxConnections: 2 })
    nodes = await Promise.all([openReference(database), openReference({ db: secondDb })])
  },
  async after() {
    for (const node of nodes) node.close()
    await secondDb.close()
  },
})

const at = new Date()
const everywhere = (isSo: (node: Reference) => boolean) => eventually(() => nodes.every(isSo))

test('the migrations bring the lists of the interface', async () => {
  const reference = await readReference(database.db)
  const counts = listNames.map((list) => [list, reference.items(list).length])
  assert.deepEqual(counts, [
    ['banks/per', 22],
    ['banks/spei', 85],
    ['banks/vietnam', 58],
    ['dispute-reasons', 19],
  ])
  for (const list of listNames)
    for (const { code, bic } of reference.items(list)) {
      assert.match(code, traitsOf(list).codes)
      assert.ok(bic === '' || traitsOf(list).hasBic)
    }
  assert.equal(reference.find('banks/vietnam', '970406')?.name, 'Vikki Bank')
  assert.equal(reference.find('banks/vietnam', '970449')?.name, 'LPBank')
  assert.equal(reference.find('banks/spei', '40012')?.name, 'BBVA MEXICO')
  assert.equal(reference.has('banks/per', 'constructor'), false)
})

test('a change reaches every node, and raises the version of its list only', async () => {
  const list: ListName = 'banks/spei'
  const [before, other] = [nodes[0]?.version(list) ?? 0, nodes[0]?.version('banks/per')]
  const { db } = database
  assert.equal(
    await addItem(db, { list, item: { code: '90999', name: ' New bank ', bic: '' }, at }),
    before + 1,
  )
  assert.ok(await everywhere((node) => node.has(list, '90999') && node.version(list) === before + 1))
  await changeItem(db, { list, item: { code: '90999', name: 'Newer bank', bic: '' }, at })
  assert.ok(await everywhere((node) => node.find(list, '90999')?.name === 'Newer bank'))
  await removeItem(db, { list, code: '90999', at })
  assert.ok(await everywhere((node) => !node.has(list, '90999')))
  for (const node of nodes) {
    assert.equal(node.find(list, '90999')?.name, 'Newer bank', 'orders that name it still show it')
    assert.ok(node.items(list).every(({ code }) => code !== '90999'))
    assert.deepEqual(
      { version: node.version(list), other: node.version('banks/per') },
      { version: before + 3, other },
    )
  }
  await addItem(db, { list, item: { code: '90999', name: 'Back again', bic: '' }, at })
  assert.ok(await everywhere((node) => node.has(list, '90999')))
})

test('what cannot be stored is refused, and nothing changes', async () => {
  const { db } = database
  const good = { code: '55', name: 'Bank', bic: '' }
  const before = await readReference(db)
  const add = (list: ListName, changes: Partial<typeof good>) =>
    addItem(db, { list, item: { ...good, ...changes }, at })
  for (const refused of [
    () => add('banks/per', { code: '1' }),
    () => add('banks/per', { code: '01' }),
    () => add('banks/per', { name: '  ' }),
    () => add('banks/per', { name: 'x'.repeat(101) }),
    () => add('banks/per', { name: 'a\nb' }),
    () => add('banks/per', { bic: 'BFTVVNVX' }),
    () => add('banks/vietnam', { code: '970499', bic: 'BFT' }),
    () => add('dispute-reasons', { code: 'c42' }),
    () => changeItem(db, { list: 'banks/per', item: { ...good, code: '99' }, at }),
    () => removeItem(db, { list: 'banks/per', code: '99', at }),
    () => removeItem(db, { list: 'dispute-reasons', code: OTHER_REASON, at }),
  ])
    await assert.rejects(refused, OperatorRefusal)
  const now = await readReference(db)
  for (const list of listNames) assert.equal(now.version(list), before.version(list))
})

test('two changes at once have two versions', async () => {
  const add = (code: string) =>
    addItem(database.db, { list: 'banks/per', item: { code, name: 'Bank', bic: '' }, at })
  const versions = await Promise.all(['61', '62', '63'].map(add))
  assert.equal(new Set(versions).size, 3)
})

test('the command line lists and changes, and each change is in the audit log', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-reference-'))
  const operator = operatorAt({ databaseUrl: database.url, dataDir })
  const list = () => operator.run('reference', 'list', 'dispute-reasons')
  await operator.run('reference', 'add', 'dispute-reasons', '--code', 'F24', '--name', 'no authorisation')
  const changed = ['--code', 'F24', '--name', 'No cardholder authorisation', '--why', 'Amex wording']
  await operator.run('reference', 'change', 'dispute-reasons', ...changed)
  const { items, version } = await list()
  assert.ok(Array.isArray(items))
  const item = { code: 'F24', name: 'No cardholder authorisation' }
  assert.deepEqual(
    items.find(({ code }) => code === 'F24'),
    item,
  )
  await operator.run('reference', 'remove', 'dispute-reasons', '--code', 'F24')
  assert.equal((await list()).version, Number(version) + 1)
  assert.match(await operator.refused('reference', 'list', 'planets'), /banks\/per, banks\/spei/)
  rmSync(dataDir, { recursive: true })
  const lines = await database.db.query<{ action: string; subject: string; reason: string | null }>({
    text: `select action, subject, reason from audit_log where action like 'reference.%' order by entry_id`,
  })
  assert.deepEqual(
    lines.map(({ action, subject, reason }) => [action, subject, reason]),
    [
      ['reference.add', 'dispute-reasons/F24', null],
      ['reference.change', 'dispute-reasons/F24', 'Amex wording'],
      ['reference.remove', 'dispute-reasons/F24', null],
    ],
  )
})
