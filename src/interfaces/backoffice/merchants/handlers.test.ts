import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
})
after(() => office.close())

const reason = 'New contract'

async function aMerchant(name = 'Lamp shop'): Promise<number> {
  const { merNo } = await admin.call('POST /merchants', { body: { name, sites: ['lamps.example'], reason } })
  return merNo
}

async function show(merNo: number) {
  return await admin.call('GET /merchants/:merNo', { params: { merNo } })
}

type Line = { action: string; actor: string; before: unknown; after: unknown; reason: string | null }

async function linesOf(merNo: number): Promise<Line[]> {
  return await office.db.query<Line>({
    text: 'select action, actor, before, after, reason from audit_log where mer_no = $1 order by entry_id',
    values: [merNo],
  })
}

test('a merchant is created, found by part of its name, and shown without secrets', async () => {
  const merNo = await aMerchant('Umbrella shop')
  const { rows } = await admin.call('GET /merchants', { query: { text: 'umbrella' } })
  assert.deepEqual(rows, [{ merNo, name: 'Umbrella shop', state: 'active', askedWebsites: 0 }])
  const { merchant } = await show(merNo)
  assert.deepEqual(merchant.websites, ['lamps.example'])
  assert.doesNotMatch(JSON.stringify(merchant), /whsec|secret/i)
})

test('a merchant that is created as pending waits for approval', async () => {
  const made = { name: 'Pending shop', sites: ['pending.example'], pending: true, reason }
  const { merNo } = await admin.call('POST /merchants', { body: made })
  assert.equal((await show(merNo)).merchant.state, 'pending')
  const pending = async () => {
    const { rows } = await admin.call('GET /merchants', { query: { state: 'pending' } })
    return rows.map((row) => row.merNo)
  }
  assert.deepEqual(await pending(), [merNo])
  await admin.call('POST /merchants/:merNo/state', {
    params: { merNo },
    body: { transition: 'approve', reason },
  })
  assert.equal((await show(merNo)).merchant.state, 'active')
  assert.deepEqual(await pending(), [])
})

const PNG = '89504e470d0a1a0a0000000d49484452'
const png = (rest: string) => Buffer.from(PNG + rest, 'hex').toString('base64')

test('a logo and IP addresses are set, replaced and removed; a wrong one is refused at its field', async () => {
  const merNo = await aMerchant()
  const set = (options: { logo?: string; ips?: string[] }, dryRun = false) =>
    admin.attempt('PUT /merchants/:merNo', { params: { merNo }, body: { options, reason, dryRun } })
  await set({ logo: png('01'), ips: ['203.0.113.0/24'] })
  const first = await show(merNo)
  assert.deepEqual(first.merchant.ips, ['203.0.113.0/24'])
  await set({ logo: png('02'), ips: [''] })
  const second = await show(merNo)
  assert.deepEqual(second.merchant.ips, [])
  assert.notEqual(second.merchant.logo, first.merchant.logo)
  assert.notEqual(second.version, first.version)
  const large = await set({ logo: png('00'.repeat(70_000)) })
  assert.deepEqual(large.problem?.fields, { logo: 'The logo is larger than 64 KiB: use a smaller file.' })
  const document = await set({ logo: Buffer.from('<svg/>').toString('base64') })
  assert.deepEqual(document.problem?.fields, { logo: 'The logo must be a PNG or JPEG file.' })
  await set({ logo: 'none' }, true)
  assert.equal((await show(merNo)).merchant.logo, second.merchant.logo)
  await set({ logo: 'none' })
  assert.equal((await show(merNo)).merchant.logo, null)
  assert.doesNotMatch(JSON.stringify(await linesOf(merNo)), new RegExp(png('01')))
})

test('a dry run says what would change and what it costs, and changes nothing', async () => {
  const merNo = await aMerchant()
  const { version, merchant } = await show(merNo)
  const body = { options: { feeBps: '250', feeFixed: '0.30' }, version, reason, dryRun: true }
  const { changes, fees } = await admin.call('PUT /merchants/:merNo', { params: { merNo }, body })
  assert.deepEqual(
    changes.map(({ name }) => name),
    ['feePlans'],
  )
  const card = fees.find(({ method }) => method === 'card')
  assert.deepEqual(card, { method: 'card', currency: 'USD', before: '0.00', after: '2.80' })
  assert.deepEqual((await show(merNo)).merchant, merchant)
  assert.equal((await linesOf(merNo)).length, 1)
})

