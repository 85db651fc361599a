import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../../../test/harness/back-office.ts'
import { demoOwner, mailTo } from '../../../../test/harness/people.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

const form = {
  company: 'Quokka Trading',
  contact: 'Contact Person',
  email: 'boss@quokka.example',
  website: 'https://shop.quokka.example/start',
  country: 'PT',
}
const PASSWORD = 'violet tractor harbour 88'

test('a company registers, confirms its address, and waits for approval with its owner', async () => {
  await office.stranger.call('POST /registration', { body: form })
  const { token } = await mailTo(office, form.email, /Confirm your registration/)
  const described = await office.stranger.call('POST /account/link', { body: { token } })
  assert.deepEqual(
    { purpose: described.purpose, company: described.company },
    { purpose: 'registration', company: form.company },
  )
  const body = { token, password: PASSWORD }
  const weak = await office.stranger.attempt('POST /account/link/use', {
    body: { token, password: 'quokka-trading-2026' },
  })
  assert.ok(weak.problem?.fields?.password, 'the link is not used up by a refused password')
  const people = [office.browser(), office.browser()]
  const answers = await Promise.all(people.map((one) => one.attempt('POST /account/link/use', { body })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  const boss = people[answers.findIndex(({ status }) => status === 200)]
  const me = (await boss?.call('GET /session', {}))?.me
  assert.deepEqual({ role: me?.role, company: me?.company }, { role: 'owner', company: form.company })
  const [merchant] = await office.db.query<{ state: string; site: string; approved_at: Date | null }>({
    text: `select m.state, w.site, w.approved_at from merchants m join merchant_websites w using (mer_no)
      where mer_no = $1`,
    values: [me?.merNo],
  })
  assert.deepEqual(merchant, { state: 'pending', site: 'shop.quokka.example', approved_at: null })
  const operator = await office.operator('risk')
  const registered = await operator.call('GET /merchants/:merNo/company', {
    params: { merNo: me?.merNo ?? 0 },
  })
  assert.deepEqual(
    { contact: registered.contact, country: registered.country },
    { contact: form.contact, country: 'PT' },
  )
})

test('an address with an account gets the same reply, and a mail that says so', async () => {
  const { email } = demoOwner(office)
  assert.deepEqual(await office.stranger.call('POST /registration', { body: { ...form, email } }), {})
  await mailTo(office, email, /You already have an account/)
})

test('an address that a company has only invited may register its own', async () => {
  const owner = await office.person(office.demo.merNo, 'owner')
  const email = 'invited@quokka.example'
  await owner.call('POST /users', { body: { email, name: 'X', role: 'viewer' } })
  const invitation = await mailTo(office, email, /You are invited/)
  await office.stranger.call('POST /registration', { body: { ...form, email } })
  const registration = await mailTo(office, email, /Confirm your registration/)
  const tokens = [invitation.token, registration.token]
  const people = [office.browser(), office.browser()]
  const answers = await Promise.all(
    people.map((one, at) => {
      return one.attempt('POST /account/link/use', { body: { token: tokens[at] ?? '', password: PASSWORD } })
    }),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], 'one account, of either company')
  const merchants = await office.db.query({
    text: 'select 1 from registered_companies where email = $1',
    values: [email],
  })
  assert.equal(merchants.length, answers[1]?.status === 200 ? 1 : 0)
})

test('every wrong field is named', async () => {
  const body = { company: 'A\u0007B', contact: 'C', email: 'nobody', website: 'not a host', country: 'XX' }
  const { problem } = await office.stranger.attempt('POST /registration', { body })
  assert.deepEqual(Object.keys(problem?.fields ?? {}).sort(), ['company', 'country', 'email', 'website'])
})

test('forms for one address are limited, and leave one row', async () => {
  const body = { ...form, email: 'many@quokka.example' }
  const statuses: number[] = []
  for (let sent = 0; sent < 6; sent++)
    statuses.push((await office.stranger.attempt('POST /registration', { body })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  const [row] = await office.db.query<{ rows: number }>({
    text: 'select count(*)::int as rows from unconfirmed_companies where email = $1',
    values: [body.email],
  })
  assert.equal(row?.rows, 1)
})

test('it can be closed', async (t) => {
  const closed = await openBackOffice({ TOLLGATE_REGISTRATION: 'off' })
  t.after(() => closed.close())
  assert.equal((await closed.stranger.call('GET /session', {})).registration, false)
  assert.equal((await closed.stranger.attempt('POST /registration', { body: form })).problem?.code, 'refused')
})
