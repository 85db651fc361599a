// Payouts: accepted in lists of one merchant, from the payout's or the settlement currency; sent, failed, or approved before.
import assert from 'node:assert/strict'
import { formatAmount } from '../../src/base/money.ts'
import type { PayoutOutcome } from '../../src/channels/payout/contract.ts'
import { type CurrencyBalance, readBalances } from '../../src/ledger/read-balances.ts'
import { acceptPayouts } from '../../src/payouts/accept-payouts.ts'
import { approvePayout, rejectPayout } from '../../src/payouts/approve-payout.ts'
import { changePayouts } from '../../src/payouts/change-payouts.ts'
import type { NewPayout } from '../../src/payouts/new-payout.ts'
import { preparePayout } from '../../src/payouts/prepare-payout.ts'
import { aPayout } from '../payouts.ts'
import { type Random, wireAmount } from '../random.ts'
import { feesOf, fixedFee, share } from './arithmetic.ts'
import { planOf } from './expected.ts'
import { fundingOf } from './fund.ts'
import { readPayouts } from './rows.ts'
import { currencies, type Shop, shops } from './shops.ts'
import { type ModelPayout, type Move, mustBeRefusal, type World } from './world.ts'

export function payoutMove(world: World, random: Random): Move | undefined {
  const shop = random.pick(shops)
  if (shop === undefined) return undefined
  const wanted = Array.from({ length: 1 + random.below(3) }, () => {
    const currencyCode = random.pick(currencies) ?? 'USD'
    const sourceAmount = random.chance(0.4) ? undefined : wireAmount(random, currencyCode)
    return { currencyCode, sourceAmount, sent: random.chance(0.7) }
  })
  const sums = wanted.map(({ sourceAmount, currencyCode }) => `${sourceAmount ?? 'all'} ${currencyCode}`)
  return { name: `payout ${shop.merchant.merNo} ${sums.join(', ')}`, run: () => pay(world, shop, wanted) }
}

const expected = ['10014', '10104', '10024']

type Wanted = {
  readonly currencyCode: string
  /** Undefined: the whole balance. */
  readonly sourceAmount: string | undefined
  readonly sent: boolean
}

async function pay(world: World, shop: Shop, wanted: readonly Wanted[]): Promise<void> {
  const prepared = await Promise.all(
    wanted.map(async ({ sent, currencyCode, sourceAmount }) => {
      const amount = sourceAmount ?? (await allOf(world, shop, currencyCode))
      const request = aPayout({ currencyCode, sourceAmount: amount })
      const { payout } = await preparePayout(world.deps, shop.merchant, request)
      return { payout, sent }
    }),
  )
  const payouts = prepared.map(({ payout }) => payout)
  const before = await readBalances(world.db, shop.merchant.merNo)
  const rates = world.ratesNow()
  const decided: Decided[] = []
  for (const [index, { refusal }] of (await acceptPayouts(world.deps, payouts)).entries()) {
    const { payout, sent } = prepared[index] ?? {}
    assert.ok(payout !== undefined && sent !== undefined)
    assert.ok(refusal === undefined || expected.includes(refusal.code), refusal?.message ?? '')
    world.count(`payout ${refusal?.code ?? 'accepted'}`)
    decided.push({ payout, code: refusal?.code })
    if (refusal !== undefined) continue
    const standing = payout.needsApproval ? 'waiting' : 'open'
    world.payouts.set(payout.tradeNo, { shop, payout, rates, sent, standing })
  }
  if (world.isAlone) await judgeFunding(world, shop, decided, before)
}

type Decided = { readonly payout: NewPayout; readonly code: string | undefined }

