import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../test/harness/back-office.ts'
import { nextMillisecond } from '../../../test/harness/eventually.ts'
import { codeOf, demoOperator, demoOwner, type Login, mailTo, signIn } from '../../../test/harness/people.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import { makeToken } from './begin-session.ts'
import { openSessions, UNKNOWN_PER_MINUTE } from './find-session.ts'
import { recordFailure } from './sign-in.ts'

let office: BackOffice
let operator: Login
let owner: Omit<Login, 'totpSecret'>
before(async () => {
  office = await openBackOffice()
  operator = demoOperator(office)
  owner = demoOwner(office)
})
after(() => office.close())

type Failure = { mer_no: number; subject: string; actor: string; address: string; after: object }

function failuresSince(since: Date): Promise<Failure[]> {
  return office.db.query<Failure>({
    text: `select mer_no::int, subject, actor, address, after from audit_log
           where action = 'user.sign-in-failed' and at >= $1 order by at, entry_id`,
    values: [since],
  })
}

const nextOf = async (person: Person) => (await person.call('GET /session', {})).next

/**
 * Each code works only once. This function forgets the last step, so that each test can use a code of the same step.
 */
function forgetStep(): Promise<unknown> {
  return office.db.query({ text: 'update users set totp_step = null where mer_no = 0' })
}

async function forgetTries(): Promise<void> {
  await office.db.query({ text: 'delete from sign_in_tries' })
}

test('an operator needs the password and then a code', async () => {
  const person = office.browser()
  const { email, password } = operator
  assert.deepEqual(await person.call('POST /session', { body: { email, password } }), { next: 'factor' })
  assert.equal(await nextOf(person), 'factor')
  const half = await person.attempt('GET /users', {})
  assert.equal(half.problem?.code, 'not-signed-in')
  const before = person.cookie
  const wrong = await person.attempt('POST /session/factor', { body: { code: '000000' } })
  assert.equal(wrong.problem?.code, 'invalid')
  assert.ok(wrong.problem?.fields?.code)
  assert.deepEqual(
    await person.call('POST /session/factor', { body: { code: codeOf(operator.totpSecret) } }),
    {
      next: 'done',
    },
  )
  assert.notEqual(person.cookie, before, 'a new token')
  assert.equal(await nextOf(person), 'done')
  assert.ok((await person.call('GET /users', {})).rows.some((row) => row.email === operator.email))
})

test("the owner of the demo's shop has no second factor, and signs in with the password", async () => {
  const person = office.browser()
  assert.deepEqual(await person.call('POST /session', { body: owner }), { next: 'done' })
  assert.equal((await person.call('GET /session', {})).me?.company, 'Demo Shop')
  await nextMillisecond()
  await person.call('DELETE /session', {})
  assert.equal((await person.call('GET /session', {})).me, undefined)
  const colleague = await office.person(office.demo.merNo, 'owner')
  const { rows } = await colleague.call('GET /audit', { query: { subject: owner.email } })
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['user.sign-out', 'user.sign-in'],
  )
})

test('a code counts once, also when it is given twice at the same moment', async () => {
  await forgetStep()
  const people = [office.browser(), office.browser(), office.browser()]
  const { email, password } = operator
  for (const person of people) await person.call('POST /session', { body: { email, password } })
  const body = { code: codeOf(operator.totpSecret) }
  const answers = await Promise.all(people.map((person) => person.attempt('POST /session/factor', { body })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422])
})

test('a wrong password and an unknown account get the same answer', async () => {
  const bodies = [
    { email: owner.email, password: 'not the password' },
    { email: 'nobody@tollgate.localhost', password: 'not the password' },
  ]
  const answers = await Promise.all(bodies.map((body) => office.browser().attempt('POST /session', { body })))
  assert.deepEqual(answers[0]?.problem, answers[1]?.problem)
  assert.equal(answers[0]?.problem?.code, 'invalid')
})