test('an edit is written to the audit log with what was there before', async () => {
  const merNo = await aMerchant()
  const { version } = await show(merNo)
  const body = { options: { timezone: 'Europe/Berlin' }, version, reason }
  await admin.call('PUT /merchants/:merNo', { params: { merNo }, body })
  assert.deepEqual((await linesOf(merNo)).at(-1), {
    action: 'merchant.set',
    actor: admin.email,
    before: { timezone: 'UTC' },
    after: { timezone: 'Europe/Berlin' },
    reason,
  })
})

test('of two people who edit the same merchant, the second gets a conflict', async () => {
  const merNo = await aMerchant()
  const { version } = await show(merNo)
  const set = (name: string) =>
    admin.attempt('PUT /merchants/:merNo', {
      params: { merNo },
      body: { options: { name }, version, reason },
    })
  const answers = await Promise.all([set('First'), set('Second')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  assert.ok(answers.some(({ problem }) => problem?.code === 'conflict'))
})

test('states, plans, routes and websites are changed by the same use cases as on the command line', async () => {
  const merNo = await aMerchant()
  const params = { merNo }
  const plan = { ...params, method: 'card' }
  await admin.call('PUT /merchants/:merNo/plans/:method', {
    params: plan,
    body: { terms: { feeBps: '90' }, reason },
  })
  const route = { ...plan, channel: 'card' }
  await admin.call('PUT /merchants/:merNo/routes/:method/:channel', {
    params: route,
    body: { priority: 1, weight: 3, reason },
  })
  const payoutRoute = { ...params, method: 'payout_bank', channel: 'payout-bank' }
  const toPayouts = { params: payoutRoute, body: { priority: 1, weight: 1, reason } }
  await admin.call('PUT /merchants/:merNo/routes/:method/:channel', toPayouts)
  await admin.call('POST /merchants/:merNo/state', { params, body: { transition: 'suspend', reason } })
  const { merchant } = await show(merNo)
  assert.equal(merchant.state, 'suspended')
  assert.equal(merchant.feePlans.find(({ method }) => method === 'card')?.feeBps, 90)
  assert.deepEqual(merchant.routes, [
    { method: 'card', channel: 'card', priority: 1, weight: 3 },
    { method: 'payout_bank', channel: 'payout-bank', priority: 1, weight: 1 },
  ])
  await admin.call('DELETE /merchants/:merNo/plans/:method', { params: plan, body: { reason } })
  for (const params of [route, payoutRoute])
    await admin.call('DELETE /merchants/:merNo/routes/:method/:channel', { params, body: { reason } })
  assert.deepEqual((await show(merNo)).merchant.routes, [])
})

test('a route to a channel that is not there, or does not serve the method, is refused at its field', async () => {
  const merNo = await aMerchant()
  const refused = async (method: string, channel: string) => {
    const body = { priority: 1, weight: 1, reason }
    const params = { merNo, method, channel }
    const { problem } = await admin.attempt('PUT /merchants/:merNo/routes/:method/:channel', { params, body })
    return problem?.fields?.channel ?? ''
  }
  assert.match(await refused('card', 'acquirer-a'), /^There is no channel acquirer-a; channels: .*card/)
  assert.match(await refused('pix', 'card'), /^Channel card does not serve pix, but card/)
  assert.deepEqual((await show(merNo)).merchant.routes, [])
})

test('bad input is refused in words, and changes nothing', async () => {
  const merNo = await aMerchant()
  const bad = await admin.attempt('PUT /merchants/:merNo', {
    params: { merNo },
    body: { options: { feeBps: 'much' }, reason },
  })
  assert.deepEqual(bad.problem?.fields, { feeBps: 'It must be a whole number from 0 to 10000.' })
  const missing = await admin.attempt('GET /merchants/:merNo', { params: { merNo: 999_999 } })
  assert.equal(missing.status, 404)
  const noReason = await admin.attempt('POST /merchants/:merNo/state', {
    params: { merNo },
    body: { transition: 'close', reason: ' ' },
  })
  assert.deepEqual(noReason.problem?.fields, { reason: 'Enter a value.' })
})
