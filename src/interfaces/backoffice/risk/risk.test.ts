import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { newNumber, pay, query } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { isSound, verifyBooks } from '../../../money/audit/verify-books.ts'
import type { RuleAction, RuleState as State } from '../../../money/risk/rule.ts'
import { systemClock } from '../../../platform/base/clock.ts'

let office: BackOffice
let risk: Person
before(async () => {
  office = await openBackOffice()
  risk = await office.operator('risk')
})
after(() => office.close())

const reason = 'Tested by thieves'
const declined = (reply: Awaited<ReturnType<typeof pay>>) => reply.data.payCode === 1

/** Each test pays from its own country, so that the rules of other tests do not hit its payments. */
const from = (billingCountry: string) => ({ billingCountry, billingEmail: `payer@${billingCountry}.example` })

type Conditions = { countries: string[]; velocity?: { per: 'card'; minutes: number; mostPayments: number } }

async function draft(action: RuleAction, conditions: Conditions) {
  const name = `${action} ${conditions.countries}`
  const body = { merNo: 0, name, action, conditions, reason }
  const { ruleId } = await risk.call('POST /risk/rules', { body })
  const look = () => risk.call('GET /risk/rules/:ruleId', { params: { ruleId } })
  const change = (seen: State, to: State, version = 1) =>
    risk.attempt('POST /risk/rules/:ruleId/state', {
      params: { ruleId },
      body: { version, seen, state: to, reason },
    })
  const state = async (to: State, version?: number) => change((await look()).rule.state, to, version)
  const tryIt = async () => {
    await risk.call('POST /risk/rules/:ruleId/try', { params: { ruleId } })
    assert.ok(await eventually(async () => (await look()).trial !== null))
  }
  const switchOn = async () => {
    await tryIt()
    assert.equal((await state('on')).status, 200)
  }
  return { ruleId, name, change, state, look, tryIt, switchOn }
}

test('a blocked payment is declined as by a bank, and only the log and the order say why', async () => {
  const body = { merNo: 0, list: 'block', kind: 'country', value: 'fr', reason } as const
  const { entryId, shown } = await risk.call('POST /risk/entries', { body })
  assert.equal(shown, 'FR')
  let merOrderNo = ''
  const isDeclined = async () => {
    merOrderNo = newNumber()
    return declined(await pay(office.demo, { merOrderNo, ...from('FR') }))
  }
  assert.ok(await eventually(isDeclined))
  const { code, data } = await query(office.demo, merOrderNo)
  assert.deepEqual(
    { code, state: data.state, message: data.message },
    { code: '00000', state: 2, message: 'Declined' },
  )
  assert.doesNotMatch(JSON.stringify(data), /list|rule/i)

  const developer = await office.person(office.demo.merNo, 'developer')
  const logged = async () => {
    const { rows } = await developer.call('GET /requests', { query: { merOrderNo } })
    return rows.find(({ endpoint }) => endpoint === '/payment')
  }
  assert.ok(await eventually(async () => (await logged())?.code === '00000'))
  assert.equal((await logged())?.reason, 'Refused by a risk rule: Block list: country')
  const { rows } = await risk.call('GET /risk/hits', { query: { sourceId: entryId } })
  const tradeNo = rows[0]?.tradeNo ?? ''
  const seen = await developer.call('GET /orders/:tradeNo', { params: { tradeNo } })
  assert.deepEqual(
    seen.risk.map(({ name, action }) => [name, action]),
    [['Block list: country', 'refuse']],
  )
  assert.equal(seen.attempts[0]?.channelRef, null, 'no channel was called')

  const allow = { ...body, list: 'allow', kind: 'email', value: 'payer@fr.example' } as const
  await risk.call('POST /risk/entries', { body: allow })
  assert.ok(await eventually(async () => !(await isDeclined())), 'the allow list wins')
  await risk.call('POST /risk/entries/:entryId/remove', { params: { entryId }, body: { reason } })
  const audit = await office.db.query({
    text: `select action, subject, actor from audit_log where action like 'risk.%' order by entry_id`,
  })
  assert.deepEqual(audit, [
    { action: 'risk.list-add', subject: 'FR', actor: risk.email },
    { action: 'risk.list-add', subject: 'payer@fr.example', actor: risk.email },
    { action: 'risk.list-remove', subject: 'FR', actor: risk.email },
  ])
})

