import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../../../test/harness/back-office.ts'
import { type Operator, operatorAt } from '../../../../test/harness/operator.ts'
import { demoOperator, mailTo } from '../../../../test/harness/people.ts'

let office: BackOffice
let operator: Operator
before(async () => {
  office = await openBackOffice()
  operator = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
})
after(() => office.close())

const PASSWORD = 'violet tractor harbour 88'

test('user create prints a link by which the person sets a password and then a factor', async () => {
  const email = 'first@operators.example'
  const made = await operator.run('user', 'create', '--email', email, '--role', 'admin')
  const token = String(made.link).replace(/.*#/, '')
  assert.match(String(made.link), /\/backoffice\/link#[\w-]{43}$/)
  const person = office.browser()
  assert.deepEqual(await person.call('POST /account/link/use', { body: { token, password: PASSWORD } }), {
    next: 'enrol',
  })
  const [line] = await office.db.query({
    text: `select actor_kind, actor, action, after from audit_log where subject = $1 order by entry_id limit 1`,
    values: [email],
  })
  const actor = userInfo().username
  assert.deepEqual(line, { actor_kind: 'command', actor, action: 'user.create', after: { role: 'admin' } })
})

test('user create says what is wrong', async () => {
  const create = (...args: string[]) => operator.refused('user', 'create', ...args)
  assert.match(await create('--email', 'x@y.example', '--role', 'owner'), /owner is not a role/)
  assert.match(await create('--email', 'nobody', '--role', 'admin'), /not an e-mail address/)
  assert.match(await create('--email', 'x@y.example', '--role', 'owner', '--merno', '1'), /no merchant 1/)
  const { email } = demoOperator(office)
  assert.match(await create('--email', email, '--role', 'admin'), /has an account already/)
})

test('a person of a merchant is listed with the merchant, and disabled', async () => {
  const merNo = String(office.demo.merNo)
  const email = 'viewer@shop.example'
  await operator.run('user', 'create', '--email', email, '--role', 'viewer', '--merno', merNo)
  const list = async () => Object.values(await operator.run('user', 'list', '--merno', merNo))
  const stateOf = async () => Object((await list()).find((one) => Object(one).email === email)).state
  assert.equal(await stateOf(), 'invited')
  await operator.run('user', 'disable', '--email', email, '--why', 'left the company')
  assert.equal(await stateOf(), 'disabled')
  assert.match(await operator.refused('user', 'disable', '--email', email), /disabled already/)
})

test('an address that several companies have invited is created for each, and disabled in one', async () => {
  const email = 'several@shop.example'
  const made = await operator.run('merchant', 'create', '--name', 'Other', '--site', 'other.example')
  const [merNo, other] = [String(office.demo.merNo), String(made.merNo)]
  const create = ['user', 'create', '--email', email, '--role', 'viewer', '--merno'] as const
  const first = await operator.run(...create, merNo)
  const second = await operator.run(...create, other)
  assert.notEqual(second.userId, first.userId)
  assert.equal((await operator.run(...create, other)).userId, second.userId, 'a new link for the same person')
  const disable = ['user', 'disable', '--email', email] as const
  const refused = await operator.refused(...disable)
  assert.match(refused, new RegExp(`several companies have invited.*--merno.*${merNo}`))
  assert.match(await operator.refused(...disable, '--merno', '0'), /has no account/)
  const token = String(first.link).replace(/.*#/, '')
  await office.browser().call('POST /account/link/use', { body: { token, password: PASSWORD } })
  assert.match(await operator.refused(...create, other), /has an account already/)
  await operator.run('user', 'disable', '--email', email)
  const states = await office.db.query({
    text: 'select mer_no::text, state from users where email = $1 order by created_at',
    values: [email],
  })
  const expected = [
    { mer_no: merNo, state: 'disabled' },
    { mer_no: other, state: 'invited' },
  ]
  assert.deepEqual(states, expected, 'the command disables the user who can sign in')
  await operator.run(...disable, '--merno', other)
})

test('user reset-factor removes the factor; the operator must set up another one', async () => {
  const { email, password } = demoOperator(office)
  await operator.run('user', 'reset-factor', '--email', email)
  const person = office.browser()
  assert.deepEqual(await person.call('POST /session', { body: { email, password } }), { next: 'enrol' })
  await mailTo(office, email, /Your account was changed/)
  assert.match(await operator.refused('user', 'reset-factor', '--email', 'a@b.example'), /has no account/)
})

test("the company learns that an owner's factors were removed, as when an operator removes them on the page", async () => {
  const made = await operator.run('merchant', 'create', '--name', 'Owned', '--site', 'owned.example')
  const merNo = Number(made.merNo)
  const [lost, other] = [await office.person(merNo, 'owner'), await office.person(merNo, 'owner')]
  const developer = await office.person(merNo, 'developer')
  for (const { email } of [developer, lost]) await operator.run('user', 'reset-factor', '--email', email)
  const { text } = await mailTo(office, other.email, /The second factors of the owner .* were removed/)
  assert.ok(text.includes(lost.email) && !text.includes(developer.email))
})
