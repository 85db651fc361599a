import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { noAlarms } from '../../../../../test/builders/no-alarms.ts'
import { makeRequest, SECRET } from '../../../../../test/contracts/sandbox-driver.ts'
import type { Callback, Outcome } from '../../../contract/channel.ts'
import { methods } from '../../../methods/methods.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../../toolkit/signature.ts'
import { httpTransport } from '../../../toolkit/transport.ts'
import { createBankChannel } from './bank-channel.ts'
import { redirectTo } from './charge.ts'

const money = { amount: 1_250n, currency: 'USD' }
const request = makeRequest({ method: 'cash_app', money }, 'pays', 'A1')
const deposit = { id: 'd1', amount: '1250', currency: 'USD', at: '2026-03-01T12:00:00.000Z' }
const open = {
  id: 'c1',
  reference: 'A1',
  status: 'open',
  amount: '1250',
  currency: 'USD',
  reason: '',
  payerUrl: 'https://bank.example/pay',
  deposits: [],
}

let now = new Date('2026-03-01T12:00:00Z')

function channelTo(url: string, reports: 'exact' | 'deposits' = 'exact', refundable = true) {
  return createBankChannel({
    name: 'bank',
    method: 'cash_app',
    traits: { ...methods.cash_app, refundable },
    transport: httpTransport({ url, secret: SECRET }),
    alarms: noAlarms,
    secret: SECRET,
    timeoutMs: 60_000,
    clock: { now: () => now },
    reports,
    actionOf: redirectTo,
  })
}

