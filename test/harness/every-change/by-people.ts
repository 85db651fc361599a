// Makes the changes that people make to themselves and their colleagues: calls each route at least once.
import assert from 'node:assert/strict'
import type { BackOffice, Person } from '../back-office.ts'
import { nextMillisecond } from '../eventually.ts'
import { codeOf, mailTo, SoftPasskey } from '../people.ts'

const PASSWORD = 'correct horse battery staple'
const NEXT_PASSWORD = 'another horse for the stable'

export async function changesByPeople(office: BackOffice): Promise<void> {
  const { demo } = office
  const owner = await office.person(demo.merNo, 'owner')
  await register(office)
  const { person, email, userId } = await newcomer(office, owner)
  await account(person)
  await factors(office, person, email)
  await colleague(office, owner, { email, userId })
  await roles(owner)
  const { version } = await owner.call('GET /sign-in-rules', { query: {} })
  await owner.call('PUT /sign-in-rules', { query: {}, body: { factorRequired: false, version } })
}

async function register(office: BackOffice): Promise<void> {
  const email = 'first@registered.example'
  const form = { company: 'Registered', contact: 'First Person', email, website: 'registered.example' }
  await office.stranger.call('POST /registration', { body: { ...form, country: 'PT' } })
  const { token } = await mailTo(office, email, /Confirm your registration/)
  await office.stranger.call('POST /account/link', { body: { token } })
  await office.browser().call('POST /account/link/use', { body: { token, password: PASSWORD } })
}

async function newcomer(office: BackOffice, owner: Person) {
  const email = 'newcomer@changes.example'
  const body = { email, name: 'Newcomer', role: 'finance' }
  const { userId } = await owner.call('POST /users', { query: {}, body })
  // The second mail must be the newest one, because only its link is valid.
  await nextMillisecond()
  await owner.call('POST /users/:userId/resend', { params: { userId }, query: {} })
  const { token } = await mailTo(office, email, /You are invited/)
  const person = office.browser()
  await person.call('POST /account/link/use', { body: { token, password: PASSWORD } })
  return { person, email, userId }
}

async function account(person: Person): Promise<void> {
  await person.call('PUT /account', { body: { name: 'New Name', language: 'en' } })
  await person.call('PUT /alerts', { body: { on: [] } })
  await person.call('PUT /account/password', { body: { current: PASSWORD, password: NEXT_PASSWORD } })
}

async function factors(office: BackOffice, person: Person, email: string): Promise<void> {
  const { secret } = await person.call('POST /account/totp', {})
  await person.call('POST /account/totp/confirm', { body: { code: codeOf(secret) } })
  await person.call('POST /account/recovery-codes', {})
  const passkey = new SoftPasskey()
  const creation = await person.call('POST /account/passkeys/challenge', {})
  const made = passkey.create(office.baseUrl, creation)
  await person.call('POST /account/passkeys', { body: { name: 'Key ring', passkey: made } })
  const other = office.browser()
  await other.call('POST /session', { body: { email, password: NEXT_PASSWORD } })
  const request = await other.call('POST /session/passkey', {})
  await other.call('POST /session/factor', { body: { passkey: passkey.answer(office.baseUrl, request) } })
  await other.call('DELETE /account/totp', {})
  const [kept] = (await other.call('GET /account', {})).passkeys
  await other.call('DELETE /account/passkeys/:passkeyId', { params: { passkeyId: kept?.passkeyId ?? '' } })
  const third = office.browser()
  await third.call('POST /session', { body: { email, password: NEXT_PASSWORD } })
  const { rows } = await third.call('GET /account/sessions', {})
  const ended = rows.find(({ isCurrent }) => !isCurrent)
  await third.call('DELETE /account/sessions/:sessionId', { params: { sessionId: ended?.sessionId ?? '' } })
  await third.call('DELETE /account/sessions', {})
  await third.call('DELETE /session', {})
  await office.stranger.call('POST /account/forgotten', { body: { email } })
}

async function colleague(
  office: BackOffice,
  owner: Person,
  { email, userId }: { readonly email: string; readonly userId: string },
): Promise<void> {
  const params = { userId }
  const version = async () => {
    const { rows } = await owner.call('GET /users', { query: {} })
    return rows.find((one) => one.userId === userId)?.version ?? assert.fail('nobody')
  }
  const reason = 'Left the team'
  await owner.call('PUT /users/:userId', {
    params,
    query: {},
    body: { role: 'support', version: await version() },
  })
  await enrol(office, email)
  await owner.call('POST /users/:userId/reset-factor', {
    params,
    query: {},
    body: { reason, version: await version() },
  })
  await owner.call('POST /users/:userId/disable', {
    params,
    query: {},
    body: { version: await version(), reason },
  })
  await owner.call('POST /users/:userId/enable', { params, query: {}, body: { version: await version() } })
}

/** Signs the person in and sets up an authenticator app. */
async function enrol(office: BackOffice, email: string): Promise<void> {
  const person = office.browser()
  await person.call('POST /session', { body: { email, password: NEXT_PASSWORD } })
  const { secret } = await person.call('POST /account/totp', {})
  await person.call('POST /account/totp/confirm', { body: { code: codeOf(secret) } })
}

async function roles(owner: Person): Promise<void> {
  const role = 'clerk'
  await owner.call('POST /roles', { query: {}, body: { role, permissions: ['orders.read'] } })
  await owner.call('PUT /roles/:role', {
    params: { role },
    query: {},
    body: { permissions: ['orders.read', 'refunds.read'], version: 1 },
  })
  await owner.call('DELETE /roles/:role', { params: { role }, query: {} })
}
