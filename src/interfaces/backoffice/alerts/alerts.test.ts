import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { operatorAt } from '../../../../test/harness/operator.ts'
import { mailTo } from '../../../../test/harness/people.ts'
import { enqueueAlert } from '../../../platform/mail/enqueue-mail.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

const countTo = async (email: string, template: string) => {
  const [row] = await office.db.query<{ mails: number }>({
    text: 'select count(*)::int as mails from mails where recipient = $1 and template = $2',
    values: [email, template],
  })
  return row?.mails
}

const allTaken = () =>
  eventually(async () => (await office.db.query({ text: 'select 1 from alerts' })).length === 0)

test('a changed key is reported to the people who may change keys, and to nobody else', async () => {
  const developer = await office.person(office.demo.merNo, 'developer')
  const viewer = await office.person(office.demo.merNo, 'viewer')
  const command = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
  await command.run('merchant', 'rotate-key', String(office.demo.merNo))
  const { text } = await mailTo(office, developer.email, /A key was changed/)
  assert.match(text, /merchant key/)
  assert.equal(await countTo(viewer.email, 'key-changed'), 0)
})

test('people choose: kinds by permission, results of payouts off until they are wanted', async () => {
  const finance = await office.person(office.demo.merNo, 'finance')
  const { rows } = await finance.call('GET /alerts', {})
  const kinds = rows.map(({ kind }) => kind)
  assert.ok(kinds.includes('payout-result') && !kinds.includes('key-changed'))
  assert.equal(rows.find(({ kind }) => kind === 'payout-result')?.isOn, false)
  await finance.call('PUT /alerts', { body: { on: ['payout-result'] } })
  const after = (await finance.call('GET /alerts', {})).rows.filter(({ isOn }) => isOn)
  assert.deepEqual(
    after.map(({ kind }) => kind),
    ['payout-result'],
  )
  const merNo = office.demo.merNo
  const now = new Date()
  await office.db.transaction(async (tx) => {
    const values = { orderNo: 'P1', amount: '10.00 USD', result: 'failed' }
    await enqueueAlert(tx, { merNo, kind: 'payout-result', values, now })
    await enqueueAlert(tx, { merNo, kind: 'dispute-opened', values, now })
  })
  await mailTo(office, finance.email, /Payout P1 failed/)
  assert.equal(await countTo(finance.email, 'dispute-opened'), 0)
})

test('the owner always learns of a payout account, others if they want to', async () => {
  const { merNo } = office.demo
  const [owner, finance] = [await office.person(merNo, 'owner'), await office.person(merNo, 'finance')]
  for (const person of [owner, finance]) await person.call('PUT /alerts', { body: { on: [] } })
  const find = async (person: Person) =>
    (await person.call('GET /alerts', {})).rows.find(({ kind }) => kind === 'payout-account')
  assert.deepEqual(await find(owner), { kind: 'payout-account', isOn: true, isAlwaysOn: true })
  assert.deepEqual(await find(finance), { kind: 'payout-account', isOn: false, isAlwaysOn: false })
  const name = { benFirstName: 'Paper', benLastName: 'Mill', beneficiaryType: 'business' }
  const place = { addressLine: '1 Market Street', city: 'Berlin', countryCode: 'DE' }
  const fields = { ...name, ...place, cardNo: 'DE89 3704 0044 0532 0130 00' }
  const body = { label: 'Paper mill', kind: 'bank_account', currency: 'USD', fields } as const
  await finance.call('POST /beneficiaries', { body })
  const { text } = await mailTo(office, owner.email, /A payout account was saved: Paper mill \(…3000\)/)
  assert.match(text, new RegExp(`${finance.email} saved .* in 24 hours, or as soon as a second person`))
  assert.equal(await countTo(finance.email, 'payout-account'), 0)
})

test('nobody can switch off the mail about a changed key', async () => {
  const { merNo } = office.demo
  const [owner, developer] = [await office.person(merNo, 'owner'), await office.person(merNo, 'developer')]
  for (const person of [owner, developer]) {
    await person.call('PUT /alerts', { body: { on: [] } })
    const { rows } = await person.call('GET /alerts', {})
    const found = rows.find(({ kind }) => kind === 'key-changed')
    assert.deepEqual(found, { kind: 'key-changed', isOn: true, isAlwaysOn: true })
  }
  await owner.call('POST /keys/rotate', { body: { endsOldKey: true } })
  for (const { email } of [owner, developer]) await mailTo(office, email, /A key was changed/)
})

test('in a large company the owner gets a mail before others, and people who may not see it take no place', async () => {
  const command = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
  const made = await command.run('merchant', 'create', '--name', 'Large', '--site', 'large.example')
  const merNo = Number(made.merNo)
  const join = (role: string) =>
    office.db.query({
      text: `insert into users (mer_no, user_id, email, name, role, state, password_hash, version, created_at)
        select $1, 'A' || $2 || n, $2 || n || '@large.example', 'Person', $2, 'active', 'argon2id$', 1, now()
        from generate_series(1, 100) n`,
      values: [merNo, role],
    })
  await join('viewer')
  const developer = await office.person(merNo, 'developer')
  await command.run('merchant', 'rotate-key', String(merNo))
  assert.ok(await eventually(async () => (await countTo(developer.email, 'key-changed')) === 1))
  await join('developer')
  const owner = await office.person(merNo, 'owner')
  await command.run('merchant', 'rotate-key', String(merNo), '--end-old-key')
  assert.ok(await eventually(async () => (await countTo(owner.email, 'key-changed')) === 1))
})

test('with the upgrade the owner learns which roles no longer see the live key, and others do not', async () => {
  const command = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
  const made = await command.run('merchant', 'create', '--name', 'Upgraded', '--site', 'upgraded.example')
  const merNo = Number(made.merNo)
  const owner = await office.person(merNo, 'owner')
  const permissions = ['developers.read', 'keys.edit']
  await owner.call('POST /roles', { body: { role: 'integrator', permissions } })
  const developer = await office.person(merNo, 'developer')
  const unaffected = await office.person(merNo + 1, 'owner')
  const file = new URL('../../../../migrations/0058_owners_and_live_keys.sql', import.meta.url)
  const [insert = ''] = /insert into alerts[\s\S]*/.exec(readFileSync(file, 'utf8')) ?? []
  await office.db.query({ text: insert })
  const { text } = await mailTo(office, owner.email, /Fewer people can use the live key/)
  assert.match(text, /developer, integrator/)
  for (const { email } of [developer, unaffected]) assert.equal(await countTo(email, 'key-permission'), 0)
})

test('failed deliveries are reported once an hour', async () => {
  const developer = await office.person(office.demo.merNo, 'developer')
  const merNo = office.demo.merNo
  const values = { orderNo: 'A1', url: 'https://shop.example/notify' }
  const send = (now: Date) =>
    office.db.transaction((tx) => enqueueAlert(tx, { merNo, kind: 'delivery-failed', values, now }))
  const now = Date.now()
  for (const minutes of [0, 1, 59, 61]) await send(new Date(now + minutes * 60_000))
  assert.ok(await allTaken())
  assert.equal(await countTo(developer.email, 'delivery-failed'), 2)
})

test('a company that waited learns of its approval', async () => {
  const command = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
  const site = ['--site', 'waiting.example']
  const { merNo } = await command.run('merchant', 'create', '--name', 'Waiting', ...site, '--pending')
  const owner = await office.person(Number(merNo), 'owner')
  await command.run('merchant', 'approve', String(merNo))
  await mailTo(office, owner.email, /Waiting is approved/)
})
