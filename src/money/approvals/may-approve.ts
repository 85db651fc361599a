// Decides whether a person may approve or reject a request. Every approval calls `checkApprover`. For each kind of
// request, the table `approvalRules` lists who decides and which permission the decision requires. A new kind needs a
// handler, a line in the table, and a case in src/interfaces/backoffice/four-eyes.test.ts.
//
// Two people must see each request, so the person who asked may withdraw the request but not approve it. A person is
// identified by an account: an e-mail address in the back office, in any company, or an account of the operating system
// at the command line. The account `ann` and the address `ann@…` count as one person, because the name is all that the
// two kinds of account have in common. If `ann` and `ann@…` are in fact two people, a third person has to approve. A
// request of the merchant's own system has no person who asked, so this rule excludes nobody from approving it.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'

/** The side that decides: operators, or the merchant's own staff. */
export type Decider = 'platform' | 'merchant'

export const approvalRules = {
  // The approvals of the kinds up to `owner` are rows of the table `approvals`.
  outcome: { decider: 'platform', permission: 'outcomes.decide' },
  correction: { decider: 'platform', permission: 'books.correct' },
  suspense: { decider: 'platform', permission: 'suspense.decide' },
  payouts: { decider: 'merchant', permission: 'payouts.approve' },
  beneficiary: { decider: 'merchant', permission: 'payouts.approve' },
  /** The merchant's staff decides if one of them asked and there is another owner. Otherwise operators decide. */
  owner: { decider: 'either', permission: 'users.owner' },
  // The approvals of the other kinds are rows of `refunds` and `payouts`. The state of such a row shows that it waits.
  refund: { decider: 'platform', permission: 'approvals.decide' },
  payout: { decider: 'platform', permission: 'approvals.decide' },
  /** A payout that was requested by the merchant API and exceeds the merchant's own limit. */
  own_payout: { decider: 'merchant', permission: 'payouts.approve' },
} as const satisfies Record<string, { readonly decider: Decider | 'either'; readonly permission: string }>

export type WaitingKind = keyof typeof approvalRules
/** The kinds that wait in the table `approvals`. */
export type ApprovalKind = Exclude<WaitingKind, 'refund' | 'payout' | 'own_payout'>

export type Waiting = {
  readonly kind: WaitingKind
  readonly merNo: number
  /** The number of the approval, refund or payout. */
  readonly id: string
  /** The person who asked. Undefined if the merchant's own system asked. */
  readonly askedBy: Actor | undefined
  /** The side that decides. Set only for a kind that either side may decide. */
  readonly decider?: Decider
  /** For the kind `owner`: the e-mail address of the person who becomes an owner. */
  readonly subject?: string
}

export type Approver = {
  readonly actor: Actor
  /** The merchant number, or 0 for operators. */
  readonly merNo: number
  /** Throws if the person lacks the permission. At the command line everybody has all permissions. */
  need(permission: (typeof approvalRules)[WaitingKind]['permission']): void
}

export const PLATFORM = 0

/** Throws if this person may not approve this request or, with `approves` false, may not reject it. */
export function checkApprover(waiting: Waiting, { actor, merNo, need }: Approver, approves: boolean): void {
  const { kind, id } = waiting
  const { decider: usual, permission } = approvalRules[kind]
  const decider = usual === 'either' ? waiting.decider : usual
  if (merNo !== (decider === 'platform' ? PLATFORM : waiting.merNo)) throw noApproval(id)
  need(permission)
  if (approves && kind === 'owner' && isSameMailbox(actor.name, waiting.subject ?? ''))
    throw new OperatorRefusal('you cannot make yourself an owner: somebody else must approve it')
  if (approves && isAskedBy(waiting, actor))
    throw new OperatorRefusal(`you asked for ${id} yourself: a second person must approve it`)
}

export function isAskedBy({ askedBy }: Pick<Waiting, 'askedBy'>, actor: Actor): boolean {
  return askedBy !== undefined && isSamePerson(askedBy, actor)
}

export function isSamePerson(one: Actor, other: Actor): boolean {
  const [name, otherName] = [mailboxOf(one.name), mailboxOf(other.name)]
  if (name === otherName) return true
  return one.kind !== other.kind && (accountIn(name) === otherName || name === accountIn(otherName))
}

/** Returns the mailbox of an address: mail to "name+tag@host" arrives at "name@host". */
function mailboxOf(address: string): string {
  const plain = address.trim().toLowerCase()
  return plain.replace(/\+[^@]*@/, '@')
}

export function isSameMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other)
}

/** Returns the part of an address before the @, or the whole name of an operating-system account. */
function accountIn(name: string): string {
  return name.replace(/@.*/, '')
}

export function noApproval(id: string): OperatorRefusal {
  return new OperatorRefusal(`there is no approval ${id}`)
}
