// Several companies have invited one address. The person signs in to one company, and no company learns of the others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../test/harness/back-office.ts'
import { mailTo, signIn } from '../../../test/harness/people.ts'

let office: BackOffice
/** The owners of two companies. The company of `lower` has the lower number, so its rows come first. */
let lower: Person
let owner: Person
before(async () => {
  office = await openBackOffice()
  lower = await office.person(office.demo.merNo - 1, 'owner')
  owner = await office.person(office.demo.merNo, 'owner')
})
after(() => office.close())

const PASSWORD = 'violet tractor harbour 88'
const OTHER_PASSWORD = 'seven lanterns by the quay'
const TAKEN = 'This address has an account already. Ask the company to invite another address of yours.'

async function invite(by: Person, email: string): Promise<string> {
  const { userId } = await by.call('POST /users', { body: { email, name: 'Invited', role: 'viewer' } })
  return userId
}

/** Invites the address, and returns the token of the invitation. */
async function invited(by: Person, email: string): Promise<string> {
  await invite(by, email)
  return (await mailTo(office, email, /You are invited/)).token
}

function use(person: Person, token: string, password = PASSWORD) {
  return person.attempt('POST /account/link/use', { body: { token, password } })
}

async function accept(token: string): Promise<Person> {
  const person = office.browser()
  assert.equal((await use(person, token)).status, 200)
  return person
}

async function userOf(person: Person, email: string) {
  const { rows } = await person.call('GET /users', {})
  return rows.find((row) => row.email === email) ?? assert.fail(email)
}

async function companyOf(person: Person): Promise<number | undefined> {
  return (await person.call('GET /session', {})).me?.merNo
}

function mailsTo(email: string): Promise<{ template: string; has_link: boolean }[]> {
  return office.db.query({
    text: `select template, sealed_link is not null as has_link from mails where recipient = $1 order by mail_id`,
    values: [email],
  })
}

/**
 * Everything that the inviter sees of an invitation and can do with it. Values that differ for every person are left
 * out.
 */
async function seenByInviter(by: Person, email: string): Promise<unknown[]> {
  const plain = ({ status, reply, problem }: { status: number; reply?: unknown; problem?: unknown }) => {
    const text = JSON.stringify({ status, reply, problem }).replaceAll(email, 'EMAIL')
    return text.replace(/"userId":"[^"]+"/, '"userId":""').replace(/"createdAt":"[^"]+"/, '"createdAt":""')
  }
  const seen = [plain(await by.attempt('POST /users', { body: { email, name: 'Somebody', role: 'viewer' } }))]
  const listed = async () => plain({ status: 200, reply: await userOf(by, email) })
  seen.push(await listed())
  const { userId } = await userOf(by, email)
  const params = { userId }
  const version = async () => (await userOf(by, email)).version
  const reason = 'because'
  seen.push(plain(await by.attempt('POST /users/:userId/resend', { params })))
  const changed = { role: 'support', version: await version() }
  seen.push(plain(await by.attempt('PUT /users/:userId', { params, body: changed })))
  const reset = { version: await version(), reason }
  seen.push(plain(await by.attempt('POST /users/:userId/reset-factor', { params, body: reset })))
  const disabled = { version: await version(), reason }
  seen.push(plain(await by.attempt('POST /users/:userId/disable', { params, body: disabled })))
  seen.push(await listed())
  const enabled = { version: await version() }
  seen.push(plain(await by.attempt('POST /users/:userId/enable', { params, body: enabled })))
  const again = { email, name: 'Somebody', role: 'viewer' }
  seen.push(plain(await by.attempt('POST /users', { body: again })))
  seen.push(await listed())
  const lines = await office.db.query({
    text: `select actor, action, before, after, reason from audit_log
      where subject = $1 and mer_no = $2 order by action`,
    values: [email, await companyOf(by)],
  })
  return [...seen, ...lines]
}

test('an inviter cannot tell an address with an account in another company from a new one', async () => {
  const email = 'known@people.example'
  const person = await accept(await invited(lower, email))
  const before = await person.call('GET /account', {})
  const [known, fresh] = [
    await seenByInviter(owner, email),
    await seenByInviter(owner, 'fresh@people.example'),
  ]
  assert.deepEqual(known, fresh)
  const statuses = known.slice(0, 10).map((one) => JSON.parse(String(one)).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 422, 200])
  assert.equal(known.length, 16, 'each change has a line in the audit log')
  assert.deepEqual(await person.call('GET /account', {}), before, 'the account stays as it is')
})

test('the owner of the address reads that it has an account, and gets no link', async () => {
  const email = 'reader@people.example'
  await accept(await invited(lower, email))
  const userId = await invite(owner, email)
  await owner.call('POST /users/:userId/resend', { params: { userId } })
  assert.deepEqual(await mailsTo(email), [
    { template: 'invitation', has_link: true },
    { template: 'invitation-taken', has_link: false },
    { template: 'invitation-taken', has_link: false },
  ])
  const { text } = await mailTo(office, email, /You are invited, but this address has an account/)
  assert.match(text, /ask Demo Shop to invite another address/)
})

