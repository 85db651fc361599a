import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../../test/back-office.ts'

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