/** Nothing else changed these balances, so every decision must follow the rules, in order. */
async function judgeFunding(
  world: World,
  shop: Shop,
  decided: readonly Decided[],
  before: readonly CurrencyBalance[],
): Promise<void> {
  const kept = new Map((await readPayouts(world.db)).map((row) => [row.tradeNo, row]))
  let balances = before
  for (const { payout, code } of decided) {
    if (code === '10024') continue
    const { amount, currency } = payout.money
    const total = amount + feesOf(amount, currency, planOf({ shop }, 'payout'))
    const wanted = { total, currency, settleCurrency: payout.terms.settleCurrency }
    const expected = fundingOf(wanted, balances, world.ratesNow())
    const row = kept.get(payout.tradeNo)
    const found = row === undefined ? code : { currency: row.fundingCurrency, drawn: row.fundingAmount }
    assert.deepEqual(found, expected, `${payout.tradeNo} draws on the right balance`)
    world.count('payout judged by its funds')
    if (typeof expected === 'string') continue
    balances = balances.map((one) =>
      one.currency === expected.currency ? { ...one, available: one.available - expected.drawn } : one,
    )
  }
}

/** An amount as a merchant would choose, with something left for the fee. Mistakes show near zero. */
async function allOf({ db }: World, { merchant }: Shop, currency: string): Promise<string> {
  const balances = await readBalances(db, merchant.merNo)
  const available = balances.find((balance) => balance.currency === currency)?.available ?? 0n
  const { feeBps = 0, feeFixed = '0.00' } = merchant.feePlans.get('payout') ?? {}
  const left = available - fixedFee(feeFixed, currency)
  const text = formatAmount(left - share(left, feeBps), currency)
  const wire = text.slice(0, text.indexOf('.') + 3)
  return left > 0n && wire !== '0.00' ? wire : '1.00'
}

export function payoutOutcomeMove(world: World, random: Random): Move | undefined {
  const undecided = [...world.payouts.values()].filter(({ standing }) =>
    ['open', 'waiting'].includes(standing),
  )
  const one = random.pick(undecided)
  if (one === undefined) return undefined
  const { tradeNo } = one.payout
  const words = [random.chance(0.7), random.chance(0.6)]
  if (one.standing === 'waiting')
    return { name: `payout ${tradeNo} judged`, run: () => judge(world, one, words) }
  const silent: PayoutOutcome = { kind: 'unknown', why: 'no answer' }
  const outcome = random.chance(0.3) ? silent : truthOf(one)
  const times = 1 + random.below(3)
  const run = async () =>
    void (await Promise.all(Array.from({ length: times }, () => report(world, one, outcome))))
  return { name: `payout ${tradeNo} ${outcome.kind} ×${times}`, run }
}

export function truthOf({ payout, sent }: ModelPayout): PayoutOutcome {
  if (sent) return { kind: 'succeeded', money: payout.money, railRef: 'rail-1' }
  return { kind: 'failed', cause: 'declined', message: 'The account is closed' }
}

async function report(world: World, one: ModelPayout, outcome: PayoutOutcome): Promise<void> {
  const { merNo, tradeNo } = one.payout
  const event = { kind: 'outcome', outcome } as const
  const [changed] = await changePayouts(world.db, [{ merNo, tradeNo, event, at: world.clock.now() }])
  assert.ok(changed !== undefined && changed.alarm === undefined)
  if (changed.state !== 'succeeded' && changed.state !== 'failed') return
  assert.equal(changed.state, one.sent ? 'succeeded' : 'failed')
  if (one.standing === 'open') world.count(`payout ${changed.state}`)
  one.standing = changed.state
}

/** Two operators, who may disagree. One decision counts. */
async function judge(world: World, one: ModelPayout, words: readonly boolean[]): Promise<void> {
  const { db } = world
  const { tradeNo } = one.payout
  const at = world.clock.now()
  const yes = () => approvePayout(db, tradeNo, at).then(() => 'open' as const)
  const no = () => rejectPayout(db, tradeNo, 'no', at).then(() => 'failed' as const)
  for (const end of await Promise.allSettled(words.map((word) => (word ? yes() : no())))) {
    if (end.status === 'rejected') mustBeRefusal(end.reason)
    else {
      assert.equal(one.standing, 'waiting', 'one word counts')
      one.standing = end.value
      world.count(`payout judged ${end.value}`)
    }
  }
}
