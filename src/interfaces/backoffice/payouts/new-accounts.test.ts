import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { mailTo } from '../../../../test/harness/people.ts'
import { openVault } from '../../../platform/base/secret.ts'
import { readConfig } from '../../../platform/config/config.ts'

let office: BackOffice
let ann: Person
let bob: Person
before(async () => {
  office = await openBackOffice()
  ann = await office.person(office.demo.merNo, 'finance')
  bob = await office.person(office.demo.merNo, 'owner')
})
after(() => office.close())

const [BANK, OTHER_BANK] = ['CHASUS33', 'BOFAUS3N']
const address = {
  addressLine: '1 Market Street',
  city: 'Berlin',
  countryCode: 'DE',
  beneficiaryType: 'business',
}
const payee = { benFirstName: 'Paper', benLastName: 'Mill', ...address }
const entered = (cardNo: string, bankCode = BANK) =>
  ({
    label: 'Paper mill',
    kind: 'bank_account',
    currency: 'USD',
    fields: { ...payee, cardNo, bankCode },
  }) as const

async function saveConfirmed(cardNo: string): Promise<string> {
  const { beneficiaryId } = await ann.call('POST /beneficiaries', { body: entered(cardNo) })
  const { rows } = await bob.call('GET /payouts/approvals', { query: {} })
  const approvalId = rows.find((one) => one.subject === beneficiaryId)?.approvalId ?? ''
  const input = { params: { approvalId }, body: { reason: 'I called them' } }
  await bob.call('POST /payouts/approvals/:approvalId/approve', input)
  return beneficiaryId
}

async function find(beneficiaryId: string) {
  const { rows } = await ann.call('GET /beneficiaries', {})
  const found = rows.find((one) => one.beneficiaryId === beneficiaryId)
  assert.ok(found)
  return found
}

async function change(beneficiaryId: string, cardNo: string, bankCode: string) {
  const { version } = await find(beneficiaryId)
  const body = { ...entered(cardNo, bankCode), label: 'Mill', version }
  await ann.call('PUT /beneficiaries/:beneficiaryId', { params: { beneficiaryId }, body })
  return find(beneficiaryId)
}

const lineTo = (cardNo: string, bankCode: string) => ({
  ...payee,
  withdrawType: '3',
  currencyCode: 'USD',
  sourceAmount: '5.00',
  cardNo,
  bankCode,
})

async function whyAsked(cardNo: string, bankCode: string) {
  const body = { lines: [lineTo(cardNo, bankCode)] }
  const { problems, secondPerson } = await ann.call('POST /payouts/check', { body })
  assert.equal(problems, 0)
  return secondPerson
}

test('the same number at another bank is another account: it waits, and the owner is told', async () => {
  const number = '40011223'
  const beneficiaryId = await saveConfirmed(number)
  assert.deepEqual(await whyAsked('4001 1223', BANK.toLowerCase()), [])
  assert.deepEqual(await whyAsked(number, OTHER_BANK), ['account'])
  assert.equal((await change(beneficiaryId, '', BANK)).isUsable, true)
  const { isUsable, approvalId } = await change(beneficiaryId, '', OTHER_BANK)
  assert.deepEqual(
    { isUsable, needsApproval: approvalId !== undefined },
    { isUsable: false, needsApproval: true },
  )
  await mailTo(office, bob.email, /A payout account was saved: Mill \(…1223 BOFAUS3N\)/)
  assert.deepEqual(await whyAsked(number, BANK), ['account'], 'the account at the former bank is gone')
  const second = await ann.call('POST /beneficiaries', { body: entered(number) })
  assert.notEqual(second.beneficiaryId, beneficiaryId)
})

test('an IBAN names its bank', async () => {
  const iban = 'NL91ABNA0417164300'
  const beneficiaryId = await saveConfirmed(iban)
  assert.deepEqual(await whyAsked(iban, OTHER_BANK), [])
  assert.equal((await change(beneficiaryId, '', OTHER_BANK)).isUsable, true)
})

test('an account that was saved before banks counted is trusted at its own bank only', async () => {
  const number = '50011223'
  const beneficiaryId = await saveConfirmed(number)
  const vault = openVault(readConfig({ TOLLGATE_DATA_DIR: office.dataDir }).masterKey)
  await office.db.query({
    text: 'update beneficiaries set fingerprint = $2 where beneficiary_id = $1',
    values: [beneficiaryId, vault.fingerprint(`beneficiary:bank_account:${number}`)],
  })
  assert.deepEqual(await whyAsked(number, BANK), [])
  assert.deepEqual(await whyAsked(number, OTHER_BANK), ['account'])
  const repeated = await ann.attempt('POST /beneficiaries', { body: entered(number) })
  assert.match(repeated.problem?.message ?? '', /saved already/)
  assert.equal((await change(beneficiaryId, '', BANK)).isUsable, true, 'a changed name does not wait')
  await office.db.query({
    text: 'update beneficiaries set fingerprint = $2 where beneficiary_id = $1',
    values: [beneficiaryId, vault.fingerprint(`beneficiary:bank_account:${number}`)],
  })
  assert.equal((await change(beneficiaryId, '', OTHER_BANK)).isUsable, false)
})

