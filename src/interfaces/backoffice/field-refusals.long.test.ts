// If a value is refused, the problem appears at the value's field, in words that the pages can translate.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type BackOffice,
  openBackOffice,
  type Person,
  type RouteKey,
} from '../../../test/harness/back-office.ts'
import { pay } from '../../../test/harness/client.ts'
import { fieldTextWords } from '../../../web/src/words/field-text.ts'

let office: BackOffice
let admin: Person
let owner: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
  owner = await office.person(office.demo.merNo, 'owner')
})
after(() => office.close())

const reason = 'Checked by hand'

type Case = readonly [field: string, text: RegExp, ask: () => ReturnType<Person['attempt']>]

type Parts = { readonly params?: object; readonly body?: object }

/** Returns a function that makes a test case of a route. The case replaces parts of the route's usual input. */
function of(who: () => Person, name: RouteKey, usual: Parts = {}) {
  return (field: string, text: RegExp, { params = usual.params, body }: Parts): Case => {
    const parts = Object.entries({ params, body: { ...usual.body, ...body } })
    return [field, text, () => who().attempt(name, Object.fromEntries(parts))]
  }
}

async function refuseAtFields(cases: readonly Case[]): Promise<void> {
  for (const [field, text, ask] of cases) {
    const { problem } = await ask()
    const said = problem?.fields?.[field] ?? ''
    assert.deepEqual(Object.keys(problem?.fields ?? {}), [field], `${text}: ${JSON.stringify(problem)}`)
    assert.match(said, text)
    assert.match(fieldTextWords.zh(said), /\p{Script=Han}/u, said)
  }
}

const operator = () => admin
const merchant = () => owner

test('rates and limits of the platform', async () => {
  const rate = of(operator, 'POST /rates', { body: { from: 'USD', to: 'EUR', rate: '0.9', reason } })
  const limit = of(operator, 'PUT /platform/limits/:method', {
    params: { method: 'card' },
    body: { daily: '500.00', monthly: '900.00', reason },
  })
  await refuseAtFields([
    rate('from', /^QQQ is not a currency/, { body: { from: 'QQQ' } }),
    rate('to', /^QQQ is not a currency/, { body: { to: 'QQQ' } }),
    rate('to', /currencies must differ/, { body: { to: 'USD' } }),
    rate('rate', /^0 is not a rate/, { body: { rate: '0' } }),
    rate('rate', /^Enter a value/, { body: { rate: ' ' } }),
    rate('validFrom', /^A rate cannot begin in the past/, {
      body: { validFrom: '2026-01-31T00:00:00.000Z' },
    }),
    limit('daily', /^Much is not an amount in US dollars/, { body: { daily: 'much' } }),
    limit('monthly', /^-1 is not an amount in US dollars/, { body: { monthly: '-1' } }),
    limit('monthly', /^Enter a value/, { body: { monthly: '' } }),
    limit('method', /^Shells is not a method/, { params: { method: 'shells' } }),
  ])
})

test('correcting entries', async () => {
  const { merNo } = office.demo
  const between = { from: 'platform:fees', to: 'merchant:available' }
  const correct = of(operator, 'POST /corrections', {
    body: { merNo: String(merNo), ...between, amount: '1.00', currency: 'USD', reason },
  })
  await refuseAtFields([
    correct('merNo', /^There is no merchant 7\./, { body: { merNo: '7' } }),
    correct('merNo', /^Enter a value\./, { body: { merNo: '' } }),
    correct('merNo', /^Enter a whole number\./, { body: { merNo: 'all' } }),
    correct('from', /^The account merchant:unsettled cannot be/, { body: { from: 'merchant:unsettled' } }),
    correct('to', /^The account merchant:unsettled cannot be/, { body: { to: 'merchant:unsettled' } }),
    correct('to', /accounts must differ/, { body: { to: between.from } }),
    correct('amount', /^1\.234 is not an amount in USD/, { body: { amount: '1.234' } }),
    correct('amount', /must be above zero/, { body: { amount: '0.00' } }),
    correct('currency', /^QQQ is not a currency/, { body: { currency: 'QQQ' } }),
  ])
})

test('disputes and refunds', async () => {
  const { data } = await pay(office.demo)
  const tradeNo = String(data.tradeNo)
  const open = of(operator, 'POST /disputes', { body: { tradeNo, reasonCode: '0000', reason } })
  const deadline = of(operator, 'POST /disputes/:tradeNo/deadline', {
    params: { tradeNo },
    body: { reason, seen: null },
  })
  const refund = of(merchant, 'POST /orders/:tradeNo/refunds', {
    params: { tradeNo },
    body: { amount: '1.00', reason, merRefundNo: 'web-0123456789' },
  })
  await refuseAtFields([
    open('tradeNo', /^There is no order with this number/, { body: { tradeNo: 'lamp' } }),
    open('tradeNo', /^There is no paid order/, { body: { tradeNo: `${tradeNo.slice(0, -2)}ZZ` } }),
    open('amount', /^Enter an amount such as/, { body: { amount: 'all' } }),
    open('amount', /no more can be charged back/, { body: { amount: '99999.00' } }),
    open('amount', /must be above zero/, { body: { amount: '0.00' } }),
    open('reasonCode', /^There is no chargeback reason 9999/, { body: { reasonCode: '9999' } }),
    refund('amount', /^Refund exceeds what is left/, { body: { amount: '99999.00' } }),
    refund('amount', /^Enter an amount such as/, { body: { amount: 'all' } }),
  ])
  await admin.call('POST /disputes', { body: { tradeNo, reasonCode: '0000', reason } })
  await refuseAtFields([
    open('tradeNo', /has an open chargeback already/, {}),
    deadline('answerBy', /^Enter a date such as/, { body: { answerBy: 'soon' } }),
  ])
})

