import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { call, cardBody, pay, query, signed } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { createMerchant } from '../../../money/merchants/create-merchant.ts'
import { readOptions } from '../../../money/merchants/options.ts'
import { openVault } from '../../../platform/base/secret.ts'
import { readConfig } from '../../../platform/config/config.ts'

let office: BackOffice
let developer: Person

before(async () => {
  office = await openBackOffice()
  developer = await office.person(office.demo.merNo, 'developer')
})
after(() => office.close())

/** Waits until the log has `count` calls about the order. The log is written twice a second. */
async function logged(merOrderNo: string, count = 1) {
  const find = async () => (await developer.call('GET /requests', { query: { merOrderNo } })).rows
  await eventually(async () => (await find()).length === count)
  return await find()
}

test('a call is in the log with its order, code and duration, and without card data', async () => {
  const merOrderNo = `log-${Date.now()}`
  const reply = await pay(office.demo, { merOrderNo, pan: '4000000000000002' })
  await query(office.demo, merOrderNo)
  const [asked, made] = await logged(merOrderNo, 2)
  assert.equal(asked?.endpoint, '/order/query')
  assert.deepEqual(
    { endpoint: made?.endpoint, code: made?.code, reason: made?.reason },
    { endpoint: '/payment', code: '00000', reason: null },
  )
  assert.equal(made?.tradeNo, reply.data.tradeNo)
  assert.equal(made?.requestId, reply.headers.get('x-request-id'))
  const requestId = made?.requestId ?? ''
  const whole = await developer.call('GET /requests/:requestId', { params: { requestId }, query: {} })
  assert.equal(JSON.parse(whole.body).billingCity, 'Lima')
  assert.equal(JSON.parse(whole.answer).data.tradeNo, reply.data.tradeNo)
  assert.equal(whole.referer, `https://${office.demo.site}/cart`)
  assert.match(whole.curl, /^curl 'http:.*\/payment' \\\n {2}-H 'Content-Type/)
  assert.match(whole.sdk ?? '', /tollgate\.pay\('card', \{\n {2}merOrderNo: 'log-/)
  assert.doesNotMatch(JSON.stringify(whole), /4242424242424242|4000000000000002|"123"/)
  assert.equal(JSON.parse(whole.body).sign, '***')
})

test('a card number in a field for something else is in no body, answer or header of the log', async () => {
  const merOrderNo = '4242424242424242'
  const headers = {
    'user-agent': 'Shop 4111 1111 1111 1111',
    paymentType: '5105105105105100',
    referer: `https://${office.demo.site}/cart?card=4012-8888-8888-1881`,
  }
  const body = cardBody(office.demo, {
    merOrderNo,
    billingFirstName: '378282246310005',
    billingCity: 5555555555554444,
    '4222222222222220': 'x',
    productInfoList: [{ sku: '6011 1111 1111 1117', productName: 'Scarf', price: '12.34', quantity: '1' }],
  })
  await call(office.demo, '/payment', body, headers)
  const [row] = await logged(merOrderNo)
  assert.equal(row?.merOrderNo, merOrderNo)
  const params = { requestId: row?.requestId ?? '' }
  const { merOrderNo: _, ...whole } = await developer.call('GET /requests/:requestId', { params, query: {} })
  const digits = JSON.stringify(whole).replace(/[ -]/g, '')
  for (const start of [
    '42424242',
    '41111111',
    '51051051',
    '40128888',
    '37828224',
    '55555555',
    '42222222',
    '60111111',
  ])
    assert.ok(!digits.includes(start), start)
  assert.match(whole.agent, /^Shop \*{4} \*{4} \*{4} 1111$/)
  assert.equal(JSON.parse(whole.body).billingCity, 5000000000004444)
})

test('a refusal says why, and the list can be narrowed to refusals and codes', async () => {
  const merOrderNo = `refused-${Date.now()}`
  await pay(office.demo, { merOrderNo, billingCity: '' })
  const [row] = await logged(merOrderNo)
  assert.deepEqual(
    { code: row?.code, reason: row?.reason },
    { code: '10002', reason: 'A required parameter is empty: billingCity' },
  )
  const has = async (input: { refused?: boolean; code?: string; endpoint?: string }) => {
    const { rows } = await developer.call('GET /requests', { query: input })
    return rows.some(({ requestId }) => requestId === row?.requestId)
  }
  assert.equal(await has({ refused: true }), true)
  assert.equal(await has({ code: '10002' }), true)
  assert.equal(await has({ code: '00000' }), false)
  assert.equal(await has({ endpoint: '/refund/apply' }), false)
})

test('pages follow each other without a gap', async () => {
  const before = await developer.call('GET /requests', { query: { endpoint: '/balance/query' } })
  assert.equal(before.rows.length, 0)
  const body = { merNo: office.demo.merNo, version: 'V3.0.0' }
  for (let sent = 0; sent < 53; sent++) await call(office.demo, '/balance/query', body)
  const list = (input: { after?: string }) =>
    developer.call('GET /requests', { query: { endpoint: '/balance/query', ...input } })
  await eventually(async () => {
    const { next: after } = await list({})
    return after !== undefined && (await list({ after })).rows.length === 3
  })
  const first = await list({})
  const second = await list({ after: first.next ?? '' })
  assert.deepEqual(
    { first: first.rows.length, second: second.rows.length, next: second.next },
    { first: 50, second: 3, next: undefined },
  )
  const ids = [...first.rows, ...second.rows].map(({ requestId }) => requestId)
  assert.deepEqual([...new Set(ids)], ids.toSorted().reverse())
  const nowhere = await developer.attempt('GET /requests', { query: { after: 'rubbish' } })
  assert.equal(nowhere.problem?.code, 'invalid')
})

test('a wrong signature leads to the debugger, which names the mistake and no key', async () => {
  const merOrderNo = `Sign-${Date.now()}`
  const body = signed(office.demo, '/payment', cardBody(office.demo, { merOrderNo }))
  const reply = await call(office.demo, '/payment', { ...body, sign: String(body.sign).toLowerCase() })
  assert.equal(reply.code, '10015')
  const [row] = await logged(merOrderNo)
  const explained = await developer.call('POST /signature/explain', {
    query: {},
    body: { requestId: row?.requestId ?? '' },
  })
  const { endpoint, verdict, mistakes } = explained
  assert.deepEqual(
    { endpoint, verdict, mistakes: mistakes.map(({ code }) => code) },
    { endpoint: '/payment', verdict: 'wrong', mistakes: ['lower-case'] },
  )
  assert.equal(explained.stringToSign, `${office.demo.merNo}${merOrderNo}USD12.34<KEY>`)
  assert.ok(!JSON.stringify(explained).includes(office.demo.key))
  assert.ok(!JSON.stringify(explained).includes(String(body.sign)))
})

test('the signature of a request that was refused for something else can be checked', async () => {
  const merOrderNo = `Fine-${Date.now()}`
  const body = signed(office.demo, '/payment', cardBody(office.demo, { merOrderNo, billingCity: '' }))
  assert.notEqual((await call(office.demo, '/payment', body)).code, '00000')
  const [row] = await logged(merOrderNo)
  const verdictOn = async (sign?: string) => {
    const asked = { requestId: row?.requestId ?? '', ...(sign !== undefined && { sign }) }
    return (await developer.call('POST /signature/explain', { query: {}, body: asked })).verdict
  }
  assert.equal(await verdictOn(), 'missing')
  assert.equal(await verdictOn(String(body.sign)), 'right')
  assert.equal(await verdictOn('0'.repeat(32)), 'wrong')
})

test('a pasted request is explained, and bad input names its field', async () => {
  const body = JSON.stringify(signed(office.demo, '/payment', cardBody(office.demo)))
  const explain = (input: object) => developer.attempt('POST /signature/explain', { query: {}, body: input })
  const { reply } = await explain({ endpoint: '/payment', body, signed: 'x' })
  assert.deepEqual({ verdict: reply?.verdict, at: reply?.difference?.at }, { verdict: 'right', at: 0 })
  assert.deepEqual((await explain({ endpoint: '/nowhere', body })).problem?.fields, {
    endpoint: 'Choose the endpoint.',
  })
  const noJson = await explain({ endpoint: '/payment', body: '{' })
  assert.deepEqual(noJson.problem?.fields, { body: 'Paste the whole JSON body of the request.' })
})

test('a request runs again under a new number, and is in the log as well', async () => {
  const merOrderNo = `again-${Date.now()}`
  await pay(office.demo, { merOrderNo })
  const [row] = await logged(merOrderNo)
  const params = { requestId: row?.requestId ?? '' }
  const again = await developer.call('POST /requests/:requestId/again', { params })
  assert.equal(again.code, '00000', again.answer)
  const { data } = JSON.parse(again.answer)
  assert.match(data.merOrderNo, new RegExp(`^${merOrderNo}-[0-9a-f]{6}$`))
  const [copy] = await logged(data.merOrderNo)
  assert.equal(copy?.requestId, again.requestId)
})

test('the log of another merchant looks as if it did not exist', async () => {
  const merOrderNo = `mine-${Date.now()}`
  await pay(office.demo, { merOrderNo })
  const [row] = await logged(merOrderNo)
  const requestId = row?.requestId ?? ''
  const vault = openVault(readConfig({ TOLLGATE_DATA_DIR: office.dataDir }).masterKey)
  const options = readOptions({ name: 'Other', sites: ['other.example'] })
  const wanted = { options, pending: false, now: new Date() }
  const { merNo } = await office.db.transaction((tx) => createMerchant(tx, vault, wanted))
  const stranger = await office.person(merNo, 'developer')
  assert.deepEqual((await stranger.call('GET /requests', { query: {} })).rows, [])
  const answers = [
    await stranger.attempt('GET /requests/:requestId', { params: { requestId }, query: {} }),
    await stranger.attempt('POST /requests/:requestId/again', { params: { requestId } }),
    await stranger.attempt('POST /signature/explain', { query: {}, body: { requestId } }),
    await stranger.attempt('GET /requests', { query: { merNo: office.demo.merNo } }),
  ]
  for (const { problem } of answers) assert.equal(problem?.code, 'not-found')
  assert.equal((await stranger.attempt('GET /requests', { query: { merNo: 0 } })).problem?.code, 'not-found')
})

test('operators see the log of a merchant that they name, and calls that named none', async () => {
  const operator = await office.operator('support')
  const merOrderNo = `seen-${Date.now()}`
  await pay(office.demo, { merOrderNo })
  await logged(merOrderNo)
  const { merNo } = office.demo
  const { rows } = await operator.call('GET /requests', { query: { merNo, merOrderNo } })
  assert.equal(rows.length, 1)
  assert.equal((await operator.attempt('GET /requests', { query: {} })).problem?.code, 'invalid')
  await pay({ ...office.demo, merNo: 99 }, { merOrderNo })
  const unknown = () => operator.call('GET /requests', { query: { merNo: 0, merOrderNo } })
  await eventually(async () => (await unknown()).rows.length === 1)
  assert.equal((await unknown()).rows[0]?.code, '10004')
})

test('a wrong RSA signature leaves nothing of the card, though its refusal shows the string to the caller', async () => {
  const pem = rsaPair('merchant').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await developer.call('PUT /keys/rsa', { body: { pem } })
  let merOrderNo = ''
  // The node gets the new key by NOTIFY. Until then, its refusals ask for an MD5 signature.
  const refused = await eventually(async () => {
    merOrderNo = `rsa-${Date.now()}`
    const reply = await call(office.demo, '/payment', {
      ...cardBody(office.demo, { merOrderNo }),
      sign: Buffer.alloc(256, 7).toString('base64'),
    })
    assert.equal(reply.code, '10015')
    return reply.message.includes('cardNo=4242424242424242')
  })
  assert.ok(refused, 'the refusal shows the signed string, with the card')
  const [row] = await logged(merOrderNo)
  const params = { requestId: row?.requestId ?? '' }
  const whole = JSON.stringify(await developer.call('GET /requests/:requestId', { params, query: {} }))
  assert.match(whole, /SHA256withRSA/)
  assert.doesNotMatch(whole, /4242424242424242|cardSecurityCode=/)
  const { mistakes } = await developer.call('POST /signature/explain', { query: {}, body: params })
  assert.deepEqual(
    mistakes.map(({ code }) => code),
    ['masked'],
  )
})
