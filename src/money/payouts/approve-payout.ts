// Approves or rejects payouts that wait for approval. A payout above the threshold in the merchant's terms needs the
// approval of an operator. A payout through the interface above the merchant's own threshold needs the approval of one
// of the merchant's own staff, if the merchant has extended that threshold to the interface. A payout that needs both
// approvals is sent after the second one, and each side may reject it. The two approvals come from two people: a person
// with accounts on both sides can give only one approval. The worker sends an approved payout.
//
// Days may have passed since acceptance, so approval repeats the checks: merchant, account and bank, currency, rail,
// limits and balances. Acceptance has already taken the money and used the limits. Therefore the checks of limits and
// balances refuse the payout only after a later change, such as lower limits, a balance below zero or new debts. A
// payout that can no longer be approved keeps waiting, and can be rejected.

import type { Actor } from '../../platform/audit-log/entry.ts'
import { readEntries } from '../../platform/audit-log/read-entries.ts'
import { merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { assert, OperatorRefusal, Refusal } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Banks, checkAccount } from '../../rails/toolkit/check-account.ts'
import {
  type Approver,
  checkApprover,
  type Decider,
  isSamePerson,
  PLATFORM,
} from '../approvals/may-approve.ts'
import { readAllBalances } from '../ledger/lock-balances.ts'
import { type Merchant, mayDo } from '../merchants/merchant.ts'
import { ownLimits, PAYOUTS, platformLimits, readUsage } from '../orders/limit-usage.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import type { PlatformLimits, PlatformLimitsCache } from '../orders/platform-limits.ts'
import type { Rates } from '../rates/rates.ts'
import { openAccount } from './account.ts'
import { changePayoutsIn } from './change-payouts.ts'
import { refusalOfFunded } from './money.ts'
import type { Payout, PayoutState } from './payout.ts'
import { isServed, type RailDeps, railsOfAccepted } from './prepare-payout.ts'
import { lockPayouts } from './sql.ts'

export type ApprovePayoutDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly rates: Pick<Rates, 'find'>
  readonly reference: Banks
  readonly platformLimits: PlatformLimitsCache
  findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  /**
   * The rails. Undefined at the command line of a gateway that runs its own sandbox, because no other process knows
   * these rails. Without rails, approval does not check whether a rail can send the payout, and the worker waits until
   * a rail can.
   */
  readonly routing: RailDeps | undefined
}

export type PayoutDecider = { readonly by: Approver; readonly at: Date }

export async function approvePayout(
  deps: ApprovePayoutDeps,
  tradeNo: string,
  decider: PayoutDecider,
): Promise<PayoutState> {
  const merchant = await deps.findMerchant(merNoOf(tradeNo) ?? -1)
  const limits = await deps.platformLimits.of(PAYOUTS)
  return decide(deps.db, tradeNo, decider, { kind: 'approved' }, async (tx, payout) => {
    await requireOtherPerson(tx, payout, decider.by.actor)
    const refusal = await refusalOf(tx, deps, payout, { merchant, limits }).catch(refusalIn)
    if (refusal !== undefined)
      throw new OperatorRefusal(`payout ${tradeNo} cannot be approved: ${refusal.message}`)
  })
}

/**
 * Refuses a second approval by the same person. The audit log contains the first approval, because the transaction of
 * each approval also writes an audit entry.
 */
async function requireOtherPerson(
  tx: Tx,
  { order: { merNo, tradeNo } }: Payout,
  actor: Actor,
): Promise<void> {
  const given = await readEntries(tx, { merNo, action: 'payout.approve', subject: tradeNo }, BOTH)
  if (given.some((line) => isSamePerson({ kind: line.actor_kind, name: line.actor }, actor)))
    throw new OperatorRefusal(`you have approved ${tradeNo} before: another person must give this approval`)
}

const BOTH = 2

/** Rejects the payout and returns amount and fee to the merchant. */
export function rejectPayout(
  db: Db,
  tradeNo: string,
  { why, ...decider }: PayoutDecider & { readonly why: string },
): Promise<PayoutState> {
  return decide(db, tradeNo, decider, { kind: 'rejected', why }, async () => {})
}

type Said = { readonly kind: 'approved' } | { readonly kind: 'rejected'; readonly why: string }

function decide(
  db: Db,
  tradeNo: string,
  { by, at }: PayoutDecider,
  said: Said,
  check: (tx: Tx, payout: Payout) => Promise<void>,
): Promise<PayoutState> {
  const merNo = merNoOf(tradeNo) ?? -1
  return db.transaction(async (tx) => {
    const [payout] = await lockPayouts(tx, await lockOrders(tx, [{ merNo, tradeNo }]))
    if (payout === undefined) throw new OperatorRefusal(`there is no payout ${tradeNo}`)
    const decider: Decider = by.merNo === PLATFORM ? 'platform' : 'merchant'
    const kind = decider === 'platform' ? 'payout' : 'own_payout'
    checkApprover({ kind, merNo, id: tradeNo, askedBy: payout.askedBy }, by, said.kind === 'approved')
    if (payout.state !== 'awaiting_approval' || !payout.awaits.includes(decider))
      throw new OperatorRefusal(
        `payout ${tradeNo} awaits no approval${whose[decider]}: it is ${payout.state}`,
      )
    await check(tx, payout)
    const [changed] = await changePayoutsIn(tx, [{ merNo, tradeNo, event: { ...said, by: decider }, at }])
    assert(changed?.applied === true, 'a locked payout that waits is decided')
    return changed.state
  })
}

const whose = { platform: ' by an operator', merchant: " by the merchant's people" } as const

type Settings = { readonly merchant: Merchant | undefined; readonly limits: PlatformLimits | undefined }

async function refusalOf(
  tx: Tx,
  deps: ApprovePayoutDeps,
  payout: Payout,
  { merchant, limits }: Settings,
): Promise<Refusal | undefined> {
  const { order, account, funding, rail } = payout
  const { merNo, tradeNo, money, localDay, usdValue } = order
  assert(account !== undefined, 'a payout that awaits approval has an account')
  if (merchant === undefined || !mayDo(merchant.state, 'pay')) return new Refusal('10005')
  const { kind, beneficiary: details } = account
  const opened = openAccount(deps.vault, tradeNo, account)
  const bankCode = String(opened.details.bankCode ?? '')
  // The stored account of a card is the rail's token, so there is no card number to check.
  const wrong = kind === 'card' ? undefined : checkAccount(deps.reference, { ...opened, kind, bankCode })
  if (wrong !== undefined) return wrong
  const balances = await readAllBalances(tx, merNo)
  const hasMoney = funding.currency === money.currency || balances.available(money.currency) !== 0n
  if (!merchant.currencies.has(money.currency) && !hasMoney) return new Refusal('10019')
  const { routing } = deps
  if (
    routing !== undefined &&
    !isServed(railsOfAccepted(routing, { kind, money, rail, details }, merchant.routes))
  )
    return new Refusal('10011')
  const taken = [
    ...ownLimits(merchant, PAYOUTS, localDay, usdValue),
    ...platformLimits(limits, PAYOUTS, localDay),
  ]
  for (const limit of taken) if ((await readUsage(tx, limit)) > limit.most) return new Refusal(limit.code)
  return refusalOfFunded(funding, balances, deps.rates)
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
