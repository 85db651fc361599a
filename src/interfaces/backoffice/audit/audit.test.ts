import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import type { AuditEntry } from '../../../platform/audit-log/entry.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'

let office: BackOffice
let owner: Person
let operator: Person
before(async () => {
  office = await openBackOffice()
  owner = await office.person(office.demo.merNo, 'owner')
  operator = await office.operator()
})
after(() => office.close())

const ann = { kind: 'user', name: 'ann@shop.example', address: '192.0.2.7' } as const

function write(entry: Partial<AuditEntry> = {}): Promise<void> {
  const line = {
    merNo: office.demo.merNo,
    at: new Date(),
    actor: ann,
    action: 'website.add',
    subject: 'a.example',
  }
  return office.db.transaction((tx) => writeAudit(tx, { ...line, ...entry }))
}

test('staff find the lines of their company, newest first, by actor, action, subject and time', async () => {
  await write({ at: new Date('2026-03-01T10:00:00Z'), subject: 'old.example' })
  await write({ at: new Date('2026-03-02T10:00:00Z'), action: 'website.remove', subject: 'old.example' })
  await write({ at: new Date('2026-03-02T11:00:00Z'), merNo: office.demo.merNo + 1, subject: 'old.example' })
  const find = async (query: object) =>
    (await owner.call('GET /audit', { query })).rows.map(({ action, at }) => `${at.slice(0, 10)} ${action}`)
  const both = ['2026-03-02 website.remove', '2026-03-01 website.add']
  assert.deepEqual(await find({ subject: 'old.example' }), both)
  assert.deepEqual(await find({ subject: 'old.example', actor: 'Ann@shop.example' }), both)
  assert.deepEqual(await find({ subject: 'old.example', actor: 'bob@shop.example' }), [])
  assert.deepEqual(await find({ subject: 'old.example', action: 'website.rem' }), both.slice(0, 1))
  const [from, until] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z']
  assert.deepEqual(await find({ subject: 'old.example', from, until }), both.slice(1))
})

test('one line shows what changed, and only to those whom it concerns', async () => {
  const change = { before: { state: 'asked' }, after: { state: 'approved' }, reason: 'checked' }
  await write({ subject: 'one.example', ...change })
  const [line] = (await owner.call('GET /audit', { query: { subject: 'one.example' } })).rows
  const params = { entryId: line?.entryId ?? '' }
  for (const person of [owner, operator]) {
    const { before, after, reason, address } = await person.call('GET /audit/:entryId', { params })
    assert.deepEqual({ before, after, reason }, change)
    assert.equal(address, ann.address)
  }
  const stranger = await office.person(office.demo.merNo + 1, 'owner')
  assert.equal((await stranger.attempt('GET /audit/:entryId', { params })).status, 404)
  assert.equal((await owner.attempt('GET /audit/:entryId', { params: { entryId: 'nonsense' } })).status, 404)
})

test('a long list has pages that neither repeat nor miss a line, and its export has every line', async () => {
  const subject = 'many.example'
  // Every seven lines have the same time, so that some pages end between lines of the same time.
  const start = Date.parse('2026-03-03T10:00:00Z')
  for (let count = 0; count < 120; count++)
    await write({ subject, reason: `=${count}`, at: new Date(start + Math.floor(count / 7)) })
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await owner.call('GET /audit', { query: { subject, ...(after && { after }) } })
    assert.ok(page.rows.length <= 50)
    seen.push(...page.rows.map(({ entryId }) => entryId))
    after = page.next
  } while (after !== undefined)
  assert.equal(new Set(seen).size, 120)
  const { reply, headers } = await owner.attempt('GET /audit.csv', { query: { subject } })
  const lines = String(reply).trim().split('\r\n')
  assert.equal(lines.length, 121)
  assert.match(lines[1] ?? '', /,'=119$/)
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="audit-[\d-]+\.csv"$/)
  const [taken] = (await owner.call('GET /audit', { query: { action: 'export.download' } })).rows
  assert.match(taken?.subject ?? '', /^audit-[\d-]+\.csv$/)
})

test('operators see every merchant, or the one that they name; staff cannot name another', async () => {
  const merNo = office.demo.merNo + 1
  await write({ merNo, subject: 'theirs.example' })
  await write({ subject: 'theirs.example' })
  const count = async (query: object) =>
    (await operator.call('GET /audit', { query: { subject: 'theirs.example', ...query } })).rows.length
  assert.equal(await count({}), 2)
  assert.equal(await count({ merNo }), 1)
  assert.equal((await owner.attempt('GET /audit', { query: { merNo } })).status, 404)
})