test('tries are limited by account, known or not; the owner goes on with a browser he has used', async () => {
  await forgetTries()
  const known = office.browser()
  await signIn(known, owner)
  for (const email of [owner.email, 'nobody@tollgate.localhost']) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        office.browser().attempt('POST /session', { body: { email, password: 'wrong' } }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [...Array<number>(10).fill(422), 429, 429],
      email,
    )
    const refused = answers.find(({ status }) => status === 429)
    const seconds = Number(refused?.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 900, `Retry-After ${seconds}`)
  }
  assert.equal((await office.browser().attempt('POST /session', { body: owner })).status, 429)
  assert.equal((await known.attempt('POST /session', { body: owner })).status, 200)
  await forgetTries()
})

test('failed sign-ins leave a line per account, network and hour, and never what was typed', async () => {
  await forgetTries()
  const since = new Date()
  const password = 'the password of somebody'
  const fail = (email: string) => office.browser().attempt('POST /session', { body: { email, password } })
  for (let tried = 0; tried < 3; tried++) await fail(owner.email)
  // People sometimes type their password into the field of the address.
  await fail(password)
  const person = office.browser()
  await person.call('POST /session', { body: { email: operator.email, password: operator.password } })
  for (let tried = 0; tried < 2; tried++)
    await person.attempt('POST /session/factor', { body: { code: '111111' } })
  const lines = await failuresSince(since)
  assert.deepEqual(
    lines.map(({ mer_no, subject, after }) => [mer_no, subject, after]),
    [
      [office.demo.merNo, owner.email, { step: 'password' }],
      [0, 'unknown account', { step: 'password' }],
      [0, operator.email, { step: 'second-factor' }],
    ],
  )
  assert.ok(lines.every(({ actor, address }) => actor === 'sign-in' && address === '127.0.0.1'))
  assert.ok(!JSON.stringify(lines).includes(password))
  const colleague = await office.person(office.demo.merNo, 'owner')
  const { rows } = await colleague.call('GET /audit', { query: { action: 'user.sign-in-failed' } })
  assert.ok(rows.length > 0 && rows.every(({ subject }) => subject === owner.email), 'a company sees its own')
  await forgetTries()
})

test('strangers cannot fill the audit log', async () => {
  await forgetTries()
  const since = new Date()
  const deps = { db: office.db, clock: systemClock, vault: openVault(Buffer.alloc(32)) }
  const account = { merNo: office.demo.merNo, email: owner.email }
  for (let network = 0; network < 70; network++) {
    const address = `198.51.${network}.7`
    const [email, step] = [`x${network}@a.example`, 'password'] as const
    await recordFailure(deps, { email, step, account: undefined }, { address })
    await recordFailure(deps, { email: owner.email, step, account }, { address })
  }
  const lines = await failuresSince(since)
  const counted = Map.groupBy(lines, ({ subject }) => subject)
  assert.equal(counted.get('unknown account')?.length, 50, 'for all strangers together')
  assert.equal(counted.get(owner.email)?.length, 50, 'for one account')
  await forgetTries()
})

test('codes are limited too', async () => {
  await forgetTries()
  const person = office.browser()
  const { email, password } = operator
  await person.call('POST /session', { body: { email, password } })
  const statuses: number[] = []
  for (let tried = 0; tried < 11; tried++)
    statuses.push((await person.attempt('POST /session/factor', { body: { code: '111111' } })).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(422), 429])
  await forgetTries()
})

test('a scrypt hash is replaced at sign-in', async () => {
  const salt = Buffer.alloc(16, 3)
  const hash = scryptSync(owner.password, salt, 32, { N: 1024, r: 8, p: 1 })
  const old = ['scrypt', 1024, salt.toString('base64url'), hash.toString('base64url')].join('$')
  const values = [old, owner.email]
  await office.db.query({ text: 'update users set password_hash = $1 where email = $2', values })
  await signIn(office.browser(), owner)
  const [row] = await office.db.query<{ password_hash: string }>({
    text: 'select password_hash from users where email = $1',
    values: [owner.email],
  })
  assert.match(row?.password_hash ?? '', /^argon2id\$/)
  await signIn(office.browser(), owner)
})

