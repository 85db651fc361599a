// Checks that the bridge sends one payout for each reference, eventually decides each payout, and reports money that
// comes back.
import { isSameMoney } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { Returned } from '../../contract/returned.ts'
import { fromPayout, fromPayoutCallback } from '../../protocols/bridge/payout/wire.ts'
import { type Answer, Broken, type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import {
  decided,
  expectCallback,
  expectOne,
  expectRefusal,
  requireInbox,
  shown,
  simulate,
  understood,
} from '../expect.ts'
import { promises } from '../promises.ts'

export function payoutOf(bridge: TestedBridge, reference: string, changes: Fields = {}): Fields {
  const { money, payoutKind: kind, account, inbox } = bridge
  const amount = money.amount.toString()
  const callbackUrl = inbox.url
  return { reference, kind, amount, currency: money.currency, account, beneficiary, callbackUrl, ...changes }
}

export const beneficiary = { benFirstName: 'Conformance', benLastName: 'Check' }

function outcomeIn(answer: Answer, reference: string): PayoutOutcome {
  return understood('payout', answer, fromPayout({ kind: 'answer', ...answer }, reference))
}

async function send(bridge: TestedBridge, reference: string, changes: Fields = {}): Promise<PayoutOutcome> {
  const account = await accountOf(bridge)
  return outcomeIn(await bridge.call('send', payoutOf(bridge, reference, { account, ...changes })), reference)
}

/** Returns the account for payouts. For cards, this is a token from the bridge. */
export function accountOf(bridge: TestedBridge): Promise<string> | string {
  return bridge.payoutKind === 'card' ? tokenOf(bridge) : bridge.account
}

async function tokenOf(bridge: TestedBridge): Promise<string> {
  const { body } = await bridge.call('tokenise', { number: bridge.cardNumber })
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
  if (typeof token !== 'string' || token === '') throw new Broken('"tokenise" answers without a "token".')
  return token
}

export async function payOut(bridge: TestedBridge, reference: string): Promise<PayoutOutcome> {
  await send(bridge, reference)
  return untilDecided(bridge, reference)
}

async function lookUp(bridge: TestedBridge, reference: string): Promise<PayoutOutcome> {
  return outcomeIn(await bridge.call('lookup', { reference }), reference)
}

async function untilDecided(bridge: TestedBridge, reference: string): Promise<PayoutOutcome> {
  const outcome = await decided('payout', () => lookUp(bridge, reference))
  bridge.finals.push(() => expectUnchanged(bridge, reference, outcome))
  return outcome
}

/** Checks that a final payout has not changed. One change is allowed: the money of a paid payout may have come back. */
async function expectUnchanged(
  bridge: TestedBridge,
  reference: string,
  before: PayoutOutcome,
): Promise<void> {
  const now = await lookUp(bridge, reference)
  if (before.kind === 'succeeded' && now.kind === 'returned') return
  hold(
    now.kind === before.kind,
    `A payout that was "${before.kind}" was "${now.kind}" at the end of the run.`,
  )
  const isSame =
    now.kind !== 'succeeded' ||
    before.kind !== 'succeeded' ||
    (now.railRef === before.railRef && isSameMoney(now.money, before.money))
  hold(isSame, 'A paid payout has another id, amount or currency at the end of the run.')
}

const paid: Check = {
  name: 'payout',
  title: promises.payoutPaid,
  todo: 'Set "status" to "succeeded" once the rail has paid, with the amount that it paid.',
  needs: ['send', 'lookup'],
  async run(bridge) {
    const outcome = await payOut(bridge, bridge.reference())
    if (outcome.kind !== 'succeeded') throw new Broken(`The payout is ${outcome.kind}, not succeeded.`)
    hold(isSameMoney(outcome.money, bridge.money), 'The payout reports another amount than was asked for.')
  },
}

const once: Check = {
  name: 'payout-once',
  title: promises.payoutOnce,
  todo: 'Store the reference under a unique key before you call the rail; repeating the request returns the payout that exists.',
  needs: ['send', 'lookup'],
  async run(bridge) {
    const reference = bridge.reference()
    const idOf = (outcome: PayoutOutcome) => ('railRef' in outcome ? outcome.railRef : undefined)
    const id = await expectOne('payout', async () => idOf(await send(bridge, reference)))
    // Once the payout is decided, the request is repeated, as the gateway does after a time-out.
    await untilDecided(bridge, reference)
    const other = { amount: (bridge.money.amount + 1n).toString() }
    const again = await send(bridge, reference, other)
    hold(idOf(again) === id, 'A "send" that is repeated after the payout was decided is another payout.')
    const isSame = again.kind !== 'succeeded' || again.money.amount === bridge.money.amount
    hold(isSame, 'A repeated "send" changed the amount.')
  },
}

const reported: Check = {
  name: 'payout-callback',
  title: 'reports a decided payout by a callback of the type "payout"',
  todo: 'Post the payout with "type": "payout" to its "callbackUrl" once it is decided, unless the answer to "send" said so.',
  needs: ['send', 'lookup'],
  async run(bridge) {
    requireInbox(bridge)
    const reference = bridge.reference()
    const { kind } = await send(bridge, reference)
    // If the answer to "send" already contains the decision, the bridge need not send a callback.
    if (kind !== 'processing') return
    const isAbout = (one: Fields) => one.reference === reference && one.status !== 'processing'
    const content = await expectCallback(bridge, 'a payout', isAbout)
    hold(content.type === 'payout', 'The callback about a payout has no "type": "payout".')
    const told = fromPayoutCallback(content)?.outcome.kind
    hold(told === 'succeeded', `The gateway reads "${told}" in the callback, not "succeeded".`)
  },
}

const absent: Check = {
  name: 'payout-absent',
  title: promises.payoutAbsent,
  todo: 'Answer "lookup" of an unknown reference with 404 and "error": "not_found", and only if it was certainly never sent: the gateway then sends it again.',
  needs: ['send', 'lookup'],
  async run(bridge) {
    const reference = bridge.reference()
    expectRefusal(await bridge.call('lookup', { reference }), 404, 'not_found', 'An unknown reference')
    const { kind } = await send(bridge, reference)
    hold(kind === 'processing' || kind === 'succeeded', `A payout that was asked for first is ${kind}.`)
  },
}

const refused: Check = {
  name: 'payout-refused',
  title: promises.payoutRefused,
  todo: 'Check every field before anything is stored or sent, and answer 400 with "error": "invalid_request".',
  needs: ['send', 'lookup'],
  async run(bridge) {
    for (const changes of [{ amount: '0' }, { amount: '12.50' }, { currency: 'ZZZ' }, { kind: 'cheque' }]) {
      const reference = bridge.reference()
      const answer = await bridge.call('send', payoutOf(bridge, reference, changes))
      expectRefusal(answer, 400, 'invalid_request', `"send" with ${shown(changes)}`)
      const found = await bridge.call('lookup', { reference })
      expectRefusal(found, 404, 'not_found', 'A payout that was refused')
    }
  },
}

const returned: Check = {
  name: 'payout-returned',
  title: promises.payoutReturned,
  todo: 'Set "status" to "returned" with a "reason", "returnedAmount" and "returnedCurrency" when the money of a paid payout comes back, and post it with "type": "payout" to its "callbackUrl".',
  needs: ['send', 'lookup', 'simulate'],
  async run(bridge) {
    const reference = bridge.reference()
    const { kind } = await payOut(bridge, reference)
    hold(kind === 'succeeded', `The payout is ${kind}, not succeeded.`)
    await simulate(bridge, { reference, event: 'return' })
    const outcome = await lookUp(bridge, reference)
    hold(outcome.kind === 'returned', `A payout whose money came back is ${outcome.kind}.`)
    expectAmount(bridge, outcome)
    const isAbout = (one: Fields) => one.reference === reference && one.status === 'returned'
    const content = await expectCallback(bridge, 'a payout that came back', isAbout)
    hold(content.type === 'payout', 'The callback about a payout has no "type": "payout".')
    const told = fromPayoutCallback(content)?.outcome
    hold(told?.kind === 'returned', `The gateway reads "${told?.kind}" in the callback, not "returned".`)
    expectAmount(bridge, told)
  },
}

/**
 * Checks that the whole amount came back. The check is stricter than the gateway, which accepts a return without an
 * amount, credits the whole amount and raises an alarm.
 */
function expectAmount({ money: sent }: TestedBridge, { money }: Returned): void {
  hold(money !== undefined, 'A payout that came back has no "returnedAmount" and "returnedCurrency".')
  const isSame = isSameMoney(money, sent)
  hold(isSame, 'A payout that came back in full names another "returnedAmount" or "returnedCurrency".')
}

const tokens: Check = {
  name: 'payout-tokens',
  title: promises.payoutTokens,
  todo: 'Answer "tokenise" with a "token" that only your bridge can use, accept it as the account of a payout of the kind "card", and refuse card numbers there.',
  needs: ['tokenise', 'send'],
  async run(bridge) {
    const token = await tokenOf(bridge)
    hold(!token.includes(bridge.cardNumber), 'The token contains the card number.')
    const withAccount = (account: string) =>
      bridge.call('send', payoutOf(bridge, bridge.reference(), { kind: 'card', account }))
    const { status } = await withAccount(token)
    hold(status === 200, `A payout to a token was answered ${status}.`)
    expectRefusal(await withAccount(bridge.cardNumber), 400, 'invalid_request', 'A payout to a card number')
  },
}

/**
 * True if the check may send payouts. A bridge without "simulate" may have a real rail, where payouts move money. Such
 * a bridge gets payouts only if the operator named the kind of payout.
 */
export function maySend(bridge: TestedBridge): boolean {
  return bridge.offers('simulate') || bridge.isPayoutNamed
}

function onlyInTests(check: Check): Check {
  return {
    ...check,
    async run(bridge) {
      if (!maySend(bridge))
        throw new NotChecked('Payouts move money. Name a kind to send some, such as --method payout_spei.')
      await check.run(bridge)
    },
  }
}

const checks = [paid, once, reported, absent, refused, returned, tokens]

export const payoutChecks: readonly Check[] = checks.map(onlyInTests)
