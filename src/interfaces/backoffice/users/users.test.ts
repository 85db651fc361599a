import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { mailTo, signIn } from '../../../../test/harness/people.ts'
import { createUser } from '../../../people/users/store-users.ts'

let office: BackOffice
let owner: Person
before(async () => {
  office = await openBackOffice()
  owner = await office.person(office.demo.merNo, 'owner')
})
after(() => office.close())

const PASSWORD = 'violet tractor harbour 88'

async function userOf(person: Person, email: string, merNo?: number) {
  const { rows } = await person.call('GET /users', { query: merNo === undefined ? {} : { merNo } })
  const found = rows.find((row) => row.email === email)
  assert.ok(found, email)
  return found
}

test('a colleague is invited by mail, sets a password once, and signs in with the role', async () => {
  const email = 'colleague@people.example'
  await owner.call('POST /users', {
    body: { email: 'Colleague@People.example', name: 'Colleague', role: 'finance' },
  })
  assert.equal((await userOf(owner, email)).state, 'invited')
  const { token, text } = await mailTo(office, email, /You are invited to a payment back office/)
  assert.ok(!/link#/.test(text.split('</h2>')[0] ?? ''), 'the subject holds no link')
  const people = [office.browser(), office.browser()]
  const body = { token, password: PASSWORD, name: 'Colleague' }
  const answers = await Promise.all(people.map((one) => one.attempt('POST /account/link/use', { body })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  assert.equal((await userOf(owner, email)).state, 'active')
  const person = office.browser()
  await signIn(person, { email, password: PASSWORD })
  const { me } = await person.call('GET /session', {})
  assert.deepEqual(
    { role: me?.role, mayEdit: me?.permissions.includes('users.edit') },
    { role: 'finance', mayEdit: false },
  )
  const [line] = await office.db.query<{ actor: string; action: string }>({
    text: `select actor, action from audit_log where subject = $1 order by entry_id limit 1`,
    values: [email],
  })
  assert.deepEqual(line, { actor: owner.email, action: 'user.invite' })
})

test('an address of a colleague, or one that is none, cannot be invited', async () => {
  for (const email of [owner.email, 'no address', 'a@b\r\nBcc: c@d.example', '<x>@people.example']) {
    const { problem } = await owner.attempt('POST /users', { body: { email, name: 'X', role: 'viewer' } })
    assert.ok(problem?.fields?.email, email)
  }
})

test('a new link replaces the one before', async () => {
  const email = 'twice@people.example'
  const { userId } = await owner.call('POST /users', { body: { email, name: 'Twice', role: 'viewer' } })
  const first = await mailTo(office, email, /You are invited/)
  await owner.call('POST /users/:userId/resend', { params: { userId } })
  const old = await office.stranger.attempt('POST /account/link', { body: { token: first.token } })
  assert.equal(old.status, 404)
})

test('a company sends 30 invitations an hour, the repeated ones included', async () => {
  const merNo = office.demo.merNo + 4
  const boss = await office.person(merNo, 'owner')
  const invite = (no: number) => {
    const body = { email: `many-${no}@people.example`, name: 'Many', role: 'viewer' }
    return boss.attempt('POST /users', { body })
  }
  const { reply } = await invite(1)
  const params = { userId: reply?.userId ?? '' }
  for (let no = 2; no < 30; no++) assert.equal((await invite(no)).status, 200)
  await boss.call('POST /users/:userId/resend', { params })
  assert.equal((await invite(30)).problem?.code, 'too-many')
  assert.equal((await boss.attempt('POST /users/:userId/resend', { params })).problem?.code, 'too-many')
  const { version } = await userOf(boss, 'many-1@people.example')
  const body = { version, reason: 'left' }
  const disabled = await boss.call('POST /users/:userId/disable', { params, body })
  const again = { params, body: { version: disabled.version } }
  assert.equal((await boss.attempt('POST /users/:userId/enable', again)).problem?.code, 'too-many')
  const elsewhere = { email: 'elsewhere@people.example', name: 'Else', role: 'viewer' }
  await owner.call('POST /users', { body: elsewhere })
})

test('nobody grants what he does not have', async () => {
  const merNo = office.demo.merNo
  const body = { role: 'clerk', permissions: ['users.read', 'users.edit', 'orders.read'] }
  await owner.call('POST /roles', { body })
  const clerk = await office.person(merNo, 'clerk')
  const { grantable } = await clerk.call('GET /roles', {})
  assert.deepEqual([...grantable].sort(), ['orders.read', 'users.edit', 'users.read'])
  const invitation = { email: 'friend@people.example', name: 'Friend', role: 'owner' }
  const refused = await clerk.attempt('POST /users', { body: invitation })
  assert.deepEqual(
    { status: refused.status, code: refused.problem?.code },
    { status: 403, code: 'not-allowed' },
  )
  const wider = { role: 'wider', permissions: ['orders.read', 'payouts.create'] }
  assert.equal((await clerk.attempt('POST /roles', { body: wider })).status, 403)
  const self = await userOf(owner, clerk.email)
  const promoted = { role: 'owner', version: self.version }
  const params = { userId: self.userId }
  assert.equal((await clerk.attempt('PUT /users/:userId', { params, body: promoted })).status, 403)
  const boss = await userOf(owner, owner.email)
  const demoted = { version: boss.version, reason: 'because' }
  const above = { params: { userId: boss.userId }, body: demoted }
  assert.equal((await clerk.attempt('POST /users/:userId/disable', above)).status, 403)
})

test("operators' permissions cannot be put into a merchant's role", async () => {
  const body = { role: 'too-much', permissions: ['orders.read', 'books.correct'] }
  assert.ok((await owner.attempt('POST /roles', { body })).problem?.fields?.permissions)
})

test('a role is changed by version, applies at once, and is deleted when nobody has it', async () => {
  const permissions = ['orders.read']
  await owner.call('POST /roles', { body: { role: 'reader', permissions } })
  const reader = await office.person(office.demo.merNo, 'reader')
  assert.equal((await reader.attempt('GET /users', {})).status, 403)
  const params = { role: 'reader' }
  const body = { permissions: ['orders.read', 'users.read'], version: 1 }
  assert.equal((await owner.call('PUT /roles/:role', { params, body })).version, 2)
  assert.equal((await owner.attempt('PUT /roles/:role', { params, body })).problem?.code, 'conflict')
  assert.equal((await reader.attempt('GET /users', {})).status, 200)
  assert.equal((await owner.attempt('DELETE /roles/:role', { params })).problem?.code, 'refused')
  const { userId, version } = await userOf(owner, reader.email)
  await owner.call('PUT /users/:userId', { params: { userId }, body: { role: 'viewer', version } })
  await owner.call('DELETE /roles/:role', { params })
})

test('a change of role, and disabling, end the sessions of the person', async () => {
  const merNo = office.demo.merNo
  const person = await office.person(merNo, 'viewer')
  const before = await userOf(owner, person.email)
  const params = { userId: before.userId }
  const changed = await owner.call('PUT /users/:userId', {
    params,
    body: { role: 'support', version: before.version },
  })
  assert.equal((await person.attempt('GET /account/sessions', {})).status, 401)
  const stale = { version: before.version, reason: 'left' }
  const conflict = await owner.attempt('POST /users/:userId/disable', { params, body: stale })
  assert.equal(conflict.problem?.code, 'conflict')
  const disabled = await owner.call('POST /users/:userId/disable', {
    params,
    body: { version: changed.version, reason: 'left' },
  })
  assert.equal(disabled.state, 'disabled')
  const enabled = await owner.call('POST /users/:userId/enable', {
    params,
    body: { version: disabled.version },
  })
  assert.equal(enabled.state, 'invited')
  await mailTo(office, person.email, /You are invited/)
})

test('people of another merchant look as if they did not exist', async () => {
  const other = await office.operator('admin')
  const params = { userId: (await userOf(owner, owner.email)).userId }
  const merNo = office.demo.merNo + 1
  const foreign = await office.person(merNo, 'owner')
  const body = { version: 1, reason: 'x' }
  assert.equal((await foreign.attempt('POST /users/:userId/disable', { params, body })).status, 404)
  assert.equal((await foreign.attempt('GET /users', { query: { merNo: office.demo.merNo } })).status, 404)
  assert.ok(await userOf(other, owner.email, office.demo.merNo), 'operators see them')
})

test('operators do not give roles in a company, except to its first owner', async () => {
  const operator = await office.operator('admin')
  const invite = (email: string, merNo: number) =>
    operator.attempt('POST /users', { query: { merNo }, body: { email, name: 'Owner', role: 'owner' } })
  assert.equal((await invite('second@people.example', office.demo.merNo)).status, 403)
  assert.equal((await invite('first@people.example', office.demo.merNo + 2)).status, 200)
})

test('people neither disable themselves nor reset their own second step', async () => {
  const { userId, version } = await userOf(owner, owner.email)
  const given = { params: { userId }, body: { version, reason: 'I lost my telephone' } }
  for (const path of ['POST /users/:userId/disable', 'POST /users/:userId/reset-factor'] as const) {
    const { status, problem } = await owner.attempt(path, given)
    assert.deepEqual({ status, code: problem?.code }, { status: 409, code: 'refused' }, path)
    assert.match(problem?.message ?? '', /yourself|your own/)
  }
})

test('the last owner cannot be disabled, also when two owners disable each other at the same moment', async () => {
  const merNo = office.demo.merNo + 3
  const pair = [await office.person(merNo, 'owner'), await office.person(merNo, 'owner')] as const
  const [one, two] = [await userOf(pair[0], pair[0].email), await userOf(pair[0], pair[1].email)]
  const disable = (by: Person, { userId, version }: { userId: string; version: number }) =>
    by.attempt('POST /users/:userId/disable', { params: { userId }, body: { version, reason: 'dispute' } })
  const answers = await Promise.all([disable(pair[0], two), disable(pair[1], one)])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const [left] = await office.db.query<{ owners: number }>({
    text: `select count(*)::int as owners from users where mer_no = $1 and role = 'owner' and state = 'active'`,
    values: [merNo],
  })
  assert.equal(left?.owners, 1)
})

test('a lost factor is reset by somebody who may, and all sessions end', async () => {
  const operator = await office.operator('admin')
  const now = new Date()
  const lost = {
    merNo: 0,
    email: 'lost@people.example',
    name: 'Lost',
    role: 'viewer',
    password: PASSWORD,
    now,
  }
  await office.db.transaction((tx) => createUser(tx, lost))
  const { userId, version } = await userOf(operator, lost.email)
  const body = { version, reason: 'phone lost' }
  const reset = await operator.call('POST /users/:userId/reset-factor', { params: { userId }, body })
  assert.equal(reset.hasFactor, false)
  const [line] = await office.db.query<{ reason: string }>({
    text: `select reason from audit_log where subject = $1 and action = 'user.reset-factor'`,
    values: [lost.email],
  })
  assert.equal(line?.reason, 'phone lost')
  const { text } = await mailTo(office, lost.email, /Your account was changed/)
  assert.ok(text.includes(`${operator.email} changed the second factors`))
})

test('a reset of the factor sends no mail to an address that nobody has confirmed', async () => {
  const email = 'unconfirmed@people.example'
  const { userId } = await owner.call('POST /users', { body: { email, name: 'X', role: 'viewer' } })
  const body = { version: (await userOf(owner, email)).version, reason: 'phone lost' }
  await owner.call('POST /users/:userId/reset-factor', { params: { userId }, body })
  const mails = await office.db.query<{ template: string }>({
    text: 'select template from mails where recipient = $1',
    values: [email],
  })
  assert.deepEqual(mails, [{ template: 'invitation' }])
})

test("operators disable a merchant's people and reset their second step", async () => {
  const operator = await office.operator('admin')
  const { merNo } = office.demo
  const person = await office.person(merNo, 'viewer')
  const { userId, version } = await userOf(operator, person.email, merNo)
  const target = { params: { userId }, query: { merNo } }
  const body = { version, reason: 'Asked by telephone' }
  const reset = await operator.call('POST /users/:userId/reset-factor', { ...target, body })
  const left = { version: reset.version, reason: 'Left' }
  assert.equal(
    (await operator.call('POST /users/:userId/disable', { ...target, body: left })).state,
    'disabled',
  )
})
