import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BackOffice,
  caller,
  makeSession,
  openBackOffice,
  type Person,
} from '../../../../test/harness/back-office.ts'
import { call } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { AVAILABLE, UNSETTLED } from '../../../money/ledger/account.ts'
import { postEntries } from '../../../money/ledger/post-entries.ts'

let office: BackOffice
let ann: Person
let bob: Person
before(async () => {
  office = await openBackOffice()
  ann = await office.person(office.demo.merNo, 'finance')
  bob = await office.person(office.demo.merNo, 'owner')
})
after(() => office.close())

const address = {
  addressLine: '1 Market Street',
  city: 'Berlin',
  countryCode: 'DE',
  beneficiaryType: 'business',
}
const payee = { benFirstName: 'Paper', benLastName: 'Mill', ...address }
let keys = 0
const aKey = () => `form-${process.pid}-${++keys}`

async function saveBeneficiary(cardNo: string) {
  const body = {
    label: 'Paper mill',
    kind: 'bank_account',
    currency: 'USD',
    fields: { ...payee, cardNo },
  } as const
  return ann.call('POST /beneficiaries', { body })
}

async function confirm(person: Person, subject: string) {
  const { rows } = await person.call('GET /payouts/approvals', { query: {} })
  const approvalId = rows.find((one) => one.subject === subject)?.approvalId ?? ''
  const input = { params: { approvalId }, body: { reason: 'I called them' } }
  return person.attempt('POST /payouts/approvals/:approvalId/approve', input)
}

const runOf = (person: Person, runId: string) =>
  person.call('GET /payouts/runs/:runId', { params: { runId } })

async function whenDone(runId: string) {
  assert.ok(await eventually(async () => (await runOf(ann, runId)).run.state === 'done'))
  return runOf(ann, runId)
}

test('a new account waits for a second person, and can then be paid by one', async () => {
  const { beneficiaryId } = await saveBeneficiary('DE89 3704 0044 0532 0130 00')
  const list = await ann.call('GET /beneficiaries', {})
  const saved = list.rows.find((one) => one.beneficiaryId === beneficiaryId)
  assert.deepEqual(
    { account: saved?.account, isUsable: saved?.isUsable },
    { account: '…3000', isUsable: false },
  )
  assert.ok(!JSON.stringify(list).includes('0532'))
  const line = { beneficiary: beneficiaryId, currencyCode: 'USD', sourceAmount: '12.50' }
  const early = await ann.call('POST /payouts/check', { body: { lines: [line] } })
  assert.deepEqual(
    { problems: early.problems, secondPerson: early.secondPerson },
    { problems: 0, secondPerson: ['account'] },
  )
  assert.match((await confirm(ann, beneficiaryId)).problem?.message ?? '', /a second person must approve/)
  assert.equal((await confirm(bob, beneficiaryId)).status, 200)
  const later = await ann.call('POST /payouts/check', { body: { lines: [line] } })
  assert.deepEqual(
    { problems: later.problems, secondPerson: later.secondPerson },
    { problems: 0, secondPerson: [] },
  )
  const body = { lines: [line], reason: 'Invoice 17', key: aKey() }
  const { runId, approvalId } = await ann.call('POST /payouts/runs', { body })
  assert.equal(approvalId, undefined)
  assert.equal((await ann.call('POST /payouts/runs', { body })).runId, runId, 'sent twice, made once')
  const { lines } = await whenDone(runId)
  const { rows } = await ann.call('GET /payouts', {})
  const made = rows.find((one) => one.tradeNo === lines[0]?.tradeNo)
  assert.deepEqual(
    { amount: made?.money.amount, account: made?.account, beneficiary: made?.beneficiary },
    { amount: '12.50', account: '…3000', beneficiary: 'Paper Mill' },
  )
})

test('a wrong or repeated account is refused at its field', async () => {
  const fields = { ...payee, cardNo: 'DE89370400440532013001' }
  const entered = { label: 'Typo', kind: 'bank_account', currency: 'USD', fields } as const
  const wrong = await ann.attempt('POST /beneficiaries', { body: entered })
  assert.match(wrong.problem?.fields?.['fields.cardNo'] ?? '', /neither an IBAN nor an account number/)
  const { city: _city, ...cityless } = fields
  const missing = await ann.attempt('POST /beneficiaries', { body: { ...entered, fields: cityless } })
  assert.match(missing.problem?.fields?.['fields.city'] ?? '', /required parameter is empty/)
  const again = { ...entered, fields: { ...fields, cardNo: 'de89370400440532013000' } }
  const repeated = await ann.attempt('POST /beneficiaries', { body: again })
  assert.match(repeated.problem?.message ?? '', /saved already/)
})