test('a Pix key that is a mail address is another one without its dot', async () => {
  const pix = { label: 'Rosa', kind: 'pix', currency: 'BRL' } as const
  const fields = { benFirstName: 'Rosa', benLastName: 'Lima', cardNo: 'rosa.lima@shop.example' }
  await ann.call('POST /beneficiaries', { body: { ...pix, fields } })
  const body = { ...pix, fields: { ...fields, cardNo: 'rosalima@shop.example' } }
  assert.equal((await ann.attempt('POST /beneficiaries', { body })).status, 200)
})

test('the owner is told of accounts that are paid without being saved, in one mail', async () => {
  const lines = ['60010001', '60010002', '60010002'].map((number) => lineTo(number, BANK))
  const body = { lines, reason: 'March', key: 'new-accounts-1' }
  const { runId, approvalId } = await ann.call('POST /payouts/runs', { body })
  assert.ok(approvalId)
  const { text } = await mailTo(office, bob.email, new RegExp(`Payouts to new accounts wait: ${runId}`))
  const named = 'Paper Mill (…0001 CHASUS33), Paper Mill (…0002 CHASUS33). They'
  assert.ok(text.includes(named) && text.includes(`${ann.email} entered payouts`), text)
  assert.ok(!text.includes('6001'))
  const many = Array.from({ length: 12 }, (_, at) => lineTo(`7001${1000 + at}`, BANK))
  const second = await ann.call('POST /payouts/runs', {
    body: { lines: many, reason: 'April', key: 'new-accounts-2' },
  })
  const mail = await mailTo(office, bob.email, new RegExp(`new accounts wait: ${second.runId}`))
  assert.match(mail.text, /…1009 CHASUS33\), and 2 more\./)
})

test('a run that nobody approved in time keeps no order numbers, and can be rejected but not approved', async () => {
  const line = { ...lineTo('80010001', BANK), merOrderNo: 'expired-1' }
  const start = (key: string) =>
    ann.attempt('POST /payouts/runs', { body: { lines: [line], reason: 'May', key } })
  const { runId = '', approvalId = '' } = (await start('expired-1')).reply ?? {}
  assert.match((await start('expired-2')).problem?.message ?? '', /used by another line/)
  await office.db.query({
    text: `update payout_runs set created_at = created_at - interval '7 days' where run_id = $1`,
    values: [runId],
  })
  await office.db.query({
    text: `update approvals set expires_at = expires_at - interval '7 days' where approval_id = $1`,
    values: [approvalId],
  })
  assert.equal((await start('expired-3')).status, 200)
  const input = { params: { approvalId }, body: { reason: 'Too late' } }
  const late = await bob.attempt('POST /payouts/approvals/:approvalId/approve', input)
  assert.match(late.problem?.message ?? '', /has expired/)
  await bob.call('POST /payouts/approvals/:approvalId/reject', input)
  const { run, lines } = await ann.call('GET /payouts/runs/:runId', { params: { runId } })
  assert.deepEqual({ run: run.state, line: lines[0]?.state }, { run: 'rejected', line: 'rejected' })
})

async function startRun(key: string, lines: readonly Record<string, string>[]) {
  const { runId, approvalId = '' } = await ann.call('POST /payouts/runs', {
    body: { lines: [...lines], reason: 'June', key },
  })
  const { rows } = await bob.call('GET /payouts/approvals', { query: {} })
  return { runId, approvalId, payees: rows.find((one) => one.subject === runId)?.payees ?? [] }
}

test('the person who approves sees the payees, and which accounts were never paid', async () => {
  const number = '90010001'
  const first = await startRun('payees-1', [{ ...lineTo(number, BANK), merOrderNo: 'payee-1' }])
  const shown = { beneficiary: 'Paper Mill', account: '…0001 CHASUS33', country: 'DE' }
  const money = { amount: '5.00', currency: 'USD' }
  assert.deepEqual(first.payees, [{ ...shown, isNew: true, merOrderNo: 'payee-1', money }])
  const input = { params: { approvalId: first.approvalId }, body: { reason: 'I called them' } }
  await bob.call('POST /payouts/approvals/:approvalId/approve', input)
  const isPaid = async () => {
    const { rows } = await ann.call('GET /payouts', { query: { number: 'payee-1' } })
    return rows[0]?.state === 'succeeded'
  }
  assert.ok(await eventually(isPaid))

  const lines = [
    lineTo(number, BANK),
    lineTo(number, OTHER_BANK),
    lineTo('91110001', BANK),
    lineTo(number, BANK),
  ]
  const { runId, payees } = await startRun('payees-2', lines)
  assert.deepEqual(
    payees.map(({ isNew }) => isNew),
    [false, true, true],
    'the same last digits at another bank or in another number are another account',
  )
  const { lines: all } = await ann.call('GET /payouts/runs/:runId', { params: { runId } })
  assert.deepEqual(
    all.map(({ country, isNew }) => [country, isNew]),
    [
      ['DE', false],
      ['DE', true],
      ['DE', true],
      ['DE', false],
    ],
  )
  const { beneficiaryId } = await ann.call('POST /beneficiaries', { body: entered(number) })
  const { rows } = await bob.call('GET /payouts/approvals', { query: {} })
  assert.deepEqual(rows.find((one) => one.subject === beneficiaryId)?.payees, [
    { beneficiary: 'Paper mill', account: '…0001 CHASUS33', country: 'DE', isNew: false },
  ])
})
