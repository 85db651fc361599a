// An approval: an action that one person asked for and that waits for a second one. Pure rules.
import type { Actor } from '../audit-log/entry.ts'
import type { Money } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'

export type ApprovalKind = 'outcome' | 'correction' | 'suspense' | 'payouts' | 'beneficiary'
export type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'expired'
/** Who decides: operators, or the merchant's own staff. */
export type Decider = 'platform' | 'merchant'

export type Approval = {
  readonly merNo: number
  readonly approvalId: string
  readonly decider: Decider
  readonly kind: ApprovalKind
  /** What it is about: a trade or refund number, a payout run, a beneficiary. It waits once at a time. */
  readonly subject: string
  /** All that is needed to carry it out, and to show it. Never a secret. */
  readonly action: Action
  readonly money: Money | undefined
  readonly askedBy: Actor
  readonly askedAt: Date
  readonly reason: string
  readonly expiresAt: Date
  readonly state: ApprovalState
  readonly decidedBy: Actor | undefined
  readonly decidedAt: Date | undefined
  /** Why it was approved or rejected. */
  readonly decision: string | undefined
}

export type Action = Readonly<Record<string, string>>

const DAY_MS = 86_400_000

/** After this time it has to be asked for again. */
export const APPROVAL_MS = 7 * DAY_MS

export function isExpired({ expiresAt }: Pick<Approval, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now
}

export function isSamePerson(one: Actor, other: Actor): boolean {
  return one.kind === other.kind && one.name === other.name
}

/** What was asked for until then has expired now. */
export function expiredUntil(now: Date): Date {
  return new Date(now.getTime() - APPROVAL_MS)
}

/** Throws if this person may not decide so now. The person who asked may only take it back. What expired can be rejected. */
export function checkDecision(
  approval: Approval,
  { actor, approves, at }: { readonly actor: Actor; readonly approves: boolean; readonly at: Date },
): void {
  const { approvalId, state, askedBy, decidedBy } = approval
  const by = decidedBy === undefined ? '' : `, by ${decidedBy.name}`
  if (state !== 'waiting') throw new OperatorRefusal(`${approvalId} is ${state} already${by}`)
  if (approves && isExpired(approval, at))
    throw new OperatorRefusal(`${approvalId} has expired: ask for it again if it is still needed`)
  if (approves && isSamePerson(askedBy, actor))
    throw new OperatorRefusal(`you asked for ${approvalId} yourself: a second person must approve it`)
}
