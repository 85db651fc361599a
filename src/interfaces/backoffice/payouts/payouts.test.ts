import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../test/back-office.ts'
import { eventually } from '../../../test/eventually.ts'

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
  assert.deepEqual([saved?.account, saved?.isUsable], ['…3000', false])
  assert.ok(!JSON.stringify(list).includes('0532'))
  const line = { beneficiary: beneficiaryId, currencyCode: 'USD', sourceAmount: '12.50' }
  const early = await ann.call('POST /payouts/check', { body: { lines: [line] } })
  assert.deepEqual([early.problems, early.secondPerson], [0, ['account']])
  assert.match((await confirm(ann, beneficiaryId)).problem?.message ?? '', /a second person must approve/)
  assert.equal((await confirm(bob, beneficiaryId)).status, 200)
  const later = await ann.call('POST /payouts/check', { body: { lines: [line] } })
  assert.deepEqual([later.problems, later.secondPerson], [0, []])
  const body = { lines: [line], reason: 'Invoice 17', key: aKey() }
  const { runId, approvalId } = await ann.call('POST /payouts/runs', { body })
  assert.equal(approvalId, undefined)
  assert.equal((await ann.call('POST /payouts/runs', { body })).runId, runId, 'sent twice, made once')
  const { lines } = await whenDone(runId)
  const { rows } = await ann.call('GET /payouts', {})
  const made = rows.find((one) => one.tradeNo === lines[0]?.tradeNo)
  assert.deepEqual([made?.money.amount, made?.account, made?.beneficiary], ['12.50', '…3000', 'Paper Mill'])
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
  assert.deepEqual([isUsable, account, approvalId === undefined], [false, '…2606', false])
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
    [waiting.run.state, waiting.run.totals, waiting.lines.map((line) => line.state)],
    ['waiting', [{ amount: '30.00', currency: 'USD' }], ['waiting', 'waiting']],
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
  assert.deepEqual([run.made, run.refused], [2, 0])
  const { rows } = await ann.call('GET /payouts', {})
  assert.equal(rows.filter(({ merOrderNo }) => merOrderNo.startsWith('paid-')).length, 2)
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
  const change = { secondPersonAbove: '50.00', version: settings.version }
  await bob.call('PUT /payouts/settings', { body: change })
  assert.equal((await bob.attempt('PUT /payouts/settings', { body: change })).problem?.code, 'conflict')
  const large = csv(row('large-1', '50.01', 'DE89370400440532013000'))
  const checked = await ann.call('POST /payouts/check', { body: { csv: large } })
  assert.deepEqual(checked.secondPerson, ['amount'])
  const body = { csv: large, reason: 'Large', key: aKey() }
  const { runId, approvalId = '' } = await ann.call('POST /payouts/runs', { body })
  const input = { params: { approvalId }, body: { reason: 'Not agreed' } }
  await bob.call('POST /payouts/approvals/:approvalId/reject', input)
  const { run, lines } = await runOf(ann, runId)
  assert.deepEqual([run.state, lines[0]?.state], ['rejected', 'rejected'])
  assert.equal(
    (await bob.attempt('POST /payouts/approvals/:approvalId/approve', input)).problem?.code,
    'refused',
  )
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
  assert.deepEqual([rows[0]?.merNo, rows[0]?.merchant], [merNo, 'Demo Shop'])
  const numbered = async (number = '') =>
    (await operator.call('GET /payouts', { query: { number } })).rows.map(({ tradeNo }) => tradeNo)
  assert.deepEqual(await numbered(own[0]), own.slice(0, 1))
  assert.deepEqual(await numbered(rows[0]?.merOrderNo), [], "a merchant's number needs its merchant")
})
