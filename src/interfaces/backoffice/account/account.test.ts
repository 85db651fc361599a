import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { codeOf, demoOperator, mailTo, SoftPasskey, signIn } from '../../../../test/harness/people.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

const PASSWORD = 'violet tractor harbour 88'

/** Invites a person, who then sets a password. */
async function newcomer(merNo: number, role: string): Promise<{ person: Person; email: string }> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@people.example`
  const inviter = await office.person(merNo, merNo === 0 ? 'admin' : 'owner')
  await inviter.call('POST /users', { body: { email, name: 'Newcomer', role } })
  const { token } = await mailTo(office, email, /You are invited/)
  const person = office.browser()
  await person.call('POST /account/link/use', { body: { token, password: PASSWORD } })
  return { person, email }
}

async function enrolApp(
  person: Person,
): Promise<{ secret: string; code: string; recoveryCodes: readonly string[] }> {
  const { secret, uri, qrSvg } = await person.call('POST /account/totp', {})
  assert.match(uri, new RegExp(`^otpauth://totp/.*secret=${secret}`))
  assert.match(qrSvg, /^<svg xmlns/)
  const code = codeOf(secret)
  const { recoveryCodes = [] } = await person.call('POST /account/totp/confirm', { body: { code } })
  return { secret, code, recoveryCodes }
}

test('an operator sets up an app before anything else, and gets ten recovery codes', async () => {
  const { person, email } = await newcomer(0, 'viewer')
  assert.equal((await person.call('GET /session', {})).next, 'enrol')
  assert.equal((await person.attempt('GET /account/sessions', {})).status, 401)
  const viaPassword = await person.attempt('POST /session/factor', { body: { password: PASSWORD } })
  assert.equal(viaPassword.status, 422, 'the password does not stand in for a factor that is required')
  const { secret, code, recoveryCodes } = await enrolApp(person)
  assert.equal(new Set(recoveryCodes).size, 10)
  assert.equal((await person.call('GET /session', {})).next, 'done')
  const reused = office.browser()
  await reused.call('POST /session', { body: { email, password: PASSWORD } })
  const again = await reused.attempt('POST /session/factor', { body: { code } })
  assert.equal(again.status, 422, 'the code that confirmed the app counts no more')
  await reused.call('POST /session/factor', { body: { code: codeOf(secret, 1) } })
})

