import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { PayoutRequest } from '../src/rails/contract/payout-rail.ts'
import { type BankOperation, createBankRail } from '../src/rails/protocols/bridge/payout/bank-rail.ts'
import { httpTransport } from '../src/rails/toolkit/transport.ts'
import { PAYOUT_BANK_PATH, startSandbox } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bank-'))
after(() => rmSync(folder, { recursive: true }))

let nowMs = Date.now()
const clock = { now: () => new Date(nowMs) }
const sandbox = await startSandbox({
  host: '127.0.0.1',
  dataDir: folder,
  minuteMs: 60_000,
  secret: 's',
  clock,
})
after(() => sandbox.close())
const bankUrl = sandbox.url + PAYOUT_BANK_PATH
const timeoutMs = 60_000

const rail = createBankRail({
  transport: httpTransport<BankOperation>({ url: bankUrl, secret: 's' }),
  timeoutMs,
})

let count = 0
function aRequest(changes: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    reference: `P${++count}`,
    kind: 'spei',
    money: { amount: 1_000n, currency: 'MXN' },
    beneficiary: { account: '032180000118359719', details: { benFirstName: 'Test' } },
    ...changes,
  }
}

describe('the payout bank', () => {
  it('processes a payout for a second, then it succeeds', async () => {
    const request = aRequest()
    assert.equal((await rail.send(request)).kind, 'processing')
    assert.equal((await rail.ask(request.reference)).kind, 'processing')
    nowMs += 1_000
    const outcome = await rail.ask(request.reference)
    assert.equal(outcome.kind, 'succeeded')
    assert.deepEqual(outcome.kind === 'succeeded' && outcome.money, request.money)
    assert.deepEqual(await rail.send(request), outcome)
  })

  it('fails one of exactly 6.66, whatever decimals the currency has', async () => {
    for (const [amount, currency, kind] of [
      [666n, 'MXN', 'failed'],
      [667n, 'MXN', 'succeeded'],
      [666n, 'JPY', 'succeeded'],
      [6_660n, 'KWD', 'failed'],
    ] as const) {
      const request = aRequest({ money: { amount, currency } })
      await rail.send(request)
      nowMs += 1_000
      assert.equal((await rail.ask(request.reference)).kind, kind, `${amount} ${currency}`)
    }
  })

  it('pays a reference once, however often and with whatever content it is sent', async () => {
    const request = aRequest()
    const first = await rail.send(request)
    const other = { ...request, money: { amount: 9n, currency: 'USD' } }
    const again = await Promise.all([request, other, request].map((one) => rail.send(one)))
    for (const answer of again) assert.deepEqual(answer, first)
    nowMs += 1_000
    const outcome = await rail.ask(request.reference)
    assert.deepEqual(outcome.kind === 'succeeded' && outcome.money, request.money)
  })

  it('reports an unknown reference as not found', async () => {
    assert.deepEqual(await rail.ask('P-never'), { kind: 'absent' })
  })

  it('accepts cards only by its own token', async () => {
    const tokenised = await rail.tokenise('4242424242424242')
    assert.equal(tokenised.kind, 'token')
    const card = (account: string) => aRequest({ kind: 'card', beneficiary: { account, details: {} } })
    const token = tokenised.kind === 'token' ? tokenised.token : ''
    assert.equal((await rail.send(card(token))).kind, 'processing')
    for (const account of ['4242424242424242', 'tok_unknown']) {
      const refused = await rail.send(card(account))
      assert.equal(refused.kind === 'failed' && refused.cause, 'refused')
    }
    const nonsense = await rail.tokenise('not a number')
    assert.equal(nonsense.kind === 'failed' && nonsense.cause, 'refused')
  })
})

it('an unreachable bank fails new payouts for certain, and leaves older ones unknown', async () => {
  const rail = createBankRail({
    transport: httpTransport({ url: 'http://127.0.0.1:9', secret: 's' }),
    timeoutMs,
  })
  const sent = await rail.send(aRequest())
  assert.equal(sent.kind === 'failed' && sent.cause, 'unreachable')
  assert.equal((await rail.ask('P1')).kind, 'unknown')
  const token = await rail.tokenise('4242424242424242')
  assert.equal(token.kind === 'failed' && token.cause, 'unreachable')
})

it('a wrong secret is refused', async () => {
  const rail = createBankRail({ transport: httpTransport({ url: bankUrl, secret: 'other' }), timeoutMs })
  const request = aRequest()
  const sent = await rail.send(request)
  assert.equal(sent.kind === 'failed' && sent.cause, 'unauthorised')
  assert.equal((await rail.ask(request.reference)).kind, 'unknown')
})

it('a malformed response is unknown', async () => {
  const answers: readonly unknown[] = [
    undefined,
    {},
    { reference: 'other', id: 'x', status: 'succeeded', amount: '1', currency: 'USD' },
    { reference: 'P1', id: '', status: 'succeeded', amount: '1', currency: 'USD' },
    { reference: 'P1', id: 'x', status: 'succeeded' },
    { reference: 'P1', id: 'x', status: 'paid', amount: '1', currency: 'USD' },
  ]
  for (const body of answers)
    for (const status of [200, 404, 500]) {
      const rail = createBankRail({ transport: async () => ({ kind: 'answer', status, body }), timeoutMs })
      assert.equal((await rail.send(aRequest({ reference: 'P1' }))).kind, 'unknown')
      assert.equal((await rail.ask('P1')).kind, 'unknown')
    }
})

it('the book stores only the end of an account', () => {
  const files = ['payout-bank.sqlite', 'payout-bank.sqlite-wal']
  const bytes = files.map((name) => readFileSync(join(folder, 'sandbox', name), 'latin1')).join('')
  assert.ok(bytes.includes('9719'))
  for (const account of ['032180000118359719', '4242424242424242'])
    assert.equal(bytes.includes(account), false)
})
