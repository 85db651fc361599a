// Money moves in three steps: accept the payout and commit; call the rail; record the outcome and commit. For a card one more
// call comes first, which exchanges its number for the rail's token. After a crash the worker continues.
//
// A rail that certainly did not take the payout is followed by the next one. Its name is committed before it is called, so a
// payout is with one rail at a time.

import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import { whyOf } from '../base/why.ts'
import type { PayoutFailed, PayoutOutcome, PayoutRail, Tokenised } from '../channels/payout/contract.ts'
import type { PayoutRouting } from '../channels/payout/payout-routing.ts'
import type { Gate } from '../concurrency/gate.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import { isLeased } from '../orders/ask-again.ts'
import type { OrderKey } from '../orders/order.ts'
import { openAccount, sealAccount } from './account.ts'
import type { PayoutBatches } from './batches.ts'
import type { ChangedPayout, PayoutReport } from './change-payouts.ts'
import type { NewPayout } from './new-payout.ts'
import type { PayoutState, StoredAccount } from './payout.ts'
import { type GivenCard, leaseMs, type PreparedPayout, type Rails } from './prepare-payout.ts'

export type PayoutDeps = {
  readonly batches: PayoutBatches
  readonly clock: Clock
  readonly vault: Vault
  readonly payoutRouting: PayoutRouting
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
}

/** The payout's state. `failure`: why the rail did not accept it; the order exists and has failed. */
export type MadePayout = {
  readonly state: PayoutState
  readonly message: string
  readonly failure?: PayoutFailed | undefined
}

/** The payout's merchant has entered. */
export type MakeDeps = PayoutDeps & { readonly gate: Pick<Gate, 'callBegan' | 'callEnded'> }

/** Throws a Refusal if nothing was stored. */
export async function makePayout(deps: MakeDeps, prepared: PreparedPayout): Promise<MadePayout> {
  const { payout } = prepared
  const { refusal } = await deps.batches.accept(payout)
  if (refusal !== undefined) throw refusal
  // From here on a payout mostly waits for its rail.
  deps.gate.callBegan()
  try {
    return await goOn(deps, prepared)
  } finally {
    deps.gate.callEnded()
  }
}

function goOn(deps: PayoutDeps, { payout, rails, card }: PreparedPayout): Promise<MadePayout> {
  if (payout.state === 'tokenising' && card !== undefined) return tokenise(deps, payout, rails, card)
  if (payout.state !== 'sending' || !maySend(deps, rails[0], payout)) return Promise.resolve(payout)
  return send(deps, rails, payout)
}

/** If not, to commit the payout or its rail took too long, and the worker sends it. */
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
    const changed = await report(deps, payout, { kind: 'not-sent', why: tokenised.message })
    return { ...changed, failure: tokenised }
  }
  const { beneficiary: details, accountMasked } = payout
  const entered = { kind: 'card', account: tokenised.token, personal: {}, details } as const
  const account = sealAccount(deps.vault, payout.tradeNo, entered, accountMasked)
  return giveAccount(deps, [rail], payout, account)
}

/** The first rail that makes a token, or the last failure. No money moves. */
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

/** A rail must not throw. If it does, there is no token, and nothing was paid. */
const unreachable: PayoutFailed = {
  kind: 'failed',
  cause: 'unreachable',
  message: 'The payout rail could not be reached',
}

/** Stores the account and calls the rail, unless an operator must approve first or another request was faster. */
export async function giveAccount(
  deps: PayoutDeps,
  rails: Rails,
  key: OrderKey,
  account: StoredAccount,
): Promise<MadePayout> {
  const [rail] = rails
  const changed = await report(deps, key, {
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

/** `claims`: the worker's claims so far, if it calls. Nothing was sent before. */
export async function send(
  deps: PayoutDeps,
  [rail, next, ...others]: Rails,
  payout: Sendable,
  claims = 0,
): Promise<MadePayout> {
  const outcome = await sendOrUnknown(deps, rail, payout)
  // After the last rail an approved payout waits: nobody is there to send it again.
  const goOn = next && { next: { rail: next.name, leaseMs: leaseMs(next) }, claims }
  const changed = await report(deps, payout, { kind: 'outcome', outcome, asks: claims, ...goOn })
  if (next !== undefined && changed.rail === next.name && maySend(deps, next, changed))
    return send(deps, [next, ...others], payout, claims)
  return { ...changed, failure: outcome.kind === 'failed' ? outcome : undefined }
}

/** A rail must not throw. If it does, the outcome is unknown. */
export async function sendOrUnknown(
  { vault, payoutRouting }: Pick<PayoutDeps, 'vault' | 'payoutRouting'>,
  rail: PayoutRail,
  payout: Sendable,
): Promise<PayoutOutcome> {
  const { account, money, reference, tradeNo } = payout
  assert(account !== undefined, 'a payout that is sent has an account')
  const beneficiary = openAccount(vault, tradeNo, account)
  const calledAtMs = performance.now()
  const outcome = await rail
    .send({ reference, kind: account.kind, money, beneficiary })
    .catch((error: unknown): PayoutOutcome => {
      return { kind: 'unknown', why: `the rail's code failed: ${whyOf(error)}` }
    })
  payoutRouting.called(rail, outcome, performance.now() - calledAtMs)
  return outcome
}

export async function report(
  deps: Pick<PayoutDeps, 'batches' | 'clock' | 'alarm'>,
  { merNo, tradeNo }: OrderKey,
  event: PayoutReport['event'],
): Promise<ChangedPayout> {
  const changed = await deps.batches.record({ merNo, tradeNo, event, at: deps.clock.now() })
  assert(changed !== undefined, 'a reported payout exists')
  if (changed.alarm !== undefined) deps.alarm(tradeNo, changed.alarm)
  return changed
}

/** The error response for a payout that the rail refused or never received; the order exists. */
export function failureOf({ state, failure }: MadePayout): Refusal | undefined {
  if (state !== 'failed' || failure === undefined || failure.cause === 'declined') return undefined
  return failure.cause === 'unreachable' ? new Refusal('99995') : new Refusal('99998', failure.message)
}
