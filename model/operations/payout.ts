// Payouts to every kind of account, or to an account that the beneficiary enters, from the balance in the payout's
// currency or in another currency. Payouts are approved or rejected. Sent payouts succeed, fail, or are returned: in
// full, in part, with a surplus, or in another currency.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { acceptPayouts } from '../../src/money/payouts/accept-payouts.ts'
import { sealAccount } from '../../src/money/payouts/account.ts'
import { approvePayout, rejectPayout } from '../../src/money/payouts/approve-payout.ts'
import { changePayouts } from '../../src/money/payouts/change-payouts.ts'
import type { PayoutEvent } from '../../src/money/payouts/payout.ts'
import { type PayoutRequested, preparePayout } from '../../src/money/payouts/prepare-payout.ts'
import {
  changePayoutSettings,
  interfaceApprovalAbove,
  readPayoutSettings,
} from '../../src/money/payouts/settings.ts'
import type { PayoutOutcome } from '../../src/rails/contract/payout-outcome.ts'
import { anOperator } from '../../test/builders/builders.ts'
import { aPayout, CCI, CLABE, IBAN } from '../../test/builders/payouts.ts'
import { codeOf, didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation, ordersOfAll, pick } from '../operation.ts'
import type { Model, Payout, Side } from '../rules/facts.ts'
import { currencies, unitOf } from '../rules/money.ts'
import {
  acceptPayout,
  approversOf,
  currencyOf,
  nearlyAll,
  type PayoutKind,
  payoutOf,
  returnPayout,
  decidePayout as rule,
  sendPayout,
} from '../rules/payouts.ts'
import { holdReturned } from '../rules/returns.ts'
import { cents, priced, share, shareOf } from './amounts.ts'

const accounts: Readonly<Record<PayoutKind, Pick<PayoutRequested, 'account' | 'bankCode'>>> = {
  bank_account: { account: IBAN, bankCode: '' },
  checkout: { account: '', bankCode: '' },
  card: { account: '4242424242424242', bankCode: '' },
  pix: { account: 'payee@shop.example', bankCode: '' },
  per_transfer: { account: CCI, bankCode: '' },
  spei: { account: CLABE, bankCode: '' },
}
const isKind = (name: string): name is PayoutKind => name in accounts

export const payOut = operation({
  name: 'payOut',
  weight: 9,
  input: fc.record({
    shop: fc.nat(),
    currency: fc.constantFrom(...currencies),
    /** An amount, or about the most that a balance can pay, or a little more: mistakes show near a balance of zero. */
    cents: fc.oneof(cents, fc.constantFrom('all' as const, 'all' as const, 'beyond' as const)),
    kind: fc.constantFrom<PayoutKind>(
      'bank_account',
      'bank_account',
      'checkout',
      ...Object.keys(accounts).filter(isKind),
    ),
  }),
  async run(model, gateway, { shop: at, currency: wish, cents, kind }) {
    const own = currencyOf(kind) ?? wish
    const funded = cents === 'all' || cents === 'beyond' ? pick(fundedBalances(model), at) : undefined
    const { shop, currency } = funded ?? { shop: mustPick(model.shops, at), currency: own }
    const beyond = cents === 'beyond' ? HUNDRED : 0n
    const { wire, amount } =
      funded === undefined
        ? priced(currency, typeof cents === 'number' ? cents : 100)
        : exactly(currency, funded.most + beyond)
    const request = aPayout({ currencyCode: currency, sourceAmount: wire, kind, ...accounts[kind] })
    const ownApprovalAbove = await interfaceApprovalAbove(gateway.db, shop.merNo)
    const answer = await codeOf(async () => {
      const { payout } = await preparePayout(gateway, gateway.merchantOf(shop), request, { ownApprovalAbove })
      const [accepted] = await acceptPayouts(gateway, [payout])
      if (accepted?.refusal !== undefined) throw accepted.refusal
      return payout
    })
    const { tradeNo, rail } = typeof answer === 'string' ? { tradeNo: '', rail: '' } : answer
    const wanted = payoutOf(shop, { amount, currency }, approversOf(model, shop, { amount, currency }), kind)
    const fits = currency === (currencyOf(kind) ?? currency)
    const made = fits ? acceptPayout(model, { ...wanted, tradeNo, rail }) : '10019'
    const code = typeof made === 'string' ? made : '00000'
    assert.equal(
      typeof answer === 'string' ? answer : '00000',
      code,
      'the payout is accepted or refused as the rules say',
    )
    gateway.count(`payout ${code}`)
    gateway.count(`payout to ${kind}`)
  },
})