test('what an order has is listed by its number; a card is shown without its middle', async () => {
  const paid = await pay(office.demo, { ...from('NO'), userAgent: 'A browser of its own' })
  const tradeNo = String(paid.data.tradeNo)
  const add = (kind: 'card' | 'device', more: { value?: string; tradeNo?: string }) =>
    risk.attempt('POST /risk/entries', {
      body: { merNo: office.demo.merNo, list: 'allow', kind, reason, ...more },
    })
  assert.equal((await add('card', { tradeNo })).reply?.shown, '424242…4242')
  const again = await add('card', { value: '4242 4242 4242 4242' })
  assert.deepEqual(again.problem?.fields, { value: '424242…4242 is on the allow list already.' })
  assert.match((await add('device', { tradeNo })).reply?.shown ?? '', /^[0-9a-f]{32}$/)
  const wrong = await add('card', { value: '4242 4242 4242 4241' })
  assert.ok(wrong.problem?.fields?.value)
  const { rows } = await risk.call('GET /risk/entries', { query: { kind: 'card' } })
  assert.doesNotMatch(JSON.stringify(rows), /4242424242/)
  for (const { entryId } of rows)
    await risk.call('POST /risk/entries/:entryId/remove', { params: { entryId }, body: { reason } })
})

test('a rule is tried on the orders of last month before it is switched on', async () => {
  const { data } = await pay(office.demo, { ...from('ES'), sourceAmount: '40.00' })
  await pay(office.demo, { ...from('ES'), sourceAmount: '2.00', cardNo: '4000000000000002' })
  const rule = await draft('refuse', { countries: ['ES'] })
  assert.match((await rule.state('on')).problem?.message ?? '', /try the rule/)
  await rule.tryIt()
  const { trial } = await rule.look()
  assert.deepEqual({ hits: trial?.hits, usd: trial?.usd }, { hits: 2, usd: '42.00' })
  assert.deepEqual(
    trial?.outcomes.filter(({ orders }) => orders > 0).map(({ name, usd }) => [name, usd]),
    [
      ['succeeded', '40.00'],
      ['failed', '2.00'],
    ],
  )
  assert.ok(trial?.examples.some(({ tradeNo }) => tradeNo === data.tradeNo))

  assert.equal((await rule.state('watching')).status, 200)
  const watched = async () => (await rule.look()).rule.hits > 0
  const paid: unknown[] = []
  const paysAndIsSeen = async () => {
    paid.push((await pay(office.demo, from('ES'))).data.payCode)
    return watched()
  }
  assert.ok(await eventually(paysAndIsSeen))
  assert.ok(
    paid.every((code) => code === 0),
    'a rule that watches refuses nothing',
  )

  const params = { ruleId: rule.ruleId }
  const content = { name: 'Another', action: 'refuse', reason } as const
  const change = (version: number) =>
    risk.attempt('PUT /risk/rules/:ruleId', {
      params,
      body: { version, ...content, conditions: { countries: ['ES'] } },
    })
  assert.equal((await change(1)).problem?.code, 'refused', 'it is in use')
  assert.equal((await rule.state('off')).status, 200)
  assert.deepEqual((await change(1)).reply, { version: 2 })
  assert.equal((await change(1)).problem?.code, 'conflict')
  assert.match((await rule.state('on', 2)).problem?.message ?? '', /try the rule/, 'it is another rule now')
})