/** Returns the channel's outcome for this response to `open`. */
async function outcomeOf(body: unknown, reports?: 'exact' | 'deposits', status = 200): Promise<Outcome> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const server = http.createServer((incoming, response) => {
    incoming.resume().on('end', () => response.writeHead(status).end(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const { port }: AddressInfo = address
  try {
    return await channelTo(`http://127.0.0.1:${port}`, reports).start(request)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe("a bank's response", () => {
  it('is mapped to an outcome', async () => {
    const channelRef = 'c1'
    const action = { kind: 'redirect', url: 'https://bank.example/pay' } as const
    const deposits = [{ depositRef: 'd1', money, at: new Date(deposit.at) }]
    const paid = { ...open, status: 'paid', deposits: [deposit] }
    const cancelled = { ...open, status: 'cancelled' }
    assert.deepEqual(await outcomeOf(open), { kind: 'pending', channelRef, action })
    assert.deepEqual(await outcomeOf(paid), { kind: 'succeeded', money, channelRef })
    assert.deepEqual(await outcomeOf(paid, 'deposits'), { kind: 'received', channelRef, deposits, action })
    assert.partialDeepStrictEqual(await outcomeOf({ ...open, deposits: [deposit] }, 'deposits'), {
      kind: 'received',
    })
    assert.partialDeepStrictEqual(await outcomeOf({ ...open, status: 'declined', reason: 'No' }), {
      cause: 'declined',
      message: 'No',
    })
    assert.partialDeepStrictEqual(await outcomeOf({ ...cancelled, amount: '', currency: '' }), {
      cause: 'cancelled',
    })
    assert.partialDeepStrictEqual(await outcomeOf({ ...cancelled, deposits: [deposit] }, 'deposits'), {
      cause: 'cancelled',
      deposits,
    })
  })

  it('is returned with its own amount, for the caller to compare', async () => {
    const paid = { ...open, status: 'paid', amount: '125', currency: 'JPY', deposits: [] }
    assert.partialDeepStrictEqual(await outcomeOf(paid), { money: { amount: 125n, currency: 'JPY' } })
  })

  const nonsense: Readonly<Record<string, unknown>> = {
    'no JSON': '<html>',
    'a list': [open],
    'another reference': { ...open, reference: 'A2' },
    'no id': { ...open, id: '' },
    'no state that we know': { ...open, status: 'held' },
    'an amount as a number': { ...open, amount: 1250 },
    'an amount below zero': { ...open, amount: '-1250' },
    'no amount': { ...open, amount: '' },
    'no currency': { ...open, currency: 'XXY' },
    'another amount to pay': { ...open, amount: '1251' },
    'no page to pay on': { ...open, payerUrl: '' },
    'a page that runs script': { ...open, payerUrl: 'javascript:alert(1)' },
    'an account that is not text': { ...open, account: { number: 1 } },
    'no list of deposits': { ...open, deposits: undefined },
    'a deposit without an id': { ...open, deposits: [{ ...deposit, id: undefined }] },
    'a deposit of zero': { ...open, deposits: [{ ...deposit, amount: '0' }] },
    'a deposit below zero': { ...open, deposits: [{ ...deposit, amount: '-1250' }] },
    'a deposit without a valid time': { ...open, deposits: [{ ...deposit, at: 'soon' }] },
  }
  for (const [what, body] of Object.entries(nonsense))
    it(`is unknown with ${what}`, async () => {
      for (const reports of ['exact', 'deposits'] as const)
        assert.equal((await outcomeOf(body, reports)).kind, 'unknown', reports)
    })

  it('is unknown when a transfer is reported as paid without deposits', async () => {
    assert.equal((await outcomeOf({ ...open, status: 'paid' }, 'deposits')).kind, 'unknown')
  })

  it('is a refusal only with the documented status and error', async () => {
    assert.partialDeepStrictEqual(await outcomeOf({ error: 'invalid_request' }, 'exact', 400), {
      cause: 'refused',
    })
    assert.partialDeepStrictEqual(await outcomeOf({ error: 'unauthorised' }, 'exact', 401), {
      cause: 'unauthorised',
    })
    for (const status of [302, 400, 401, 404, 500])
      assert.equal((await outcomeOf(open, 'exact', status)).kind, 'unknown', String(status))
  })
})

describe("a bank's disputes", () => {
  const options = {
    name: 'bank',
    method: 'cash_app',
    traits: methods.cash_app,
    secret: SECRET,
    timeoutMs: 60_000,
    alarms: noAlarms,
    reports: 'exact',
    actionOf: redirectTo,
    transport: async (operation: string, body: object) => {
      assert.deepEqual({ operation, body }, { operation: 'chargebacks', body: { since: '1789000000000' } })
      return { kind: 'answer', status: 200, body: { list: [] } } as const
    },
  } as const

  it('are asked for only if the settings say that they are its own', async () => {
    assert.equal(createBankChannel(options).disputes, undefined)
    const own = createBankChannel({ ...options, ownDisputes: true })
    assert.deepEqual(await own.disputes?.(new Date(1_789_000_000_000)), { kind: 'listed', list: [] })
  })
})

describe('an unreachable bank', () => {
  it('fails what was never sent, and leaves everything else unknown', async () => {
    const channel = channelTo('http://127.0.0.1:1')
    assert.partialDeepStrictEqual(await channel.start(request), { kind: 'failed', cause: 'unreachable' })
    const refund = { ...request, refundReference: 'R1', refund: money }
    const calls = [
      channel.ask(request),
      channel.cancel(request),
      channel.complete({ ...request, answer: {} }),
    ]
    for (const outcome of await Promise.all([...calls, channel.refund(refund)]))
      assert.equal(outcome.kind, 'unknown')
  })

  it('is not called for a refund if the method has none', async () => {
    const refund = { ...request, refundReference: 'R1', refund: money }
    const outcome = await channelTo('http://127.0.0.1:1', 'exact', false).refund(refund)
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', cause: 'refused' })
  })
})

describe("a bank's callback", () => {
  const path = '/callbacks/bank'
  const callback = (
    content: unknown,
    more: { secret?: string; atMs?: number; path?: string } = {},
  ): Callback => {
    const body = JSON.stringify(content)
    const timestamp = String(Math.floor((more.atMs ?? now.getTime()) / 1000))
    const parts = { method: 'POST', path: more.path ?? path, timestamp, body }
    const signature = signRequest(more.secret ?? SECRET, parts)
    const headers = { [timestampHeader]: timestamp, [signatureHeader]: signature }
    return { method: 'POST', path, query: '', headers, body }
  }
  const receive = async (one: Callback) =>
    (await channelTo('http://127.0.0.1:1').readCallback?.(one)) ?? assert.fail()

  it('is accepted when it is signed with the secret, for this address, recently', async () => {
    const paid = { ...open, status: 'paid', deposits: [deposit] }
    const result = await receive(callback(paid))
    assert.equal(result.kind, 'accepted')
    assert.equal(result.answer.status, 200)
    assert.deepEqual(result.reports, [
      { reference: 'A1', outcome: { kind: 'succeeded', money, channelRef: 'c1' } },
    ])
    for (const wrong of [
      { secret: 'other' },
      { path: '/callbacks/other' },
      { atMs: now.getTime() - 301_000 },
    ]) {
      const refused = await receive(callback(paid, wrong))
      assert.deepEqual(
        { kind: refused.kind, status: refused.answer.status },
        { kind: 'refused', status: 401 },
      )
    }
    assert.equal((await receive({ ...callback(paid), headers: {} })).kind, 'refused')
  })

  it('is refused when it is replayed later', async () => {
    const kept = callback(open)
    assert.equal((await receive(kept)).kind, 'accepted')
    now = new Date(now.getTime() + 301_000)
    assert.equal((await receive(kept)).kind, 'refused')
  })

  it('is refused when it is malformed, so that the bank sends it again', async () => {
    for (const content of [null, {}, { ...open, status: 'held' }, { ...open, payerUrl: '' }]) {
      const result = await receive(callback(content))
      assert.deepEqual({ kind: result.kind, status: result.answer.status }, { kind: 'refused', status: 422 })
    }
  })
})
