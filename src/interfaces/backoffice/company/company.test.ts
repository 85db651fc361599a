import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../../../test/harness/back-office.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

test('people see their own company, and operators have none', async () => {
  const viewer = await office.person(office.demo.merNo, 'viewer')
  const company = await viewer.call('GET /company', {})
  assert.equal(company.merNo, office.demo.merNo)
  assert.equal(company.state, 'active')
  assert.ok(company.currencies.length > 0)
  const operator = await office.operator()
  assert.equal((await operator.attempt('GET /company', {})).status, 404)
})

test('the owner changes what the company says about itself, and operators see it', async () => {
  const { merNo } = office.demo
  const owner = await office.person(merNo, 'owner')
  const { details } = await owner.call('GET /company', {})
  assert.deepEqual(details, { contact: '', email: '', website: '', country: '', version: 0 })
  const typed = { contact: 'Front Desk', email: 'Desk@demo.example', website: 'https://demo.example/about' }
  const change = (changes: object) =>
    owner.attempt('PUT /company/details', { body: { ...typed, country: 'PT', version: 0, ...changes } })
  const wrong = await change({ email: 'desk', website: '*', country: 'XX' })
  assert.deepEqual(Object.keys(wrong.problem?.fields ?? {}), ['email', 'website', 'country'])
  assert.deepEqual((await change({})).reply, { version: 1 })
  assert.equal((await change({ contact: 'Late' })).problem?.code, 'conflict')
  assert.deepEqual((await change({ country: 'ES', version: 1 })).reply, { version: 2 })
  const support = await office.operator('support')
  const seen = await support.call('GET /merchants/:merNo/company', { params: { merNo } })
  const saved = { contact: 'Front Desk', email: 'desk@demo.example', website: 'demo.example', country: 'ES' }
  assert.deepEqual(seen, saved)
  const admin = await office.operator()
  const { rows } = await admin.call('GET /audit', { query: { merNo, action: 'company.edit' } })
  const params = { entryId: rows[0]?.entryId ?? '' }
  const { before, after } = await admin.call('GET /audit/:entryId', { params })
  assert.deepEqual(
    { before: before?.country, after: after?.country, lines: rows.length },
    { before: 'PT', after: 'ES', lines: 2 },
  )
})

test('the owner sets the logo and the colour of the payment pages, with a line in the audit log', async () => {
  const { merNo } = office.demo
  const owner = await office.person(merNo, 'owner')
  const first = await owner.call('GET /company/look', {})
  assert.deepEqual([first.accent, first.logo], [null, null])
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(20)])
  const change = (accent: string, logo: string, version: string) =>
    owner.attempt('PUT /company/look', { body: { accent, logo, version } })
  const wrong = await change('teal', Buffer.from('<svg>').toString('base64'), first.version)
  assert.deepEqual(Object.keys(wrong.problem?.fields ?? {}), ['accent', 'logo'])
  assert.equal((await change('#7C2D12', png.toString('base64'), first.version)).status, 200)
  assert.equal((await change('none', 'none', first.version)).problem?.code, 'conflict')
  const { accent, logo } = await owner.call('GET /company/look', {})
  assert.deepEqual([accent, logo], ['#7c2d12', `data:image/png;base64,${png.toString('base64')}`])
  const { rows } = await owner.call('GET /audit', { query: { action: 'company.look' } })
  const params = { entryId: rows[0]?.entryId ?? '' }
  assert.equal((await owner.call('GET /audit/:entryId', { params })).after?.accent, '#7c2d12')
  const viewer = await office.person(merNo, 'viewer')
  assert.equal((await viewer.attempt('GET /company/look', {})).problem?.code, 'not-allowed')
  const operator = await office.operator()
  assert.notEqual((await operator.attempt('GET /company/look', {})).status, 200)
})

test('a request for the look changes nothing else of the merchant', async () => {
  const { merNo } = office.demo
  const owner = await office.person(merNo, 'owner')
  const operator = await office.operator()
  const terms = async () => (await operator.call('GET /merchants/:merNo', { params: { merNo } })).version
  const { accent, version } = await owner.call('GET /company/look', {})
  const before = await terms()
  const body = {
    accent: accent ?? 'none',
    version,
    feeBps: '1',
    payoutApproval: 'none',
    sites: ['evil.example'],
  }
  assert.equal((await owner.attempt('PUT /company/look', { body })).status, 200)
  assert.equal(await terms(), before)
})