test('an address of the own company is refused at its field, in every state', async () => {
  const email = 'own@people.example'
  const userId = await invite(owner, email)
  const body = { email, name: 'Again', role: 'viewer' }
  const refused = async () => (await owner.attempt('POST /users', { body })).problem?.fields?.email
  const why = 'Somebody of the company has this address already.'
  assert.equal(await refused(), why)
  const disabled = { version: 1, reason: 'a mistake' }
  await owner.call('POST /users/:userId/disable', { params: { userId }, body: disabled })
  assert.equal(await refused(), why)
  const twice = ['twice@people.example', 'twice@people.example'].map((one) =>
    owner.attempt('POST /users', { body: { ...body, email: one } }),
  )
  assert.deepEqual((await Promise.all(twice)).map(({ status }) => status).sort(), [200, 422])
})

test('sign-in and a forgotten password find the account, and not the invitation of another company', async () => {
  const email = 'one-account@people.example'
  const inLower = await invited(lower, email)
  await accept(await invited(owner, email))
  assert.notEqual(inLower, '')
  const person = office.browser()
  await signIn(person, { email, password: PASSWORD })
  assert.equal(await companyOf(person), office.demo.merNo)
  await office.stranger.call('POST /account/forgotten', { body: { email } })
  const { token } = await mailTo(office, email, /Set a new password/)
  const described = await office.stranger.call('POST /account/link', { body: { token } })
  assert.deepEqual(
    { purpose: described.purpose, company: described.company },
    { purpose: 'reset', company: 'Demo Shop' },
  )
  const reset = office.browser()
  assert.equal((await use(reset, token, OTHER_PASSWORD)).status, 200)
  assert.equal(await companyOf(reset), office.demo.merNo)
  assert.equal((await userOf(lower, email)).state, 'invited')
})

test('an address that is only invited can neither sign in nor ask for a password', async () => {
  const email = 'only-invited@people.example'
  for (const by of [lower, owner]) await invite(by, email)
  const { problem } = await office.browser().attempt('POST /session', { body: { email, password: PASSWORD } })
  assert.equal(problem?.message, 'Check your e-mail address and password.')
  await office.stranger.call('POST /account/forgotten', { body: { email } })
  // A mail to another address is requested later. Once that mail is sent, all mails to the first address have been
  // sent.
  const later = 'later@people.example'
  await accept(await invited(owner, later))
  await office.stranger.call('POST /account/forgotten', { body: { email: later } })
  await mailTo(office, later, /Set a new password/)
  const templates = (await mailsTo(email)).map(({ template }) => template)
  assert.deepEqual(templates, ['invitation', 'invitation'])
})

test('of two invitations the first that is accepted counts, and the other link says why not', async () => {
  const email = 'both@people.example'
  const first = await invited(lower, email)
  const second = await invited(owner, email)
  const person = await accept(first)
  const described = await office.stranger.attempt('POST /account/link', { body: { token: second } })
  assert.deepEqual(
    { code: described.problem?.code, message: described.problem?.message },
    { code: 'refused', message: TAKEN },
  )
  const used = await use(office.browser(), second, OTHER_PASSWORD)
  assert.deepEqual({ status: used.status, message: used.problem?.message }, { status: 409, message: TAKEN })
  assert.equal((await userOf(owner, email)).state, 'invited')
  assert.equal(await companyOf(person), office.demo.merNo - 1)
  await signIn(office.browser(), { email, password: PASSWORD })
})

test('of two invitations that are accepted at the same moment one counts', async () => {
  for (let round = 0; round < 3; round++) {
    const email = `race-${round}@people.example`
    const tokens = [await invited(lower, email), await invited(owner, email)]
    const people = [office.browser(), office.browser()]
    const answers = await Promise.all(people.map((one, at) => use(one, tokens[at] ?? '')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal(answers.find(({ status }) => status === 409)?.problem?.message, TAKEN)
    const states = [(await userOf(lower, email)).state, (await userOf(owner, email)).state]
    assert.deepEqual(states.sort(), ['active', 'invited'])
    const loser = people[answers.findIndex(({ status }) => status === 409)]
    assert.equal((await loser?.call('GET /session', {}))?.me, undefined)
  }
})

test('a browser that was used for a disabled account has no tries of its own for the newer one', async () => {
  const email = 'devices@people.example'
  const old = await accept(await invited(lower, email))
  const { userId, version } = await userOf(lower, email)
  const left = { version, reason: 'left' }
  await lower.call('POST /users/:userId/disable', { params: { userId }, body: left })
  const recent = await accept(await invited(owner, email))
  const attempt = async (by: Person, password: string) =>
    (await by.attempt('POST /session', { body: { email, password } })).status
  for (let tries = 0; tries < 10; tries++) assert.equal(await attempt(office.browser(), OTHER_PASSWORD), 422)
  assert.equal(await attempt(old, PASSWORD), 429)
  assert.equal(await attempt(recent, PASSWORD), 200)
})

test('whom one company has disabled may join another; enabled again, the address keeps the newer account', async () => {
  const email = 'moved@people.example'
  await accept(await invited(lower, email))
  const { userId, version } = await userOf(lower, email)
  const params = { userId }
  const left = { version, reason: 'left' }
  const disabled = await lower.call('POST /users/:userId/disable', { params, body: left })
  await accept(await invited(owner, email))
  const back = { version: disabled.version }
  assert.equal((await lower.call('POST /users/:userId/enable', { params, body: back })).state, 'invited')
  assert.equal((await mailsTo(email)).at(-1)?.template, 'invitation-taken')
  const person = office.browser()
  await signIn(person, { email, password: PASSWORD })
  assert.equal(await companyOf(person), office.demo.merNo)
})