test('a changed account waits again, a changed name does not, and two edits do not overwrite each other', async () => {
  const { beneficiaryId } = await saveBeneficiary('GB29NWBK60161331926819')
  await confirm(bob, beneficiaryId)
  const find = async () => {
    const { rows } = await ann.call('GET /beneficiaries', {})
    const found = rows.find((one) => one.beneficiaryId === beneficiaryId)
    assert.ok(found)
    return found
  }
  const change = (version: number, label: string, cardNo: string) =>
    ann.attempt('PUT /beneficiaries/:beneficiaryId', {
      params: { beneficiaryId },
      body: { label, kind: 'bank_account', currency: 'USD', fields: { ...payee, cardNo }, version },
    })
  const { version } = await find()
  assert.equal((await change(version, 'Renamed', '')).status, 200)
  assert.equal((await find()).isUsable, true)
  assert.equal((await change(version, 'Other', '')).problem?.code, 'conflict')
  await change(version + 1, 'Renamed', 'FR1420041010050500013M02606')
  const { isUsable, account, approvalId } = await find()
  assert.deepEqual(
    { isUsable, account, needsApproval: approvalId !== undefined },
    { isUsable: false, account: '…2606', needsApproval: true },
  )
})

test('the number of a document, which nobody is shown, stays when a name is changed', async () => {
  const kind = 'per_transfer' as const
  const names = {
    benFirstName: 'Rosa',
    benLastName: 'Quispe',
    accountType: '00',
    customerIdentificationType: '00',
  }
  const fields = { ...names, customerIdentification: '45678912', cardNo: '00219119184091600051' }
  const body = { label: 'Rosa', kind, currency: 'PEN', fields }
  const { beneficiaryId } = await ann.call('POST /beneficiaries', { body })
  const params = { beneficiaryId }
  const changed = { ...body, label: 'Rosa Q.', fields: names, version: 1 }
  assert.equal(
    (await ann.attempt('PUT /beneficiaries/:beneficiaryId', { params, body: changed })).status,
    200,
  )
  const { rows } = await ann.call('GET /beneficiaries', {})
  assert.ok(!JSON.stringify(rows).includes('45678912'))
  const line = { beneficiary: beneficiaryId, currencyCode: 'PEN', sourceAmount: '10.00' }
  const { lines } = await ann.call('POST /payouts/check', { body: { lines: [line] } })
  assert.doesNotMatch(lines[0]?.problem ?? '', /customerIdentification/)
})

const csv = (...rows: string[]) =>
  [
    'merOrderNo,withdrawType,currencyCode,sourceAmount,cardNo,benFirstName,benLastName,addressLine,city,countryCode,beneficiaryType',
    ...rows,
  ].join('\r\n')
const row = (number: string, amount: string, account: string) =>
  `${number},3,USD,${amount},${account},Paper,Mill,"1, Market Street",Berlin,DE,business`

test('a file is checked line by line as the interface would, with totals', async () => {
  const file = csv(
    row('file-1', '10.00', 'DE89370400440532013000'),
    row('file-1', '11.00', 'DE89370400440532013000'),
    row('file-3', '12.00', 'DE00370400440532013000'),
    row('file-4', '1.0', 'DE89370400440532013000'),
    row('file-5', '99000.00', 'DE89370400440532013000'),
    row('', '5.00', 'GB29NWBK60161331926819'),
  )
  const checked = await ann.call('POST /payouts/check', { body: { csv: file } })
  assert.deepEqual(
    checked.lines.map(({ problem, field }) => [problem?.split(':')[0] ?? '', field ?? '']),
    [
      ['', ''],
      ['Duplicate merchant order number', 'merOrderNo'],
      ["Beneficiary's account is not valid", 'cardNo'],
      ['A parameter breaks a restriction', 'sourceAmount'],
      ['Balance is too low', 'sourceAmount'],
      ['', ''],
    ],
  )
  assert.equal(checked.problems, 4)
  const [german, , , , , british] = checked.lines.map(({ currencyDoubt }) => currencyDoubt)
  assert.deepEqual(
    { german, british },
    {
      german: { country: 'DE', usual: ['EUR'] },
      british: { country: 'GB', usual: ['GBP', 'EUR'] },
    },
  )
  const run = await ann.attempt('POST /payouts/runs', { body: { csv: file, reason: 'Rent', key: aKey() } })
  assert.match(run.problem?.message ?? '', /4 of the payouts cannot be made. Line 3/)
  const broken = await ann.attempt('POST /payouts/check', { body: { csv: 'a,b\n1,2,3' } })
  assert.match(broken.problem?.fields?.csv ?? '', /first line names the columns/)
})

