// These tests make an owner of a company in every possible way: in live with a second person, in sandbox at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type BackOffice,
  openBackOffice,
  openLiveOffice,
  type Person,
} from '../../../test/harness/back-office.ts'
import { operatorAt } from '../../../test/harness/operator.ts'
import { mailTo } from '../../../test/harness/people.ts'
import { createUser } from '../users/store-users.ts'

let sandbox: BackOffice
let live: Omit<BackOffice, 'demo'>
before(async () => {
  sandbox = await openBackOffice()
  live = await openLiveOffice()
})
after(async () => {
  await sandbox.close()
  await live.close()
})

type Office = typeof live
let companies = 0

/** A company with a contact address and without people. */
async function newCompany(office: Office, contact = 'desk'): Promise<{ merNo: number; contact: string }> {
  const admin = await office.operator()
  const name = `Company ${++companies}`
  const { merNo } = await admin.call('POST /merchants', {
    body: { name, sites: ['shop.example'], reason: 'A new company' },
  })
  const email = `${contact}-${companies}@contact.example`
  await office.db.query({
    text: `insert into company_details (mer_no, contact, email, website, country, version, changed_at)
      values ($1, 'Desk', $2, 'shop.example', 'PT', 1, now())`,
    values: [merNo, email],
  })
  return { merNo, contact: email }
}

async function operatorWith(office: Office, ...permissions: string[]): Promise<Person> {
  const admin = await office.operator()
  const role = `team-${++companies}`
  await admin.call('POST /roles', { body: { role, permissions } })
  return office.person(0, role)
}

const invite = (by: Person, merNo: number, email: string, role = 'owner') =>
  by.attempt('POST /users', {
    ...(by.email.endsWith('@0.example') && { query: { merNo } }),
    body: { email, name: 'New Owner', role },
  })

const decide = (by: Person, approvalId: string, way: 'approve' | 'reject' = 'approve') =>
  by.attempt(`POST /approvals/:approvalId/${way}`, { params: { approvalId }, body: { reason: 'Checked' } })

const mailsTo = (office: Office, email: string) =>
  office.db.query<{ content: { person: string; what: string; by: string } }>({
    text: `select content from mails where recipient = $1 and template = 'owner-made' order by mail_id`,
    values: [email],
  })

async function peopleOf(office: Office, merNo: number) {
  return office.db.query<{ user_id: string; email: string; role: string; state: string; version: number }>({
    text: 'select user_id, email, role, state, version from users where mer_no = $1 order by user_id',
    values: [merNo],
  })
}

