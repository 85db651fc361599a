// The search box finds things by name or by id, for people who may see them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderInReview } from '../../../../test/builders/reviews.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { bookSuspense } from '../../../money/suspense/book-suspense.ts'

let office: BackOffice
let owner: Person
let operator: Person
let clerk: Person
before(async () => {
  office = await openBackOffice()
  owner = await office.person(office.demo.merNo, 'owner')
  operator = await office.operator()
  await owner.call('POST /roles', { body: { role: 'clerk', permissions: ['orders.read'] } })
  clerk = await office.person(office.demo.merNo, 'clerk')
})
after(() => office.close())

/** Returns the results as texts of the form `kind path`. */
async function found(person: Person, q: string, merNo?: number): Promise<string[]> {
  const query = merNo === undefined ? { q } : { q, merNo }
  const { groups } = await person.call('GET /search', { query })
  return groups.flatMap(({ kind, rows }) => rows.map(({ path }) => `${kind} ${path}`))
}

test('payment links are found by part of their title or reference', async () => {
  const { merNo } = office.demo
  const content = { currency: 'EUR', amount: '24.00', uses: 'one', language: '', notifyUrl: '' } as const
  const body = { ...content, title: 'Blue lamp', reference: 'INV-7' }
  const { linkId } = await owner.call('POST /links', { body })
  for (const q of ['bLUe l', 'inv-7']) assert.deepEqual(await found(owner, q), [`links /links/${linkId}`])
  assert.ok((await found(owner, linkId)).includes(`links /links/${linkId}`))
  assert.deepEqual(await found(operator, 'blue lamp', merNo), [`links /merchant-links/${linkId}`])
  assert.deepEqual(await found(operator, 'blue lamp'), [], 'no merchant is named')
  const stranger = await office.person(merNo + 1, 'owner')
  assert.deepEqual(await found(stranger, 'blue lamp'), [])
  assert.deepEqual(await found(stranger, linkId), [])
})

test('beneficiaries and payout runs are found by name, for people who see payouts', async () => {
  const { merNo } = office.demo
  const fields = {
    benFirstName: 'Paper',
    benLastName: 'Mill',
    addressLine: '1 Market Street',
    city: 'Berlin',
    countryCode: 'DE',
    beneficiaryType: 'business',
    bankCode: 'BOFAUS3N',
    cardNo: '000123456789',
  }
  const body = { label: 'Mill & Söhne', kind: 'bank_account', currency: 'USD', fields } as const
  await owner.call('POST /beneficiaries', { body })
  const path = '/payouts/beneficiaries?name=Mill+%26+S%C3%B6hne'
  for (const q of ['mILL &', 'söhne', 'SÖHNE', '…6789'])
    assert.deepEqual(await found(owner, q), [`beneficiaries ${path}`])
  assert.deepEqual(await found(clerk, 'söhne'), [])
  assert.deepEqual(await found(operator, 'söhne', merNo), [], 'operators have no page of them')
  await office.db.query({
    text: `insert into payout_runs (mer_no, run_id, request_key, name, state, reason, created_by, created_at)
      values ($1, 'W1', 'key', 'Rent march.csv', 'waiting', 'Rent', 'ann', now())`,
    values: [merNo],
  })
  assert.deepEqual(await found(owner, 'march'), ['payoutRuns /payouts/runs/W1'])
})

test('a review and a notification are found by their number', async () => {
  const { merNo } = office.demo
  const { tradeNo } = await orderInReview(office.db, { merNo })
  assert.ok((await found(owner, tradeNo)).includes(`reviews /disputes/reviews/${tradeNo}`))
  assert.ok((await found(operator, tradeNo)).includes(`reviews /queues/reviews/${tradeNo}`))
  const seen = await found(clerk, tradeNo)
  assert.ok(!seen.some((one) => one.startsWith('reviews')))
  await pay(office.demo, { notifyUrl: 'https://shop.example/notify' })
  const first = async () => (await owner.call('GET /notifications', {})).rows[0]?.notificationId
  assert.ok(await eventually(async () => (await first()) !== undefined))
  const id = (await first()) ?? ''
  assert.deepEqual(await found(owner, id), [`notifications /developers/notifications/${id}`])
})

test('roles, channels, risk rules and statements of channels are found by name', async () => {
  assert.ok((await found(owner, 'cler')).includes('roles /settings/roles'))
  assert.deepEqual(await found(owner, 'card'), [], 'channels are for operators')
  assert.ok((await found(operator, 'car')).includes('channels /channels'))
  const rule = { merNo: 0, name: 'Night shift', action: 'refuse', reason: 'Tried out' } as const
  const { ruleId } = await operator.call('POST /risk/rules', {
    body: { ...rule, conditions: { countries: ['AQ'] } },
  })
  assert.deepEqual(await found(operator, 'night SH'), [`rules /risk/rules/${ruleId}`])
  const content = 'reference,type,amount,currency,fee,date\n'
  const body = { channel: 'card', fileName: 'acquirer-03.csv', content, reason: 'Monthly' }
  await operator.call('POST /reconciliation/imports', { body })
  const isFound = async () => (await found(operator, 'ACQUIRER-03')).length === 1
  assert.ok(await eventually(isFound))
  assert.match((await found(operator, 'acquirer-03'))[0] ?? '', /^statements \/books\/reconciliation\/I\w+$/)
})

test('money in suspense is found by its reference or order, by operators who see it', async () => {
  const { merNo } = office.demo
  const booked = {
    merNo,
    channel: 'card',
    reference: 'stray-77',
    why: 'unmatched',
    origin: 'statement',
  } as const
  const money = { amount: 500n, currency: 'USD' }
  await office.db.transaction((tx) => bookSuspense(tx, [{ ...booked, money, at: new Date() }]))
  assert.deepEqual(await found(operator, 'stray-77'), [`suspense /queues/suspense?merNo=${merNo}`])
  assert.deepEqual(await found(operator, 'stray-7'), [])
  assert.deepEqual(await found(owner, 'stray-77'), [])
})

test('lines of the audit log are found by their whole subject, by people who may read them', async () => {
  const { merNo } = office.demo
  const stranger = await office.person(merNo + 1, 'owner')
  const content = { currency: 'EUR', amount: '24.00', uses: 'one', language: '', notifyUrl: '' } as const
  const { linkId } = await owner.call('POST /links', { body: { ...content, title: 'Lamp', reference: '' } })
  const line = `audit /settings/audit?subject=${linkId}`
  assert.ok((await found(owner, linkId)).includes(line))
  assert.ok((await found(operator, linkId)).includes(line))
  assert.deepEqual(await found(stranger, linkId), [])
  assert.deepEqual(await found(clerk, linkId), [])
})
