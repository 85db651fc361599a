// Operators change reference lists in the back office with a preview and a reason. Each change writes a line to the
// audit log.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { call, newNumber } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
})
after(() => office.close())

const list = 'banks/vietnam'
const reason = 'A new member of the network'
const added = { list, code: '970999', name: 'Ngân hàng Mới', bic: 'NEWBVNVX', reason }

const find = async (search: string) =>
  (await admin.call('GET /reference-items', { query: { list, search } })).rows

test('an item is previewed, added, changed and removed', async () => {
  const preview = await admin.call('POST /reference-items', { body: { ...added, dryRun: true } })
  assert.deepEqual(preview.changes, [
    { name: 'name', before: '', after: added.name },
    { name: 'bic', before: '', after: added.bic },
    { name: 'listed', before: false, after: true },
  ])
  assert.deepEqual(await find('970999'), [])
  await admin.call('POST /reference-items', { body: added })
  const [item] = await find('mới')
  assert.ok(item)
  assert.equal(item.code, '970999')

  const params = { code: '970999' }
  const body = { list, name: 'Moi Bank', bic: '', version: item.version, reason }
  await admin.call('PUT /reference-items/:code', { params, body })
  const late = await admin.attempt('PUT /reference-items/:code', { params, body })
  assert.equal(late.problem?.code, 'conflict')

  await admin.call('POST /reference-items/:code/remove', { params, body: { list, reason } })
  assert.deepEqual(await find('970999'), [])
  const { rows } = await admin.call('GET /audit', { query: { action: 'reference' } })
  const lines = rows.filter(({ action }) => action.startsWith('reference.'))
  assert.deepEqual(
    lines.map(({ action, subject }) => `${action} ${subject}`),
    ['remove', 'change', 'add'].map((verb) => `reference.${verb} ${list}/970999`),
  )
})

test('bad input stands at its field', async () => {
  const wrong = async (changes: object) => {
    const { problem } = await admin.attempt('POST /reference-items', { body: { ...added, ...changes } })
    return { code: problem?.code, fields: Object.keys(problem?.fields ?? {}) }
  }
  assert.deepEqual(await wrong({ code: '97' }), { code: 'invalid', fields: ['code'] })
  assert.deepEqual(await wrong({ name: ' ' }), { code: 'invalid', fields: ['name'] })
  assert.deepEqual(await wrong({ bic: 'x' }), { code: 'invalid', fields: ['bic'] })
  assert.deepEqual(await wrong({ list: 'planets' }), { code: 'not-found', fields: [] })
  assert.deepEqual(await wrong({ code: '970436' }), { code: 'invalid', fields: ['code'] })
})

test('a long list comes in pages, and only admins change it', async () => {
  const first = await admin.call('GET /reference-items', { query: { list: 'banks/spei' } })
  assert.equal(first.rows.length, 50)
  const query = { list: 'banks/spei', after: first.next ?? '' }
  const second = await admin.call('GET /reference-items', { query })
  assert.deepEqual({ rows: second.rows.length, next: second.next }, { rows: 35, next: undefined })
  const viewer = await office.operator('viewer')
  const { lists } = await viewer.call('GET /reference-lists', {})
  assert.equal(lists.length, 4)
  const { problem } = await viewer.attempt('POST /reference-items', { body: added })
  assert.equal(problem?.code, 'not-allowed')
})

test('a payment follows the list without a restart', async () => {
  const body = () => ({
    merNo: office.demo.merNo,
    merOrderNo: newNumber(),
    currencyCode: 'VND',
    sourceAmount: '250000.00',
    returnUrl: 'https://shop.example/back',
    ipAddress: '203.0.113.7',
    userId: 'u-1',
    email: 'payer@shop.example',
    productName: 'Lamp',
    paymentMethodStr: 'va',
    vaBankId: 970_998,
    version: 'V3.0.0',
  })
  const code = async () => (await call(office.demo, '/payment', body(), { paymenttype: 'VN_BANK' })).code
  assert.equal(await code(), '10013')
  await admin.call('POST /reference-items', { body: { ...added, code: '970998' } })
  assert.ok(await eventually(async () => (await code()) === '00000'))
})
