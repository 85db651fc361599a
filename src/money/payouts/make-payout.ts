// Makes a payout, and records the outcomes that a rail reports by callback.
//
// Money moves in three steps: the payout is accepted and committed; the rail is called; the outcome is recorded and
// committed. For a card, a call before the second step exchanges the card number for the rail's token. After a crash
// the worker continues the payout.
//
// If a rail certainly did not take the payout, the next rail is tried. The name of the rail is committed before the
// rail is called, so only one rail at a time can have the payout. See docs/decisions/0303-payouts-are-routed.md.

import type { Logger } from 'pino'
import type { Vault } from '../../platform/base/secret.ts'
import type { Gate } from '../../platform/concurrency/gate.ts'
import { assert, Refusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { afterCommit } from '../../platform/postgres/outages.ts'
import type { PayoutFailed, PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import type { PayoutRail, Tokenised } from '../../rails/contract/payout-rail.ts'
import type { PayoutRouting } from '../../rails/routing/payout-routing.ts'
import { isLeased, orUnknown } from '../orders/call-lease.ts'
import type { OrderKey } from '../orders/order.ts'
import { acceptPayout } from './accept-payouts.ts'
import { openAccount, sealAccount } from './account.ts'
import type { PayoutBatches } from './batches.ts'
import { type ChangeDeps, changePayout } from './change-payouts.ts'
import { findPayout } from './find-payout.ts'
import { type NewPayout, type PayoutState, payoutKeyOf, type StoredAccount } from './payout.ts'
import { type GivenCard, leaseMs, type PreparedPayout, type Rails } from './prepare-payout.ts'

export type PayoutDeps = ChangeDeps & {
  readonly payoutBatches: PayoutBatches
  readonly vault: Vault
  readonly payoutRouting: PayoutRouting
}

/** The payout's state. `failure` is set if the last call of a rail failed. */
export type MadePayout = {
  readonly state: PayoutState
  readonly message: string
  readonly failure?: PayoutFailed | undefined
}

/** The dependencies of `makePayout`. `gate` is the gate that admitted the request. */
export type MakeDeps = PayoutDeps & { readonly gate: Pick<Gate, 'callBegan' | 'callEnded'> }

/** Makes a payout. A refused payout throws a Refusal and stores nothing. */
export async function makePayout(deps: MakeDeps, prepared: PreparedPayout): Promise<MadePayout> {
  const { payout } = prepared
  const { refusal } = await acceptPayout(deps, payout)
  if (refusal !== undefined) throw refusal
  // From here on, the request mostly waits for its rail, so the gate may let in other requests.
  deps.gate.callBegan()
  try {
    return await afterCommit(goOn(deps, prepared))
  } finally {
    deps.gate.callEnded()
  }
}

function goOn(deps: PayoutDeps, { payout, rails, card }: PreparedPayout): Promise<MadePayout> {
  if (payout.state === 'tokenising' && card !== undefined) return tokenise(deps, payout, rails, card)
  if (payout.state !== 'sending' || !maySend(deps, rails[0], payout)) return Promise.resolve(payout)
  return send(deps, rails, payout)
}

/**
 * True if a call that begins now ends before the payout's lease ends. Otherwise the caller does not send the payout,
 * and the worker claims the payout after the lease.
 */
export function maySend(
  { clock }: PayoutDeps,
  rail: PayoutRail,
  { askAt }: Pick<NewPayout, 'askAt'>,
): boolean {
  return askAt !== undefined && isLeased(clock, rail, askAt)
}

async function tokenise(
  deps: PayoutDeps,
  payout: NewPayout,
  rails: Rails,
  card: GivenCard,
): Promise<MadePayout> {
  const { rail, tokenised } = await tokeniseOrFail(deps, rails, card)
  if (tokenised.kind === 'failed') {
    const changed = await changePayout(deps, payout, { kind: 'not-sent', why: tokenised.message })
    return { ...changed, failure: tokenised }
  }
  const { beneficiary: details, accountMasked } = payout
  const entered = { kind: 'card', account: tokenised.token, personal: {}, details } as const
  const account = sealAccount(deps.vault, payout.tradeNo, entered, accountMasked)
  return giveAccount(deps, [rail], payout, account)
}

/** Tries the rails in order. Returns the first rail that makes a token, or the failure of the last rail. */
export async function tokeniseOrFail(
  deps: Pick<PayoutDeps, 'payoutRouting'>,
  [rail, next, ...others]: Rails,
  card: GivenCard,
): Promise<{ readonly rail: PayoutRail; readonly tokenised: Tokenised }> {
  const calledAtMs = performance.now()
  const tokenised = await rail.tokenise(card.number, card.expiry).catch((): Tokenised => unreachable)
  deps.payoutRouting.called(rail, tokenised, performance.now() - calledAtMs)
  if (tokenised.kind === 'token' || next === undefined) return { rail, tokenised }
  return tokeniseOrFail(deps, [next, ...others], card)
}

/** The result if a rail throws while it makes a token, although a rail must not throw. Nothing was paid. */
const unreachable: PayoutFailed = {
  kind: 'failed',
  cause: 'unreachable',
  message: 'The payout rail could not be reached',
}

/**
 * Stores the account and calls the rail. The rail is not called if the payout first needs approval, if another request
 * has already stored an account, or if the call might end after the payout's lease.
 */
export async function giveAccount(
  deps: PayoutDeps,
  rails: Rails,
  key: OrderKey,
  account: StoredAccount,
): Promise<MadePayout> {
  const [rail] = rails
  const changed = await changePayout(deps, key, {
    kind: 'account',
    account,
    rail: rail.name,
    leaseMs: leaseMs(rail),
  })
  if (!changed.applied || changed.state !== 'sending' || !maySend(deps, rail, changed)) return changed
  const { order, reference } = changed.payout
  return send(deps, rails, { ...key, money: order.money, reference, account })
}

export type Sendable = Pick<NewPayout, 'merNo' | 'tradeNo' | 'money' | 'reference' | 'account'>

/**
 * Sends a payout for the first time. `claims` is how often the worker has claimed the payout, and 0 if a request sends
 * the payout.
 */
export async function send(
  deps: PayoutDeps,
  [rail, next, ...others]: Rails,
  payout: Sendable,
  claims = 0,
): Promise<MadePayout> {
  const outcome = await sendOrUnknown(deps, rail, payout)
  // For the last rail, `claims` is left out. Without `claims`, an approved payout that does not reach the last rail
  // stays open, and the worker sends it again. No caller waits that could send it.
  const goOn = next && { next: { rail: next.name, leaseMs: leaseMs(next) }, claims }
  const changed = await changePayout(deps, payout, { kind: 'outcome', outcome, asks: claims, ...goOn })
  if (next !== undefined && changed.rail === next.name && maySend(deps, next, changed))
    return send(deps, [next, ...others], payout, claims)
  return { ...changed, failure: outcome.kind === 'failed' ? outcome : undefined }
}

/**
 * Sends the payout and returns the outcome. The outcome is `unknown` if the rail throws, although a rail must not
 * throw.
 */
export async function sendOrUnknown(
  { vault, payoutRouting }: Pick<PayoutDeps, 'vault' | 'payoutRouting'>,
  rail: PayoutRail,
  payout: Sendable,
): Promise<PayoutOutcome> {
  const { account, money, reference, tradeNo } = payout
  assert(account !== undefined, 'a payout that is sent has an account')
  const beneficiary = openAccount(vault, tradeNo, account)
  const calledAtMs = performance.now()
  const outcome = await orUnknown('rail', () =>
    rail.send({ reference, kind: account.kind, money, beneficiary }),
  )
  payoutRouting.called(rail, outcome, performance.now() - calledAtMs)
  return outcome
}

/**
 * Returns the error response for a payout that failed without being declined by a rail. The order exists nevertheless.
 */
export function failureOf({ state, failure }: MadePayout): Refusal | undefined {
  if (state !== 'failed' || failure === undefined || failure.cause === 'declined') return undefined
  return failure.cause === 'unreachable' ? new Refusal('99995') : new Refusal('99998', failure.message)
}

export type ReceivePayoutDeps = ChangeDeps & { readonly db: Db; readonly log: Logger }

export async function receivePayout(
  deps: ReceivePayoutDeps,
  rail: string,
  reference: string,
  outcome: PayoutOutcome,
): Promise<void> {
  const key = payoutKeyOf(reference)
  const payout = key && (await findPayout(deps.db, key))
  if (key === undefined || payout?.rail !== rail) {
    deps.alarm(reference, `rail ${rail} reported a payout that it does not have: ${outcome.kind}`)
    return
  }
  const { tradeNo } = key
  const { state } = await changePayout(deps, key, { kind: 'outcome', outcome })
  deps.log.info({ tradeNo, rail, outcome: outcome.kind, state }, 'payout callback recorded')
}