test('of two people who switch a rule the second is told', async () => {
  const rule = await draft('refuse', { countries: ['AQ'] })
  await rule.tryIt()
  assert.equal((await rule.change('draft', 'on')).status, 200)
  assert.equal((await rule.change('draft', 'watching')).problem?.code, 'conflict')
  assert.equal((await rule.look()).rule.state, 'on', 'nothing was overwritten')
  const both = await Promise.all([rule.change('on', 'off'), rule.change('on', 'watching')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const [line] = await office.db.query({
    text: `select before, after from audit_log where subject = $1 order by entry_id desc limit 1`,
    values: [rule.ruleId],
  })
  const { state } = (await rule.look()).rule
  assert.deepEqual(line, { before: { state: 'on' }, after: { state } })
})

test('a rule asks for 3-D Secure, or sends the payment to review', async () => {
  const challenge = await draft('challenge', { countries: ['IT'] })
  await challenge.switchOn()
  assert.ok(await eventually(async () => (await pay(office.demo, from('IT'))).data.payUrl !== undefined))

  await (await draft('review', { countries: ['PT'] })).switchOn()
  let merOrderNo = ''
  let tradeNo = ''
  const isReviewed = async () => {
    merOrderNo = newNumber()
    const { data } = await pay(office.demo, { merOrderNo, ...from('PT') })
    tradeNo = String(data.tradeNo)
    return data.payCode === 2
  }
  assert.ok(await eventually(isReviewed))
  await risk.call('POST /reviews/:tradeNo/approve', { params: { tradeNo }, body: { reason } })
  assert.equal((await query(office.demo, merOrderNo)).data.state, 3)
  assert.ok(isSound(await verifyBooks({ db: office.db, clock: systemClock }, () => {})))
})

test('velocity refuses the payment that is one too many', async () => {
  const velocity = { per: 'card', minutes: 60, mostPayments: 2 } as const
  const rule = await draft('refuse', { countries: ['GR'], velocity })
  await rule.switchOn()
  const codes: unknown[] = []
  const isStopped = async () => {
    const { data } = await pay(office.demo, { ...from('GR'), cardNo: '5555555555554444' })
    codes.push(data.payCode)
    return data.payCode === 1
  }
  assert.ok(await eventually(isStopped))
  assert.deepEqual(codes.slice(0, 2), [0, 0])
  assert.equal((await pay(office.demo, { ...from('CZ'), cardNo: '5555555555554444' })).data.payCode, 0)
  assert.equal((await rule.state('off')).status, 200)
})

test('people without the permission neither see nor change risk, and bad input is named at its field', async () => {
  const staff = await office.person(office.demo.merNo, 'owner')
  assert.equal((await staff.attempt('GET /risk/rules', {})).problem?.code, 'not-allowed')
  const body = { merNo: 0, name: 'x', action: 'refuse', conditions: { above: 'much' }, reason } as const
  const support = await office.operator('support')
  assert.equal((await support.attempt('POST /risk/rules', { body })).problem?.code, 'not-allowed')
  assert.ok((await risk.attempt('POST /risk/rules', { body })).problem?.fields?.above)
  const stranger = { ...body, merNo: 4_000, conditions: { above: '1' } }
  assert.ok((await risk.attempt('POST /risk/rules', { body: stranger })).problem?.fields?.merNo)
})

test('the payer of an order is blocked by what the order was paid with', async () => {
  const payer = { cardNo: '5555555555554444', ...from('NL') }
  const { tradeNo } = (await pay(office.demo, payer)).data
  const params = { tradeNo: String(tradeNo) }
  const { names } = await risk.call('GET /risk/orders/:tradeNo', { params })
  assert.deepEqual(
    names.map(({ kind }) => kind),
    ['card', 'email', 'address', 'device'],
  )
  assert.deepEqual(names[0], { kind: 'card', shown: '555555…4444' })
  const block = (kinds: ('card' | 'email')[], by: Person = risk) =>
    by.attempt('POST /risk/orders/:tradeNo/block', { params, body: { kinds, isForAll: false, reason } })
  assert.deepEqual((await block([])).problem?.fields, { kinds: 'Choose what to block.' })
  assert.equal((await block(['card'], await office.operator('support'))).problem?.code, 'not-allowed')
  assert.deepEqual((await block(['card'])).reply?.blocked, ['555555…4444'])
  assert.deepEqual((await block(['card', 'email'])).reply?.blocked, ['payer@nl.example'])
  assert.equal((await block(['card', 'email'])).reply?.blocked.length, 0)
  await office.db.query({
    text: `insert into risk_entries (mer_no, entry_id, list, kind, value, shown, reason, created_at, created_by)
      select 0, 'full-' || n, 'block', 'email', 'full-' || n, '', '', now(), '' from generate_series(1, 100000) n`,
  })
  const full = await block(['card', 'email'])
  await office.db.query({ text: `delete from risk_entries where entry_id like 'full-%'` })
  assert.match(full.problem?.message ?? '', /the lists have 100000 entries/)
  assert.match((await block(['card'])).problem?.fields?.kinds ?? '', /is on the block list already/)
  assert.ok(await eventually(async () => declined(await pay(office.demo, payer))))
  const { rows } = await risk.call('GET /audit', {
    query: { merNo: office.demo.merNo, action: 'risk.list-add' },
  })
  assert.deepEqual(
    rows
      .slice(0, 2)
      .map(({ subject }) => subject)
      .sort(),
    ['555555…4444', 'payer@nl.example'],
  )
})
