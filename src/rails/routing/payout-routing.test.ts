import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { PayoutOutcome } from '../contract/payout-outcome.ts'
import type { PayoutRail } from '../contract/payout-rail.ts'
import type { HealthOutcome } from './health.ts'
import {
  createPayoutRouting,
  type PayoutNeeds,
  type PayoutRoutes,
  type PayoutRouting,
  registerPayoutRails,
} from './payout-routing.ts'

const never = () => Promise.reject(new Error('never called'))

function aRail(name: string, changes: Partial<PayoutRail> = {}): PayoutRail {
  const calls = { tokenise: never, send: never, ask: never }
  return { name, kinds: ['bank_account', 'card'], currencies: 'any', timeoutMs: 1_000, ...calls, ...changes }
}

const [one, two] = [aRail('one'), aRail('two', { needsExpiry: true })]
const three = aRail('three', { kinds: ['pix'], currencies: ['BRL'] })
const money = { currency: 'EUR', amount: 1_000n }
const bank: PayoutNeeds = { kinds: ['bank_account'], ...money, hasExpiry: false }
const routes: PayoutRoutes = new Map([
  [
    'payout_bank',
    [
      { channel: 'two', priority: 1, weight: 1 },
      { channel: 'gone', priority: 1, weight: 1 },
      { channel: 'one', priority: 2, weight: 1 },
    ],
  ],
])

describe('the rails for a payout', () => {
  let nowMs = 0
  let routing: PayoutRouting
  let paused: readonly string[] = []
  let counted: (readonly [string, HealthOutcome])[] = []
  let logged: object[] = []
  beforeEach(() => {
    nowMs = 1_000_000
    paused = []
    counted = []
    logged = []
    const keep = (details: object) => void logged.push(details)
    routing = createPayoutRouting({
      rails: registerPayoutRails([one, two, three]),
      clock: { now: () => new Date(nowMs) },
      isPaused: (name) => paused.includes(name),
      count: (name, outcome) => void counted.push([name, outcome]),
      log: { warn: keep, info: keep },
    })
  })
  const picked = (needs = bank, of?: PayoutRoutes) => routing.pick(needs, of).map(({ name }) => name)
  const called = (times: number, outcome: PayoutOutcome) => {
    for (let at = 0; at < times; at++) routing.called(one, outcome, 1)
  }
  const failed = (cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable') =>
    ({ kind: 'failed', cause, message: '' }) as const

  it('are those that pay its currency, which may be fewer to cards than to accounts', () => {
    const rails = registerPayoutRails([one, aRail('four', { cardCurrencies: ['USD'] })])
    const both = createPayoutRouting({ rails, clock: { now: () => new Date(nowMs) } })
    const serving = (kind: 'card' | 'bank_account', currency: string) =>
      both.pick({ ...bank, kinds: [kind], currency }, undefined).map(({ name }) => name)
    assert.deepEqual(serving('card', 'EUR'), ['one'])
    for (const [kind, currency] of [
      ['card', 'USD'],
      ['bank_account', 'EUR'],
    ] as const)
      assert.deepEqual(serving(kind, currency), ['one', 'four'])
  })

  it('are those of its network that have its coin', () => {
    const chain = (network: string) =>
      aRail(network, { kinds: ['coin'], serves: { coin: ['USDC', 'ETH'], network: [network] } })
    const rails = registerPayoutRails([chain('ERC20'), chain('POLYGON')])
    const chains = createPayoutRouting({ rails, clock: { now: () => new Date(nowMs) } })
    const coin = (details?: PayoutNeeds['details']) =>
      chains
        .pick({ ...bank, kinds: ['coin'], ...(details && { details }) }, undefined)
        .map(({ name }) => name)
    assert.deepEqual(coin({ coin: 'ETH', network: 'POLYGON' }), ['POLYGON'])
    assert.deepEqual(coin({ coin: 'USDC', network: 'ERC20', benFirstName: 'Ann' }), ['ERC20'])
    assert.deepEqual(coin({ coin: 'DOGE', network: 'ERC20' }), [])
    assert.deepEqual(coin({ coin: 'USDC' }), [])
    assert.deepEqual(coin(), [])
  })

  it('are all that serve its kind and currency, in the order of the settings', () => {
    assert.deepEqual(picked(), ['one', 'two'])
    assert.deepEqual(picked({ ...bank, kinds: ['pix'], currency: 'BRL' }), ['three'])
    assert.deepEqual(picked({ ...bank, kinds: ['pix'], currency: 'EUR' }), [])
    assert.deepEqual(picked({ ...bank, kinds: ['spei'], currency: 'MXN' }), [])
  })

  it("are those of the merchant's routes for its kind, by priority, if there are any", () => {
    assert.deepEqual(picked(bank, routes), ['two', 'one'])
    assert.deepEqual(picked(bank, new Map([['payout_bank', []]])), [])
    assert.deepEqual(picked({ ...bank, kinds: ['card'], hasExpiry: true }, routes), ['one', 'two'])
  })

  it('for a beneficiary who chooses later are those of any kind, the usual kind first', () => {
    const open: PayoutNeeds = { ...bank, kinds: ['pix', 'bank_account', 'card'], currency: 'BRL' }
    assert.deepEqual(picked(open, routes), ['three', 'two', 'one'])
  })

  it('take a card without its expiry date only if they need none', () => {
    const card: PayoutNeeds = { ...bank, kinds: ['card'] }
    assert.deepEqual(picked(card), ['one'])
    assert.deepEqual(picked({ ...card, hasExpiry: true }), ['one', 'two'])
    assert.equal(
      routing.canServe(card, new Map([['payout_card', [...(routes.get('payout_bank') ?? [])].slice(0, 1)]])),
      false,
    )
  })

  it('are passed while they are paused, but still serve it', () => {
    paused = ['one']
    assert.deepEqual(picked(), ['two'])
    paused = ['one', 'two']
    assert.deepEqual(picked(), [])
    assert.equal(routing.canServe(bank, undefined), true)
    assert.equal(routing.isPaused('one'), true)
  })

  it('come last after five failures in a row, until one payout tries them again', () => {
    called(3, failed('unreachable'))
    called(1, failed('unauthorised'))
    called(1, { kind: 'unknown', why: 'silence' })
    assert.deepEqual(picked(), ['two', 'one'])
    assert.deepEqual(logged, [{ channel: 'one', calls: 'payouts', inARow: 5 }])
    nowMs += 31_000
    assert.deepEqual(picked(), ['one', 'two'])
    assert.deepEqual(picked(), ['two', 'one'])
    called(1, { kind: 'processing', railRef: 'r' })
    assert.deepEqual(picked(), ['one', 'two'])
    assert.deepEqual(logged.slice(1), [{ channel: 'one', calls: 'payouts' }])
  })

  it('do not fail by what a bank declines or the rail refuses, and all calls are counted', () => {
    called(4, failed('unreachable'))
    called(10, { ...failed('refused'), isLocal: true })
    called(1, failed('declined'))
    called(1, failed('refused'))
    called(4, failed('unreachable'))
    assert.deepEqual(picked(), ['one', 'two'])
    called(1, { ...failed('refused'), isLocal: true })
    called(1, failed('unreachable'))
    assert.deepEqual(picked(), ['two', 'one'])
    routing.called(two, { kind: 'token', token: 't' }, 1)
    assert.equal(counted.length, 12)
    assert.deepEqual(
      [...counted.slice(4, 7), ...counted.slice(-1)],
      [
        ['one', 'declined'],
        ['one', 'declined'],
        ['one', 'failed'],
        ['two', 'answered'],
      ],
    )
  })
})