const HUNDRED = 100n

/** Returns the balances that can pay at least one whole unit, each with about the most that it can pay. */
export function fundedBalances(model: Model) {
  const all = model.shops.flatMap((shop) => currencies.map((currency) => ({ shop, currency })))
  return all
    .map((one) => ({ ...one, most: nearlyAll(model, one.shop, one.currency) }))
    .filter(({ currency, most }) => most >= unitOf(currency))
}

/** Rounds the amount down to two decimals. Returns it as requests write it, and in smallest units. */
export function exactly(
  currency: string,
  amount: bigint,
): { readonly wire: string; readonly amount: bigint } {
  const hundredths = (amount * HUNDRED) / unitOf(currency)
  const wire = `${hundredths / HUNDRED}.${String(hundredths % HUNDRED).padStart(2, '0')}`
  return { wire, amount: (hundredths * unitOf(currency)) / HUNDRED }
}

const inState = ({ payouts }: Model, ...states: Payout['state'][]) =>
  payouts.filter(({ state }) => states.includes(state))

function tell({ db, clock }: Gateway, { shop, tradeNo }: Payout, event: PayoutEvent) {
  return changePayouts(db, [{ merNo: shop.merNo, tradeNo, event, at: clock.now() }])
}

/**
 * For a payout without an account: the beneficiary enters an account or lets the time pass. For a payout to a card: the
 * rail exchanges the card number for a token or fails to.
 */
export const enterAccount = operation({
  name: 'enterAccount',
  weight: 4,
  input: fc.record({ payout: fc.nat(), enters: fc.boolean() }),
  isPossible: (model) => inState(model, 'awaiting_account', 'tokenising').length > 0,
  async run(model, gateway, { payout: at, enters }) {
    const one = mustPick(inState(model, 'awaiting_account', 'tokenising'), at)
    const isCard = one.state === 'tokenising'
    const entered = isCard
      ? ({ kind: 'card', account: 'token', personal: {}, details: {} } as const)
      : ({ kind: 'bank_account', account: IBAN, personal: {}, details: {} } as const)
    const account = sealAccount(gateway.vault, one.tradeNo, entered)
    await tell(
      gateway,
      one,
      enters
        ? { kind: 'account', account, rail: one.rail, leaseMs: 1_000 }
        : isCard
          ? { kind: 'not-sent', why: 'no answer' }
          : { kind: 'expired' },
    )
    if (enters && one.awaits.length > 0) one.state = 'awaiting_approval'
    else if (enters) sendPayout(model, one)
    else Object.assign(one, { state: 'failed', expired: !isCard })
  },
})