test('a sign-in from a new browser is reported by mail, one from a known browser is not', async () => {
  const text = 'select count(*)::int as mails from mails where recipient = $1'
  const countOf = async () =>
    (await office.db.query<{ mails: number }>({ text, values: [owner.email] }))[0]?.mails
  const known = office.browser()
  await signIn(known, owner)
  await mailTo(office, owner.email, /Sign-in from a new device/)
  const before = await countOf()
  await signIn(known, owner)
  assert.equal(await countOf(), before)
  await signIn(office.browser(), owner)
  assert.equal(await countOf(), (before ?? 0) + 1)
})

test('a dangerous route asks for the factor again after five minutes', async () => {
  await forgetStep()
  const person = office.browser()
  await signIn(person, operator)
  const invite = () =>
    person.attempt('POST /users', { body: { email: 'new@tollgate.localhost', name: 'New', role: 'viewer' } })
  const text = `update sessions set factor_at = factor_at - interval '6 minutes' where mer_no = 0`
  await office.db.query({ text })
  const refused = await invite()
  assert.deepEqual(
    { status: refused.status, code: refused.problem?.code },
    { status: 401, code: 'factor-needed' },
  )
  await forgetStep()
  await person.call('POST /session/factor', { body: { code: codeOf(operator.totpSecret) } })
  assert.equal((await invite()).status, 200)
})

test('people without a second factor confirm a dangerous action with their password', async () => {
  const person = office.browser()
  await signIn(person, owner)
  const wrong = await person.attempt('POST /session/factor', { body: { password: 'wrong' } })
  assert.ok(wrong.problem?.fields?.password)
  await person.call('POST /session/factor', { body: { password: owner.password } })
})

test('a session ends 30 minutes after its last request, and 12 hours after its beginning', async () => {
  for (const [column, age] of [
    ['seen_at', '31 minutes'],
    ['created_at', '721 minutes'],
  ] as const) {
    const person = office.browser()
    await signIn(person, owner)
    assert.equal(await nextOf(person), 'done')
    const text = `update sessions set ${column} = ${column} - interval '${age}' where mer_no <> 0`
    await office.db.query({ text })
    assert.equal(await nextOf(person), undefined, column)
  }
})

test('cookies of strangers cost a bounded number of queries, and people in their network go on', async () => {
  let queries = 0
  const db: BackOffice['db'] = {
    ...office.db,
    query: (statement) => {
      queries++
      return office.db.query(statement)
    },
  }
  const sessions = openSessions({ db, clock: systemClock, mode: 'sandbox' })
  const [here, elsewhere] = ['2001:db8::1', '192.0.2.1']
  const person = office.browser()
  await signIn(person, owner)
  const token = person.cookie.match(/tollgate=([^;]+)/)?.[1]
  assert.equal((await sessions.find(token, here))?.email, owner.email)
  queries = 0
  for (const shape of [undefined, 'x', `${token}0`, `${token?.slice(1)}=`])
    assert.equal(await sessions.find(shape, here), undefined)
  assert.equal(queries, 0, 'what no sign-in sets costs nothing')
  const guesses = Array.from({ length: UNKNOWN_PER_MINUTE + 20 }, () => sessions.find(makeToken(), here))
  const refused = (await Promise.allSettled(guesses)).filter(({ status }) => status === 'rejected')
  assert.deepEqual({ queries, refused: refused.length }, { queries: UNKNOWN_PER_MINUTE, refused: 20 })
  const tooMany = { code: 'too-many', status: 429 }
  await assert.rejects(sessions.find(makeToken(), '2001:db8::2'), tooMany, 'one network')
  assert.equal(await sessions.find(makeToken(), elsewhere), undefined)
  const begun = makeToken()
  sessions.began(begun)
  assert.equal(await sessions.find(begun, here), undefined, 'it was not stored, but it was looked for')
  assert.equal((await sessions.find(token, here))?.email, owner.email)
  await person.call('DELETE /session', {})
  assert.equal(await sessions.find(token, here), undefined, 'an ended session ends at once')
  await assert.rejects(sessions.find(token, here), tooMany)
})

test('pages of other origins are refused', async () => {
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  const response = await fetch(`${office.baseUrl}/backoffice/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify(owner),
  })
  assert.equal(response.status, 403)
})