test('a recovery code stands in once, also when it is given twice at the same moment', async () => {
  const { person, email } = await newcomer(office.demo.merNo, 'support')
  const { recoveryCodes } = await enrolApp(person)
  const [code = '', other = ''] = recoveryCodes
  const people = [office.browser(), office.browser()]
  for (const one of people) await one.call('POST /session', { body: { email, password: PASSWORD } })
  const answers = await Promise.all(
    people.map((one) => one.attempt('POST /session/factor', { body: { code: code.toUpperCase() } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  assert.equal(answers.find(({ status }) => status === 200)?.reply?.recoveryCodesLeft, 9)
  const { recoveryCodes: fresh } = await person.call('POST /account/recovery-codes', {})
  const late = office.browser()
  await late.call('POST /session', { body: { email, password: PASSWORD } })
  assert.equal((await late.attempt('POST /session/factor', { body: { code: other } })).status, 422)
  await late.call('POST /session/factor', { body: { code: fresh[0] ?? '' } })
  const [row] = await office.db.query<{ stored: string }>({
    text: 'select string_agg(code_hash, $1) as stored from recovery_codes',
    values: [' '],
  })
  assert.ok(!row?.stored.includes(fresh[1] ?? ''), 'only hashes are stored')
})

test('a passkey is set up, signs in, and cannot be replayed or used by another origin', async () => {
  const { person, email } = await newcomer(office.demo.merNo, 'finance')
  const origin = new URL(office.baseUrl).origin
  const passkey = new SoftPasskey()
  const creation = await person.call('POST /account/passkeys/challenge', {})
  assert.equal(creation.rp.id, 'localhost')
  const foreign = passkey.create('https://evil.example', creation)
  const refused = await person.attempt('POST /account/passkeys', {
    body: { name: 'Laptop', passkey: foreign },
  })
  assert.equal(refused.status, 422)
  const body = { name: 'Laptop', passkey: passkey.create(origin, creation) }
  assert.equal((await person.call('POST /account/passkeys', { body })).recoveryCodes?.length, 10)

  const later = office.browser()
  assert.deepEqual(await later.call('POST /session', { body: { email, password: PASSWORD } }), {
    next: 'factor',
  })
  const request = await later.call('POST /session/passkey', {})
  assert.deepEqual(
    request.allowCredentials.map(({ id }) => id),
    [body.passkey.id],
  )
  const stranger = new SoftPasskey().answer(origin, request)
  const forged = { ...stranger, id: body.passkey.id }
  assert.equal((await later.attempt('POST /session/factor', { body: { passkey: forged } })).status, 422)
  const answer = passkey.answer(origin, request)
  await later.call('POST /session/factor', { body: { passkey: answer } })
  const replay = await later.attempt('POST /session/factor', { body: { passkey: answer } })
  assert.equal(replay.status, 422, 'the challenge is used up')
  const [listed] = (await later.call('GET /account', {})).passkeys
  assert.ok(listed?.usedAt)
  await later.call('DELETE /account/passkeys/:passkeyId', { params: { passkeyId: listed.passkeyId } })
  assert.equal((await later.call('GET /session', {})).me?.factors.length, 0)
})

test('an operator cannot remove the last factor', async () => {
  const person = office.browser()
  await signIn(person, demoOperator(office))
  const refused = await person.attempt('DELETE /account/totp', {})
  assert.deepEqual({ status: refused.status, code: refused.problem?.code }, { status: 409, code: 'refused' })
})

test('a company may demand a second factor: open sessions without one must set one up', async () => {
  const { person } = await newcomer(office.demo.merNo, 'developer')
  const owner = await office.person(office.demo.merNo, 'owner')
  await owner.call('PUT /sign-in-rules', { body: { factorRequired: true, version: 0 } })
  assert.equal((await person.call('GET /session', {})).next, 'enrol')
  const stale = await office.person(office.demo.merNo, 'owner')
  const body = { factorRequired: false, version: 0 }
  assert.equal((await stale.attempt('PUT /sign-in-rules', { body })).problem?.code, 'conflict')
  await stale.call('PUT /sign-in-rules', { body: { factorRequired: false, version: 1 } })
})

test('sessions are listed and ended one by one, or all others', async () => {
  const { person, email } = await newcomer(office.demo.merNo, 'viewer')
  const [second, third] = [office.browser(), office.browser()]
  for (const one of [second, third]) await signIn(one, { email, password: PASSWORD })
  const { rows } = await person.call('GET /account/sessions', {})
  assert.equal(rows.length, 3)
  assert.equal(rows.filter(({ isCurrent }) => isCurrent).length, 1)
  const newest = rows[0]?.sessionId ?? ''
  await person.call('DELETE /account/sessions/:sessionId', { params: { sessionId: newest } })
  assert.equal((await third.attempt('GET /account/sessions', {})).status, 401)
  assert.deepEqual(await person.call('DELETE /account/sessions', {}), { ended: 1 })
  assert.equal((await second.attempt('GET /account/sessions', {})).status, 401)
  const others = await office.person(office.demo.merNo, 'viewer')
  const [foreign] = (await person.call('GET /account/sessions', {})).rows
  const params = { sessionId: foreign?.sessionId ?? '' }
  assert.equal((await others.attempt('DELETE /account/sessions/:sessionId', { params })).status, 404)
})

test('sessions and passkeys of the same millisecond are listed in the order of their ids', async () => {
  const { person, email } = await newcomer(office.demo.merNo, 'viewer')
  const values = [email, new Date(), ['three', 'one', 'two']]
  const ofPerson = `unnest($3::text[]) with ordinality as given (id, place), users u where u.email = $1 order by given.place`
  const columns = 'mer_no, session_id, user_id, created_at, seen_at, factor_at, address, agent'
  await office.db.query({
    text: `insert into sessions (${columns}) select mer_no, id, user_id, $2, $2, $2, '', '' from ${ofPerson}`,
    values,
  })
  await office.db.query({
    text: `insert into passkeys (mer_no, passkey_id, user_id, name, public_key, sign_count, transports, created_at)
      select mer_no, id, user_id, id, '', 0, '{}', $2 from ${ofPerson}`,
    values,
  })
  const { rows } = await person.call('GET /account/sessions', {})
  const { passkeys } = await person.call('GET /account', {})
  assert.deepEqual(
    rows.filter(({ isCurrent }) => !isCurrent).map(({ sessionId }) => sessionId),
    ['one', 'three', 'two'],
  )
  assert.deepEqual(
    passkeys.map(({ passkeyId }) => passkeyId),
    ['one', 'three', 'two'],
  )
})

test('a new password ends all other sessions and is reported by mail', async () => {
  const { person, email } = await newcomer(office.demo.merNo, 'viewer')
  const other = office.browser()
  await signIn(other, { email, password: PASSWORD })
  const weak = await person.attempt('PUT /account/password', {
    body: { current: PASSWORD, password: 'password2026' },
  })
  assert.ok(weak.problem?.fields?.password)
  const wrong = await person.attempt('PUT /account/password', { body: { current: 'x', password: PASSWORD } })
  assert.ok(wrong.problem?.fields?.current)
  const password = 'another harbour tractor 12'
  await person.call('PUT /account/password', { body: { current: PASSWORD, password } })
  assert.equal((await person.call('GET /session', {})).next, 'done')
  assert.equal((await other.attempt('GET /account/sessions', {})).status, 401)
  await mailTo(office, email, /Your password was changed/)
  await signIn(office.browser(), { email, password })
})

test('a session goes on after a new password, however long ago the factor was given', async () => {
  const { person, email } = await newcomer(office.demo.merNo, 'viewer')
  const text = `update sessions set factor_at = factor_at - interval '31 minutes'
    where user_id in (select user_id from users where email = $1) returning factor_at`
  const [aged] = await office.db.query<{ factor_at: Date }>({ text, values: [email] })
  const body = { current: PASSWORD, password: 'another harbour tractor 12' }
  await person.call('PUT /account/password', { body })
  assert.equal((await person.call('GET /session', {})).next, 'done')
  const [kept] = await office.db.query<{ factor_at: Date }>({
    text: `select factor_at from sessions join users using (mer_no, user_id) where email = $1 and ended_at is null`,
    values: [email],
  })
  assert.deepEqual(kept, aged, 'the password is not the factor')
})

test('a forgotten password is set by a link that works once; the reply tells nothing', async () => {
  const { email } = await newcomer(office.demo.merNo, 'viewer')
  const asked = await office.stranger.call('POST /account/forgotten', { body: { email } })
  const unknown = { email: 'nobody@people.example' }
  assert.deepEqual(await office.stranger.call('POST /account/forgotten', { body: unknown }), asked)
  const { token } = await mailTo(office, email, /Set a new password/)
  const described = await office.stranger.call('POST /account/link', { body: { token } })
  assert.deepEqual({ purpose: described.purpose, email: described.email }, { purpose: 'reset', email })
  const body = { token, password: 'lantern orchard 77 pebble' }
  const answers = await Promise.all(
    [office.browser(), office.browser()].map((one) => one.attempt('POST /account/link/use', { body })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  await mailTo(office, email, /Your password was changed/)
  await signIn(office.browser(), { email, password: body.password })
})