/** Several nodes receive the rail's outcome. */
export const endPayout = operation({
  name: 'endPayout',
  weight: 7,
  input: fc.record({
    payout: fc.nat(),
    answer: fc.constantFrom('succeeded', 'succeeded', 'failed', 'silent'),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  isPossible: (model) => inState(model, 'sending').length > 0,
  async run(model, gateway, { payout: at, answer, times }) {
    const one = mustPick(inState(model, 'sending'), at)
    const { amount, currency } = one
    const outcomes: Readonly<Record<string, PayoutOutcome>> = {
      succeeded: { kind: 'succeeded', money: { amount, currency }, railRef: 'rail-1' },
      failed: { kind: 'failed', cause: 'declined', message: 'The account is closed' },
    }
    const outcome = outcomes[answer] ?? { kind: 'unknown', why: 'no answer' }
    const event = { kind: 'outcome', outcome } as const
    await Promise.all(Array.from({ length: times }, () => tell(gateway, one, event)))
    if (answer === 'succeeded' || answer === 'failed') one.state = answer
  },
})

/** The beneficiary's bank sends the money back, perhaps before the rail reported the success. */
export const returnedPayout = operation({
  name: 'returnedPayout',
  weight: 4,
  input: fc.record({
    payout: fc.nat(),
    arrives: fc.constantFrom('all', 'all', 'short', 'over', 'other currency', 'unsaid'),
    share,
    times: fc.integer({ min: 1, max: 2 }),
  }),
  isPossible: (model) => inState(model, 'sending', 'succeeded').length > 0,
  async run(model, gateway, { payout: at, arrives, share, times }) {
    const one = mustPick(inState(model, 'sending', 'succeeded'), at)
    const { amount, currency } = one
    const sums: Readonly<Record<string, { amount: bigint; currency: string }>> = {
      short: { amount: shareOf(amount, share), currency },
      over: { amount: amount + shareOf(amount, share), currency },
      'other currency': { amount: shareOf(amount, share), currency: currency === 'EUR' ? 'USD' : 'EUR' },
    }
    const money = sums[arrives] ?? { amount, currency }
    const said = arrives === 'unsaid' ? undefined : money
    const outcome: PayoutOutcome = { kind: 'returned', message: 'The account is closed', money: said }
    for (let told = 0; told < times; told++) await tell(gateway, one, { kind: 'outcome', outcome })
    returnPayout(one, money.currency === currency ? money.amount : 0n)
    holdReturned(model, { merNo: one.shop.merNo, channel: one.rail, amount, currency }, money)
  },
})

const said = fc.record({
  side: fc.constantFrom('platform' as const, 'platform' as const, 'merchant' as const),
  approves: fc.boolean(),
})

/**
 * Decisions at the same moment may disagree. The results must fit the rules for at least one sequence of the decisions.
 */
export const decidePayout = operation({
  name: 'decidePayout',
  weight: 4,
  input: fc.record({ payout: fc.nat(), words: fc.array(said, { minLength: 1, maxLength: 2 }) }),
  isPossible: (model) => inState(model, 'awaiting_approval').length > 0,
  async run(model, gateway, { payout: at, words }) {
    const one = mustPick(inState(model, 'awaiting_approval'), at)
    const decide = ({ side, approves }: { side: Side; approves: boolean }) => {
      const { merNo } = one.shop
      const owner = { kind: 'user', name: 'owner@shop.example' } as const
      const by = side === 'platform' ? anOperator() : { ...anOperator(owner), merNo }
      const decider = { by, at: gateway.clock.now() }
      return approves
        ? approvePayout({ ...gateway, routing: gateway }, one.tradeNo, decider)
        : rejectPayout(gateway.db, one.tradeNo, { ...decider, why: 'no' })
    }
    const done = await Promise.all(words.map((word) => didIt(decide(word))))
    const { state, awaits } = one
    const isExplained = ordersOfAll(words).some((some) => {
      Object.assign(one, { state, awaits })
      return some.every((word) => rule(model, one, word) === done[words.indexOf(word)])
    })
    assert.ok(isExplained, `the decisions count as the rules say: ${done}`)
  },
})

/** Changes the value above which one of the merchant's own people must approve payouts. */
export const changeOwnApproval = operation({
  name: 'changeOwnApproval',
  weight: 1,
  input: fc.record({
    shop: fc.nat(3),
    above: fc.constantFrom(undefined, 500n, 10_000n, 10_000n),
    includesInterface: fc.boolean(),
  }),
  async run(model, { db, clock }, { shop: at, above, includesInterface }) {
    const shop = mustPick(model.shops, at)
    const { version } = await readPayoutSettings(db, shop.merNo)
    const ownApproval = { above, includesInterface: includesInterface && above !== undefined }
    const settings = { secondPersonAbove: above, includesInterface: ownApproval.includesInterface, version }
    const changed = await db.transaction((tx) => changePayoutSettings(tx, shop.merNo, settings, clock.now()))
    assert.ok(changed !== undefined)
    shop.ownApproval = ownApproval
  },
})