test('the lists of risk, and reference lists', async () => {
  const block = of(operator, 'POST /risk/entries', {
    body: { merNo: 0, list: 'block', kind: 'email', reason },
  })
  const value = 'thief@crime.example'
  const item = of(operator, 'POST /reference-items', {
    body: { list: 'banks/per', code: '99', name: 'Ninth Bank', reason },
  })
  const { rows } = await admin.call('GET /reference-items', { query: { list: 'banks/per' } })
  await admin.call('POST /risk/entries', { body: { merNo: 0, list: 'block', kind: 'email', value, reason } })
  await refuseAtFields([
    block('value', /^Give an e-mail address/, { body: { value: 'thief' } }),
    block('value', /^Give a value, or the number/, { body: { value: '' } }),
    block('value', /is on the block list already/, { body: { value } }),
    block('tradeNo', /^Order lamp is not known/, { body: { tradeNo: 'lamp' } }),
    block('expiresAt', /would have expired already/, {
      body: { value: 'b@crime.example', expiresAt: '2020-01-01T00:00:00Z' },
    }),
    block('merNo', /^There is no such merchant/, { body: { value, merNo: 7 } }),
    item('code', /already has/, { body: { code: rows[0]?.code } }),
    item('code', /^A code of banks\/per/, { body: { code: 'x' } }),
    item('name', /^A name has 1 to 100 characters/, { body: { name: ' ' } }),
  ])
})

test('merchants and fee plans', async () => {
  const { merNo } = office.demo
  const create = of(operator, 'POST /merchants', {
    body: { name: 'Lamps', sites: ['lamps.example'], reason },
  })
  const set = of(operator, 'PUT /merchants/:merNo', { params: { merNo }, body: { reason } })
  const plan = of(operator, 'PUT /fee-plans/:plan/:method', { body: { terms: {}, reason } })
  const assign = of(operator, 'PUT /merchants/:merNo/fee-plan', { params: { merNo }, body: { reason } })
  const params = { plan: 'Small shops', method: 'all' }
  await admin.call('PUT /fee-plans/:plan/:method', { params, body: { terms: {}, isNew: true, reason } })
  await refuseAtFields([
    create('sites', /^A merchant needs at least one website/, { body: { sites: [] } }),
    set('limitSingle', /^Enter a value/, { body: { options: { limitSingle: '' } } }),
    set('limitSingle', /^Much is not an amount/, { body: { options: { limitSingle: 'much' } } }),
    plan('plan', /^Choose another name/, { params, body: { isNew: true } }),
    plan('plan', /^A plan is named by/, { params: { ...params, plan: '-' } }),
    plan('plan', /^There is no plan Big shops: set/, { params: { plan: 'Big shops', method: 'card' } }),
    plan('method', /^Shells is not a method/, { params: { ...params, method: 'shells' } }),
    assign('plan', /^There is no plan Nobody/, { body: { plan: 'Nobody' } }),
  ])
})

test('a company: its people, beneficiaries, bulk refunds and addresses', async () => {
  const { rows } = await owner.call('GET /users', { query: {} })
  const me = rows.find(({ email }) => email === owner.email)
  const others = rows.filter(({ role, userId }) => role === 'owner' && userId !== me?.userId)
  for (const { userId, version } of others)
    await owner.call('POST /users/:userId/disable', {
      params: { userId },
      query: {},
      body: { version, reason },
    })
  const person = of(merchant, 'PUT /users/:userId', { params: { userId: me?.userId ?? '' } })
  const beneficiary = of(merchant, 'POST /beneficiaries', {
    body: { label: 'Mill', kind: 'pix', currency: 'BRL', fields: {} },
  })
  const bulk = of(merchant, 'POST /bulk-refunds', { body: { rows: [], reason } })
  const signing = of(merchant, 'PUT /developers/signing', {
    body: { version: '', requireRsa: false, requireIp: false, signAnswers: false, ips: [] },
  })
  const many = Array.from({ length: 5_000 }, (_, at) => ({ number: String(at) }))
  await refuseAtFields([
    person('role', /^This is the last owner/, { body: { role: 'viewer', version: me?.version } }),
    beneficiary('currency', /^Choose a currency, such as/, { body: { currency: 'QQQ' } }),
    beneficiary('fields.cardNo', /^A required parameter is empty/, {
      body: { fields: { benFirstName: 'Ada', benLastName: 'Mill' } },
    }),
    bulk('rows', /^List at most/, { body: { rows: many } }),
    signing('ips.0', /^Enter at most 50 characters/, { body: { ips: ['1'.repeat(60)] } }),
  ])
})