/** Adds a person to the company, with a password hash that matches no password. */
async function addPerson(office: Office, merNo: number, role: string, state: string, email: string) {
  const now = new Date()
  const userId = await office.db.transaction((tx) =>
    createUser(tx, { merNo, email, name: 'Person', role, now }),
  )
  await office.db.query({
    text: `update users set state = $3, password_hash = case when $3 = 'active' then 'argon2id$' end
      where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, state],
  })
  return { params: { userId }, query: { merNo } }
}

test('an operator needs a permission of its own to invite an owner', async () => {
  const { merNo } = await newCompany(sandbox)
  const editor = await operatorWith(sandbox, 'users.read', 'users.edit')
  assert.equal((await invite(editor, merNo, 'new@owners.example')).problem?.code, 'not-allowed')
  const allowed = await operatorWith(sandbox, 'users.read', 'users.edit', 'users.owner')
  assert.equal((await invite(allowed, merNo, 'new@owners.example')).status, 200)
})

test('nobody invites an own address as owner, however it is written', async () => {
  const { merNo } = await newCompany(sandbox)
  const admin = await sandbox.operator()
  const [name = '', host = ''] = admin.email.split('@')
  const own = [admin.email, admin.email.toUpperCase(), `  ${admin.email} `, `${name}+shop@${host}`]
  for (const email of own)
    assert.match((await invite(admin, merNo, email)).problem?.message ?? '', /make yourself an owner/, email)
  assert.deepEqual(await peopleOf(sandbox, merNo), [])
})

test('in sandbox an owner is invited at once, and the contact address of the company gets a mail', async () => {
  const { merNo, contact } = await newCompany(sandbox)
  const admin = await sandbox.operator()
  const { reply } = await invite(admin, merNo, 'at-once@owners.example')
  assert.equal(reply?.approvalId, undefined)
  await mailTo(sandbox, 'at-once@owners.example', /You are invited/)
  const { text } = await mailTo(sandbox, contact, /at-once@owners.example was invited as an owner/)
  assert.ok(text.includes(admin.email))
})

test('in live a second person with the permission approves an owner, and nothing exists before', async () => {
  const { merNo, contact } = await newCompany(live)
  const asking = await live.operator()
  const email = 'second@owners.example'
  const { reply } = await invite(asking, merNo, email)
  const approvalId = reply?.approvalId ?? assert.fail('nobody is asked')
  assert.deepEqual(
    { people: await peopleOf(live, merNo), mails: await mailsTo(live, contact) },
    { people: [], mails: [] },
  )
  assert.match((await invite(asking, merNo, email)).problem?.message ?? '', /waits for approval already/)
  assert.match((await decide(asking, approvalId)).problem?.message ?? '', /a second person/)
  const decider = await operatorWith(live, 'approvals.read', 'approvals.decide', 'users.read', 'users.edit')
  assert.equal((await decide(decider, approvalId)).problem?.code, 'not-allowed')
  const approving = await live.operator()
  assert.equal((await decide(approving, approvalId)).status, 200)
  const [person] = await peopleOf(live, merNo)
  assert.deepEqual(
    { email: person?.email, role: person?.role, state: person?.state },
    { email, role: 'owner', state: 'invited' },
  )
  assert.equal(person?.user_id, reply?.userId)
  const [mail] = await mailsTo(live, contact)
  assert.deepEqual(mail?.content.by, `${asking.email}, ${approving.email}`)
  const lines = await live.db.query<{ action: string; actor: string }>({
    text: 'select action, actor from audit_log where mer_no = $1 and subject = $2',
    values: [merNo, email],
  })
  assert.deepEqual(lines, [{ action: 'user.invite', actor: approving.email }])
})

test('an operator cannot approve an own address as owner', async () => {
  const { merNo } = await newCompany(live)
  const [asking, approving] = [await live.operator(), await live.operator()]
  const { reply } = await invite(asking, merNo, approving.email.replace('@', '+x@'))
  const { problem } = await decide(approving, reply?.approvalId ?? '')
  assert.match(problem?.message ?? '', /make yourself an owner/)
  assert.deepEqual(await peopleOf(live, merNo), [])
})

test('an approved owner of an operator is refused once the company has an owner', async () => {
  const { merNo } = await newCompany(live)
  const { reply } = await invite(await live.operator(), merNo, 'late@owners.example')
  await live.person(merNo, 'owner')
  const answer = await decide(await live.operator(), reply?.approvalId ?? '')
  assert.equal(answer.problem?.code, 'not-allowed')
})

test("another role, enabling and a reset of an owner's factors by an operator wait in live, too", async () => {
  const { merNo, contact } = await newCompany(live)
  const [asking, approving] = [await live.operator(), await live.operator()]
  const editor = await operatorWith(live, 'users.read', 'users.edit')
  const promoted = await addPerson(live, merNo, 'viewer', 'active', 'promoted@owners.example')
  const disabled = await addPerson(live, merNo, 'owner', 'disabled', 'disabled@owners.example')
  const role = { ...promoted, body: { role: 'owner', version: 1 } }
  const enabling = { ...disabled, body: { version: 1 } }
  assert.equal((await editor.attempt('PUT /users/:userId', role)).problem?.code, 'not-allowed')
  assert.equal((await editor.attempt('POST /users/:userId/enable', enabling)).problem?.code, 'not-allowed')
  const enabled = await asking.call('POST /users/:userId/enable', enabling)
  assert.deepEqual(
    { state: enabled.state, approvalId: typeof enabled.approvalId },
    { state: 'disabled', approvalId: 'string' },
  )
  const changed = await asking.call('PUT /users/:userId', role)
  assert.deepEqual(
    { role: changed.role, approvalId: typeof changed.approvalId },
    { role: 'viewer', approvalId: 'string' },
  )
  for (const { approvalId = '' } of [enabled, changed])
    assert.equal((await decide(approving, approvalId)).status, 200)
  const owner = { ...promoted, body: { version: 2, reason: 'Lost the phone' } }
  assert.equal((await editor.attempt('POST /users/:userId/reset-factor', owner)).problem?.code, 'not-allowed')
  const reset = await asking.call('POST /users/:userId/reset-factor', owner)
  assert.equal((await decide(approving, reset.approvalId ?? '')).status, 200)
  const now = (await peopleOf(live, merNo)).map((one) => [one.email, one.role, one.state])
  assert.deepEqual(now, [
    ['promoted@owners.example', 'owner', 'active'],
    ['disabled@owners.example', 'owner', 'invited'],
  ])
  const steps = (await mailsTo(live, contact)).map(({ content }) => content.what)
  assert.deepEqual(steps, ['enable', 'change-role', 'reset-factor'])
})

test('a person who was changed since is not made an owner, and the approval can be rejected', async () => {
  const { merNo } = await newCompany(live)
  const [asking, approving] = [await live.operator(), await live.operator()]
  const target = await addPerson(live, merNo, 'viewer', 'active', 'changed@owners.example')
  const { approvalId = '' } = await asking.call('PUT /users/:userId', {
    ...target,
    body: { role: 'owner', version: 1 },
  })
  const body = { version: 1, reason: 'Left' }
  await asking.call('POST /users/:userId/disable', { ...target, body })
  assert.equal((await decide(approving, approvalId)).problem?.code, 'conflict')
  assert.equal((await decide(approving, approvalId, 'reject')).status, 200)
})

test('in live another owner of the company approves, and an operator if there is no other', async () => {
  const { merNo } = await newCompany(live)
  const first = await live.person(merNo, 'owner')
  const alone = (await invite(first, merNo, 'alone@owners.example')).reply?.approvalId ?? ''
  assert.equal((await decide(await live.operator(), alone)).status, 200)
  const second = await live.person(merNo, 'owner')
  const approvalId = (await invite(first, merNo, 'third@owners.example')).reply?.approvalId ?? ''
  const input = { params: { approvalId }, body: { reason: 'A colleague' } }
  const way = 'POST /payouts/approvals/:approvalId/approve'
  const finance = await live.person(merNo, 'finance')
  assert.equal((await decide(await live.operator(), approvalId)).problem?.code, 'refused')
  assert.equal((await finance.attempt(way, input)).problem?.code, 'not-allowed')
  assert.equal((await first.attempt(way, input)).problem?.code, 'refused')
  assert.equal((await second.attempt(way, input)).status, 200)
  assert.equal((await invite(first, merNo, 'viewer@owners.example', 'viewer')).reply?.approvalId, undefined)
})

test('no role that people define makes an owner, and nobody adds to an own role what is missing', async () => {
  const { merNo } = await newCompany(sandbox)
  const owner = await sandbox.person(merNo, 'owner')
  const permissions = ['users.read', 'users.edit', 'users.owner']
  const refused = await owner.attempt('POST /roles', { body: { role: 'almost', permissions } })
  assert.ok(refused.problem?.fields?.permissions)
  await owner.call('POST /roles', { body: { role: 'almost', permissions: ['users.read', 'users.edit'] } })
  const almost = await sandbox.person(merNo, 'almost')
  const wider = { permissions: ['users.read', 'users.edit', 'keys.secret'], version: 1 }
  const tried = await almost.attempt('PUT /roles/:role', { params: { role: 'almost' }, body: wider })
  assert.equal(tried.problem?.code, 'not-allowed')
  const me = (await peopleOf(sandbox, merNo)).find(({ email }) => email === almost.email)
  const promoted = { params: { userId: me?.user_id ?? '' }, body: { role: 'owner', version: 1 } }
  assert.equal((await almost.attempt('PUT /users/:userId', promoted)).problem?.code, 'not-allowed')
})

test('an operator who registered a company does not approve it', async () => {
  const admin = await sandbox.operator()
  const body = { name: 'Own company', sites: ['shop.example'], pending: true, reason: 'Registered' }
  const { merNo } = await admin.call('POST /merchants', { body })
  await addPerson(sandbox, merNo, 'owner', 'invited', admin.email.replace('@', '+own@'))
  const input = { params: { merNo }, body: { transition: 'approve', reason: 'Checked' } } as const
  assert.equal((await admin.attempt('POST /merchants/:merNo/state', input)).problem?.code, 'not-allowed')
  const other = await sandbox.operator()
  assert.equal((await other.attempt('POST /merchants/:merNo/state', input)).status, 200)
})

test('the command line makes an owner at once, with a line in the audit log and the mail', async () => {
  const { merNo, contact } = await newCompany(sandbox)
  const command = operatorAt({ databaseUrl: sandbox.databaseUrl, dataDir: sandbox.dataDir })
  const email = 'command@owners.example'
  await command.run('user', 'create', '--email', email, '--role', 'owner', '--merno', String(merNo))
  await mailTo(sandbox, contact, /command@owners.example was invited as an owner/)
  const lines = await sandbox.db.query({
    text: `select 1 from audit_log where subject = $1 and action = 'user.create'`,
    values: [email],
  })
  assert.equal(lines.length, 1)
})

test('without a contact address the other owners get the mail', async () => {
  const { merNo } = await newCompany(sandbox)
  await sandbox.db.query({ text: 'delete from company_details where mer_no = $1', values: [merNo] })
  const [first, second] = [await sandbox.person(merNo, 'owner'), await sandbox.person(merNo, 'owner')]
  await invite(first, merNo, 'third-owner@owners.example')
  for (const { email } of [first, second])
    await mailTo(sandbox, email, /third-owner@owners.example was invited/)
})
