// Tests the order of the checks with a table. A request that fails two checks must be refused by the earlier one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aCardPayment,
  aMerchant,
  buildFrame,
  type JsonBody,
  signed,
} from '../../../../test/harness/merchant-frame.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'

type Broken = { body: JsonBody; headers: Record<string, string>; text?: string; signs: boolean }
type Step = {
  readonly name: string
  readonly code: string
  readonly breaks: (request: Broken) => void
}

const steps: readonly Step[] = [
  {
    name: 'malformed JSON',
    code: '99996',
    breaks: (request) => Object.assign(request, { text: '{"merNo":' }),
  },
  { name: 'a wrong type', code: '99996', breaks: ({ body }) => Object.assign(body, { billingCity: 5 }) },
  { name: 'no merNo', code: '10002', breaks: ({ body }) => Object.assign(body, { merNo: '' }) },
  { name: 'unknown merNo', code: '10004', breaks: ({ body }) => Object.assign(body, { merNo: 999 }) },
  { name: 'suspended merchant', code: '10005', breaks: ({ body }) => Object.assign(body, { merNo: 2 }) },
  { name: 'no Referer', code: '10006', breaks: ({ headers }) => Object.assign(headers, { referer: '' }) },
  {
    name: 'strange Referer',
    code: '10008',
    breaks: ({ headers }) => Object.assign(headers, { referer: 'http://x.y' }),
  },
  { name: 'no order number', code: '10002', breaks: ({ body }) => Object.assign(body, { merOrderNo: null }) },
  { name: 'no currency', code: '10018', breaks: ({ body }) => Object.assign(body, { currencyCode: '' }) },
  { name: 'no amount', code: '10002', breaks: ({ body }) => Object.assign(body, { sourceAmount: '' }) },
  { name: 'wrong signature', code: '10015', breaks: (request) => Object.assign(request, { signs: false }) },
  {
    name: 'unknown version',
    code: '10109',
    breaks: ({ body }) => Object.assign(body, { version: 'V9.9.9' }),
  },
  { name: 'duplicate', code: '10009', breaks: ({ body }) => Object.assign(body, { merOrderNo: 'USED' }) },
  {
    name: 'unknown method',
    code: '10001',
    breaks: ({ headers }) => Object.assign(headers, { paymenttype: 'BARTER' }),
  },
  { name: 'required field', code: '10002', breaks: ({ body }) => Object.assign(body, { shippingCity: '' }) },
  { name: 'restriction', code: '99997', breaks: ({ body }) => Object.assign(body, { returnUrl: 'nowhere' }) },
  {
    name: "the handler's own",
    code: '10019',
    breaks: ({ body }) => Object.assign(body, { currencyCode: 'XXX' }),
  },
]

const frame = await buildFrame({
  merchants: [aMerchant(), aMerchant({ merNo: 2, state: 'suspended' })],
  handlers: {
    '/payment': async ({ fields }) => {
      if (fields.merOrderNo === 'USED') throw new Refusal('10009')
      if (fields.currencyCode === 'XXX') throw new Refusal('10019')
      return { data: {} }
    },
  },
})
const withDuplicates = await buildFrame({
  merchants: [aMerchant(), aMerchant({ merNo: 2, state: 'suspended' })],
  duplicate: new Refusal('10009'),
  handlers: {
    '/payment': async ({ fields }) => {
      throw new Refusal(fields.merOrderNo === 'USED' ? '10009' : '10019')
    },
  },
})

async function codeOf(broken: readonly Step[]): Promise<string> {
  const request: Broken = { body: aCardPayment(), headers: {}, signs: true }
  for (const step of broken) step.breaks(request)
  const key = request.signs ? undefined : 'another key'
  const body = request.text ?? signed(request.body, undefined, key)
  // For a duplicate, the order number must already be used.
  const target = broken.some(({ name }) => name === 'duplicate') ? withDuplicates : frame
  return (await target.post('/payment', body, request.headers)).body.code
}

test('each check has its own code', async () => {
  for (const step of steps) assert.equal(await codeOf([step]), step.code, step.name)
})

test('of two failing checks the earlier one decides', async () => {
  for (const [index, earlier] of steps.entries()) {
    for (const later of steps.slice(index + 1)) {
      // Two changes of the same field cannot be combined.
      const names = new Set([earlier.name, later.name])
      if (names.has('no order number') && names.has('duplicate')) continue
      if (names.has('no currency') && names.has("the handler's own")) continue
      if (earlier.name.endsWith('merNo') && (later.name.endsWith('merNo') || later.code === '10005')) continue
      if (earlier.code === '10006' && later.code === '10008') continue
      assert.equal(await codeOf([earlier, later]), earlier.code, `${earlier.name}, then ${later.name}`)
    }
  }
})

test('each merchant state allows what it should', async () => {
  const states = ['pending', 'active', 'suspended', 'closed'] as const
  const may: Record<string, readonly string[]> = {
    '/payment': ['active'],
    '/payout': ['active'],
    '/refund/apply': ['active', 'suspended'],
    '/review/submit': ['active', 'suspended'],
    '/order/query': ['active', 'suspended', 'closed'],
    '/balance/query': ['active', 'suspended', 'closed'],
  }
  for (const state of states) {
    const { post } = await buildFrame({ merchants: [aMerchant({ state })] })
    for (const [path, allowed] of Object.entries(may)) {
      const { code } = (await post(path, { merNo: '100001' })).body
      assert.equal(code === '10005', !allowed.includes(state), `${state} ${path}`)
    }
  }
})

test('an invalid order number is not looked up', async () => {
  const asked: string[] = []
  const { post } = await buildFrame({ duplicate: new Refusal('10009') })
  for (const merOrderNo of ['x'.repeat(33), 'a\u0000b', '\ud800']) {
    asked.push((await post('/payment', signed(aCardPayment({ merOrderNo })))).body.code)
  }
  assert.deepEqual(asked, ['99997', '99997', '99997'])
})

test('a stored order that failed is not a duplicate of itself', async () => {
  const { post } = await buildFrame({
    duplicate: new Refusal('10003'),
    handlers: { '/payment': async () => ({ failure: new Refusal('99998') }) },
  })
  assert.equal((await post('/payment', signed(aCardPayment()))).body.code, '99998')
})

test('only payments and payouts can have a duplicate order number', async () => {
  const { post } = await buildFrame({ duplicate: new Refusal('10009') })
  const query = signed({ merNo: 100001, merOrderNo: 'A' }, ['merNo', 'merOrderNo', 'tradeNo'])
  assert.equal((await post('/order/query', query)).body.code, '10002')
  const payout = signed({ merNo: 100001, merOrderNo: 'A', currencyCode: 'USD', sourceAmount: '1.00' })
  assert.equal((await post('/payout', payout)).body.code, '10009')
})
