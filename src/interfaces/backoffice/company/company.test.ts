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
