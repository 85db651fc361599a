// Money moves in three steps: accept the payout and commit; call the rail; record the outcome and commit. For a card one more
// call comes first, which exchanges its number for the rail's token. After a crash the worker continues.

import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import type { PayoutFailed, PayoutOutcome, PayoutRail, Tokenised } from '../channels/payout/contract.ts'
import type { Gate } from '../concurrency/gate.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import type { OrderKey } from '../orders/order.ts'
import { openAccount, sealAccount } from './account.ts'
import type { PayoutBatches } from './batches.ts'
import type { ChangedPayout, PayoutReport } from './change-payouts.ts'
import type { NewPayout } from './new-payout.ts'
import type { PayoutState, StoredAccount } from './payout.ts'
import { leaseMs, type PreparedPayout } from './prepare-payout.ts'

export type PayoutDeps = {
  readonly batches: PayoutBatches
  readonly clock: Clock
  readonly vault: Vault
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

function goOn(deps: PayoutDeps, { payout, rail, cardNumber }: PreparedPayout): Promise<MadePayout> {
  if (payout.state === 'tokenising') return tokenise(deps, payout, rail, cardNumber ?? '')
  if (payout.state !== 'sending' || !isLeased(deps, rail, payout)) return Promise.resolve(payout)
  return send(deps, rail, { ...payout, account: payout.account })
}

/**
 * Whether a call that begins now ends before the worker takes over. If not, acceptance took too long, and the worker sends the
 * payout.
 */
function isLeased({ clock }: PayoutDeps, rail: PayoutRail, { askAt }: Pick<NewPayout, 'askAt'>): boolean {
  return askAt !== undefined && clock.now().getTime() + rail.timeoutMs <= askAt.getTime()
}

async function tokenise(
  deps: PayoutDeps,
  payout: NewPayout,
  rail: PayoutRail,
  cardNumber: string,
): Promise<MadePayout> {
  const tokenised = await tokeniseOrFail(rail, cardNumber)
  if (tokenised.kind === 'failed') {
    const changed = await report(deps, payout, { kind: 'not-sent', why: tokenised.message })
    return { ...changed, failure: tokenised }
  }
  const { beneficiary: details, accountMasked } = payout
  const entered = { kind: 'card', account: tokenised.token, personal: {}, details } as const
  const account = sealAccount(deps.vault, payout.tradeNo, entered, accountMasked)
  return giveAccount(deps, rail, payout, account)
}

/** A rail must not throw. If it does, there is no token, and nothing was paid. */
export function tokeniseOrFail(rail: PayoutRail, cardNumber: string): Promise<Tokenised> {
  return rail.tokenise(cardNumber).catch(() => {
    return { kind: 'failed', cause: 'unreachable', message: 'The payout rail could not be reached' }
  })
}

/** Stores the account and calls the rail, unless an operator must approve first or another request was faster. */
export async function giveAccount(
  deps: PayoutDeps,
  rail: PayoutRail,
  key: OrderKey,
  account: StoredAccount,
): Promise<MadePayout> {
  const changed = await report(deps, key, {
    kind: 'account',
    account,
    rail: rail.name,
    leaseMs: leaseMs(rail),
  })
  if (!changed.applied || changed.state !== 'sending' || !isLeased(deps, rail, changed)) return changed
  const { order, reference } = changed.payout
  return send(deps, rail, { ...key, money: order.money, reference, account })
}

export type Sendable = Pick<NewPayout, 'merNo' | 'tradeNo' | 'money' | 'reference' | 'account'>

async function send(deps: PayoutDeps, rail: PayoutRail, payout: Sendable): Promise<MadePayout> {
  const outcome = await sendOrUnknown(deps.vault, rail, payout)
  const changed = await report(deps, payout, { kind: 'outcome', outcome })
  return { ...changed, failure: outcome.kind === 'failed' ? outcome : undefined }
}

/** A rail must not throw. If it does, the outcome is unknown. */
export function sendOrUnknown(vault: Vault, rail: PayoutRail, payout: Sendable): Promise<PayoutOutcome> {
  const { account, money, reference, tradeNo } = payout
  assert(account !== undefined, 'a payout that is sent has an account')
  const beneficiary = openAccount(vault, tradeNo, account)
  return rail.send({ reference, kind: account.kind, money, beneficiary }).catch((error: Error) => ({
    kind: 'unknown',
    why: `the rail's code failed: ${error.message}`,
  }))
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