test('a file with a new account needs a second person; it is made once, also if two people approve it', async () => {
  const body = {
    csv: csv(row('paid-1', '10.00', 'DE89370400440532013000'), row('paid-2', '20.00', 'NL91ABNA0417164300')),
    name: 'march.csv',
    reason: 'March',
    key: aKey(),
  }
  const { runId, approvalId = '' } = await ann.call('POST /payouts/runs', { body })
  const waiting = await runOf(ann, runId)
  assert.deepEqual(
    { run: waiting.run.state, totals: waiting.run.totals, lines: waiting.lines.map((line) => line.state) },
    { run: 'waiting', totals: [{ amount: '30.00', currency: 'USD' }], lines: ['waiting', 'waiting'] },
  )
  const cid = await office.person(office.demo.merNo, 'finance')
  const approve = (person: Person) =>
    person.attempt('POST /payouts/approvals/:approvalId/approve', {
      params: { approvalId },
      body: { reason: 'Checked' },
    })
  assert.equal((await approve(ann)).problem?.code, 'refused')
  const both = await Promise.all([approve(bob), approve(cid)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const { run } = await whenDone(runId)
  assert.deepEqual({ made: run.made, refused: run.refused }, { made: 2, refused: 0 })
  const { rows } = await ann.call('GET /payouts', {})
  assert.equal(rows.filter(({ merOrderNo }) => merOrderNo.startsWith('paid-')).length, 2)
  // Within a second of the first order, the refusal of a duplicate has another code (10003).
  await sleep(1_000)
  const again = await ann.call('POST /payouts/check', { body: { csv: body.csv } })
  assert.deepEqual(
    again.lines.map(({ problem, field }) => [problem, field]),
    Array.from({ length: 2 }, () => ['Duplicate merchant order number', 'merOrderNo']),
  )
  const audited = await office.db.query({
    text: `select action, actor from audit_log where subject in ($1, $2) order by entry_id`,
    values: [runId, approvalId],
  })
  assert.deepEqual(audited.map(({ action }: { action?: string }) => action).sort(), [
    'approval.approve',
    'approval.ask',
    'payouts.create',
  ])
})

test("above the merchant's own amount a second person approves, and a rejected run pays nothing", async () => {
  const settings = await bob.call('GET /payouts/settings', {})
  const change = { secondPersonAbove: '50.00', includesInterface: false, version: settings.version }
  await bob.call('PUT /payouts/settings', { body: change })
  assert.equal((await bob.attempt('PUT /payouts/settings', { body: change })).problem?.code, 'conflict')
  const noAmount = { includesInterface: true, version: settings.version + 1 }
  for (const body of [noAmount, { ...noAmount, secondPersonAbove: '' }])
    assert.deepEqual((await bob.attempt('PUT /payouts/settings', { body })).problem?.fields, {
      secondPersonAbove: 'Enter an amount in US dollars, such as 1000.00.',
    })
  const large = csv(row('large-1', '50.01', 'DE89370400440532013000'))
  const checked = await ann.call('POST /payouts/check', { body: { csv: large } })
  assert.deepEqual(checked.secondPerson, ['amount'])
  const body = { csv: large, reason: 'Large', key: aKey() }
  const { runId, approvalId = '' } = await ann.call('POST /payouts/runs', { body })
  const input = { params: { approvalId }, body: { reason: 'Not agreed' } }
  await bob.call('POST /payouts/approvals/:approvalId/reject', input)
  const { run, lines } = await runOf(ann, runId)
  assert.deepEqual({ run: run.state, line: lines[0]?.state }, { run: 'rejected', line: 'rejected' })
  assert.equal(
    (await bob.attempt('POST /payouts/approvals/:approvalId/approve', input)).problem?.code,
    'refused',
  )
})

test('a run that can no longer be made cannot be approved, and can be rejected', async () => {
  const body = { csv: csv(row('gone-1', '50.01', 'DE89370400440532013000')), reason: 'Large', key: aKey() }
  const { runId, approvalId = '' } = await ann.call('POST /payouts/runs', { body })
  const input = { params: { approvalId }, body: { reason: 'Seen' } }
  const { merNo } = office.demo
  const [sum] = await office.db.query<{ net: bigint }>({
    text: `select credits - debits as net from balances where mer_no = $1 and account = $2 and currency = 'USD'`,
    values: [merNo, AVAILABLE],
  })
  // The balance becomes negative, as after a chargeback. Then other currencies must not be paid out either.
  const money = { amount: (sum?.net ?? 0n) + 1n, currency: 'USD' }
  const move = (step: string, debit: string, credit: string) =>
    office.db.transaction((tx) =>
      postEntries(tx, [{ merNo, subject: runId, step, debit, credit, money, at: new Date() }]),
    )
  await move('taken', AVAILABLE, UNSETTLED)
  const { problem } = await bob.attempt('POST /payouts/approvals/:approvalId/approve', input)
  assert.match(problem?.message ?? '', /cannot be made any more. Line \d: Balance is too low/)
  await bob.call('POST /payouts/approvals/:approvalId/reject', input)
  assert.equal((await runOf(ann, runId)).run.state, 'rejected')
  await move('given', UNSETTLED, AVAILABLE)
})

test('an account whose bank was removed from the list meanwhile cannot be confirmed', async () => {
  const fields = { ...payee, cardNo: '00219119184091600159', bankCode: '02', accountType: '00' }
  const identity = { customerIdentificationType: '00', customerIdentification: '12345678' }
  const entered = {
    label: 'Lima',
    kind: 'per_transfer',
    currency: 'PEN',
    fields: { ...fields, ...identity },
  } as const
  const { beneficiaryId } = await ann.call('POST /beneficiaries', { body: entered })
  const admin = await office.operator()
  const list = 'banks/per'
  const item = (await admin.call('GET /reference-items', { query: { list } })).rows.find(
    ({ code }) => code === '02',
  )
  const removal = { list, version: item?.version ?? '', reason: 'Closed' } as const
  await admin.call('POST /reference-items/:code/remove', { params: { code: '02' }, body: removal })
  const isRefused = async () => /bankCode/.test((await confirm(bob, beneficiaryId)).problem?.message ?? '')
  assert.ok(await eventually(isRefused))
})

const send = (sourceAmount: string, merOrderNo: string) =>
  call(office.demo, '/payout', {
    ...payee,
    merNo: office.demo.merNo,
    merOrderNo,
    currencyCode: 'USD',
    sourceAmount,
    withdrawType: '3',
    cardNo: 'DE89370400440532013000',
    returnUrl: 'https://shop.example/back',
    notifyUrl: '',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
  })

async function includeInterface(includesInterface: boolean): Promise<void> {
  const { version } = await bob.call('GET /payouts/settings', {})
  await bob.call('PUT /payouts/settings', {
    body: { secondPersonAbove: '50.00', includesInterface, version },
  })
}

const stateOf = async (number: unknown) =>
  (await ann.call('GET /payouts', { query: { number: String(number) } })).rows[0]

test("payouts by the interface wait for the merchant's people only if the merchant wants it", async () => {
  await includeInterface(false)
  assert.notEqual((await stateOf((await send('50.01', 'api-off')).data.tradeNo))?.state, 'awaiting_approval')
  await includeInterface(true)
  assert.notEqual(
    (await stateOf((await send('50.00', 'api-small')).data.tradeNo))?.state,
    'awaiting_approval',
  )
  const { code, data } = await send('50.01', 'api-large')
  assert.deepEqual(
    { code, payCode: data.payCode, message: data.message },
    { code: '00000', payCode: 2, message: 'Waiting for approval' },
  )
  const tradeNo = String(data.tradeNo)
  const { rows } = await ann.call('GET /payouts', { query: { awaits: 'merchant' } })
  assert.deepEqual(
    rows.map((one) => [one.tradeNo, one.awaits]),
    [[tradeNo, ['merchant']]],
  )
  const { attention } = await ann.call('GET /overview', { query: {} })
  assert.ok(attention.approvals > 0)
  assert.equal(attention.payoutsToApprove, 0)
  const operator = await office.operator()
  assert.deepEqual((await operator.call('GET /payouts/waiting', { query: {} })).rows, [])
  const input = { params: { tradeNo }, body: { reason: 'Checked' } }
  const developer = await office.person(office.demo.merNo, 'developer')
  const way = 'POST /payouts/own/:tradeNo/approve'
  assert.equal((await operator.attempt('POST /payouts/:tradeNo/approve', input)).problem?.code, 'refused')
  for (const person of [operator, developer])
    assert.equal((await person.attempt(way, input)).problem?.code, 'not-allowed')
  await ann.call(way, input)
  assert.ok(await eventually(async () => (await stateOf(tradeNo))?.state === 'succeeded'))
})

test('a payout that needs the operator, too, is sent once both have approved it', async () => {
  await includeInterface(true)
  const operator = await office.operator()
  const { merNo } = office.demo
  const strict = (payoutApproval: string) =>
    operator.call('PUT /merchants/:merNo', {
      params: { merNo },
      body: { options: { payoutApproval }, reason: 'New terms' },
    })
  await strict('60.00')
  const tradeNo = String((await send('60.01', 'api-both')).data.tradeNo)
  assert.deepEqual((await stateOf(tradeNo))?.awaits, ['platform', 'merchant'])
  const input = { params: { tradeNo }, body: { reason: 'Checked' } }
  await operator.call('POST /payouts/:tradeNo/approve', input)
  assert.deepEqual((await stateOf(tradeNo))?.awaits, ['merchant'])
  assert.equal((await operator.attempt('POST /payouts/:tradeNo/approve', input)).problem?.code, 'refused')
  // This person has an account on each side, but must not approve for both sides.
  const email = operator.email.replace('@', '+owner@')
  const token = await makeSession(office.db, { merNo, role: 'owner', email, password: undefined })
  const same = caller(office.baseUrl, email, `tollgate=${token}`)
  const alone = await same.attempt('POST /payouts/own/:tradeNo/approve', input)
  assert.match(alone.problem?.message ?? '', /you have approved \w+ before: another person must/)
  assert.equal((await stateOf(tradeNo))?.state, 'awaiting_approval')
  await ann.call('POST /payouts/own/:tradeNo/approve', input)
  assert.ok(await eventually(async () => (await stateOf(tradeNo))?.state === 'succeeded'))
  const other = String((await send('60.01', 'api-rejected')).data.tradeNo)
  const rejection = { params: { tradeNo: other }, body: { reason: 'Unknown account' } }
  await ann.call('POST /payouts/own/:tradeNo/reject', rejection)
  assert.equal((await stateOf(other))?.state, 'failed')
  await strict('none')
  await includeInterface(false)
})

test('a run that a second person approved is not approved again line by line', async () => {
  await includeInterface(true)
  const body = {
    csv: csv(row('run-1', '70.00', 'DE89370400440532013000')),
    reason: 'Approved as a run',
    key: aKey(),
  }
  const { runId, approvalId = '' } = await ann.call('POST /payouts/runs', { body })
  const input = { params: { approvalId }, body: { reason: 'Checked' } }
  await bob.call('POST /payouts/approvals/:approvalId/approve', input)
  const { lines } = await whenDone(runId)
  assert.notEqual((await stateOf(lines[0]?.tradeNo))?.state, 'awaiting_approval')
  await includeInterface(false)
})

test("another merchant's runs, approvals and beneficiaries do not exist for its staff", async () => {
  const [other] = await office.db.query<{ mer_no: bigint }>({
    text: `insert into merchants (mer_no, name, state, timezone, created_at) select mer_no + 1, 'Other', state, timezone, now()
      from merchants limit 1 returning mer_no`,
  })
  const eve = await office.person(Number(other?.mer_no), 'owner')
  const { rows } = await ann.call('GET /payouts/runs', {})
  const runId = rows[0]?.runId ?? ''
  assert.equal((await eve.attempt('GET /payouts/runs/:runId', { params: { runId } })).status, 404)
  assert.deepEqual((await eve.call('GET /beneficiaries', {})).rows, [])
  assert.deepEqual((await eve.call('GET /payouts', {})).rows, [])
  const { beneficiaryId } = await saveBeneficiary('ES9121000418450200051332')
  const waiting = await ann.call('GET /payouts/approvals', { query: {} })
  const approvalId = waiting.rows.find((one) => one.subject === beneficiaryId)?.approvalId ?? ''
  const input = { params: { approvalId }, body: { reason: 'Mine' } }
  const tried = await eve.attempt('POST /payouts/approvals/:approvalId/approve', input)
  assert.equal(tried.problem?.code, 'not-found')
})

test('an operator lists the payouts of all merchants in any state, and finds one by our number', async () => {
  const { merNo } = office.demo
  const own = (await ann.call('GET /payouts', {})).rows.map(({ tradeNo }) => tradeNo)
  assert.ok(own.length > 0)
  const operator = await office.operator()
  const { rows } = await operator.call('GET /payouts', { query: {} })
  assert.deepEqual(
    rows.map(({ tradeNo }) => tradeNo),
    own,
  )
  assert.deepEqual({ merNo: rows[0]?.merNo, merchant: rows[0]?.merchant }, { merNo, merchant: 'Demo Shop' })
  const numbered = async (number = '') =>
    (await operator.call('GET /payouts', { query: { number } })).rows.map(({ tradeNo }) => tradeNo)
  assert.deepEqual(await numbered(own[0]), own.slice(0, 1))
  assert.deepEqual(await numbered(rows[0]?.merOrderNo), [], "a merchant's number needs its merchant")
})
