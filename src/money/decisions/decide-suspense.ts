// An operator decides on money in suspense: it is accepted for its order, returned to its channel, or assigned to an order
// first. Accepting and returning above an amount wait for a second person; assigned money stays in suspense, so it does not.
import { askApproval } from '../approvals/ask-approval.ts'
import type { Carrying } from '../approvals/decide-approval.ts'
import type { Actor } from '../audit-log/entry.ts'
import { writeAudit } from '../audit-log/write-entry.ts'
import { formatAmount, type Money } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { type AcceptedSuspense, acceptSuspense } from '../payments/deposits/accept-suspense.ts'
import { assignSuspense } from '../payments/deposits/assign-suspense.ts'
import type { Tx } from '../postgres/db.ts'
import { closeDecided } from '../reconciliation/close-differences.ts'
import { heldOfOrders } from '../suspense/book-suspense.ts'
import { requireSuspense, returnSuspense } from '../suspense/decide-suspense.ts'
import type { Suspense } from '../suspense/suspense.ts'
import type { DecisionDeps } from './decide-outcome.ts'
import { needsSecondPerson } from './second-person.ts'

type Decider = {
  readonly suspenseId: string
  /** A large one needs it: the second person reads it. */
  readonly reason?: string | undefined
  readonly actor: Actor
}

/** What was done, or the approval that it waits for. */
export type SuspenseDecided = {
  readonly accepted?: AcceptedSuspense
  readonly returned?: Suspense
  readonly approvalId?: string
}

export type SuspenseDecision = Decider & { readonly as: 'accept' | 'return' }

export async function decideSuspense(deps: DecisionDeps, wanted: SuspenseDecision): Promise<SuspenseDecided> {
  const { suspenseId, as, reason, actor } = wanted
  const at = deps.clock.now()
  const found = await requireSuspense(deps.db, suspenseId)
  const money = as === 'accept' ? await sumOfAttempt(deps, found) : found.money
  if (found.state !== 'held' || !needsSecondPerson(deps, money))
    return deps.db.transaction((tx) => carryOut(tx, deps, { ...wanted, money, at }))
  if (reason === undefined)
    throw new OperatorRefusal('it needs a second person, who has to know why: give a reason')
  const { merNo, channel, tradeNo } = found
  const action = { as, channel, ...(tradeNo !== undefined && { tradeNo }) }
  const asked = { merNo, decider: 'platform', kind: 'suspense', subject: suspenseId } as const
  const { approvalId } = await deps.db.transaction((tx) =>
    askApproval(tx, { ...asked, action, money, reason, actor, at }),
  )
  return { approvalId }
}

/** Accepting takes all money in suspense for the attempt. */
async function sumOfAttempt({ db }: DecisionDeps, found: Suspense): Promise<Money> {
  const { merNo, tradeNo, attemptNo, money } = found
  if (tradeNo === undefined) return money
  const held = (await heldOfOrders(db, [{ merNo, tradeNo }])).filter(
    (one) => one.attemptNo === attemptNo && one.money.currency === money.currency,
  )
  return { amount: held.reduce((sum, one) => sum + one.money.amount, 0n), currency: money.currency }
}

export function suspenseCarrying(deps: DecisionDeps): Carrying {
  return {
    async approved(tx, { subject, action, money, reason, askedBy }, { actor, at }) {
      if (money === undefined) throw new Error('broken invariant: money in suspense has an amount')
      const as = action.as === 'accept' ? 'accept' : 'return'
      await carryOut(tx, deps, { suspenseId: subject, as, money, reason, actor, askedBy, at })
    },
  }
}

type Carried = SuspenseDecision & {
  readonly money: Money
  readonly askedBy?: Actor | undefined
  readonly at: Date
}

async function carryOut(tx: Tx, deps: DecisionDeps, carried: Carried): Promise<SuspenseDecided> {
  const { suspenseId, as, money, askedBy, actor, at } = carried
  const within = { clock: { now: () => at }, rates: deps.rates, db: inside(tx) }
  const decided =
    as === 'accept'
      ? { accepted: await acceptSuspense(within, suspenseId) }
      : { returned: await returnSuspense(within, suspenseId) }
  const rows = 'accepted' in decided ? decided.accepted.accepted : [decided.returned]
  const ids = rows.map((one) => one.suspenseId)
  await closeDecided(tx, ids, { by: actor.name, at })
  const amount = `${formatAmount(money.amount, money.currency)} ${money.currency}`
  await write(tx, { ...carried, action: `suspense.${as}`, merNo: rows[0]?.merNo ?? 0 }, at, {
    amount,
    ...(askedBy && { askedBy: askedBy.name }),
  })
  return decided
}

/** A use case that opens a transaction then runs in this one. */
function inside(tx: Tx): { transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> } {
  return { transaction: (work) => work(tx) }
}

/** Returns the row that holds the money from then on. */
export function assignToOrder(
  deps: Pick<DecisionDeps, 'db' | 'clock'>,
  wanted: Decider & { readonly tradeNo: string },
): Promise<Suspense> {
  const { suspenseId, tradeNo, actor } = wanted
  const at = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const moved = await assignSuspense({ db: inside(tx), clock: { now: () => at } }, suspenseId, tradeNo)
    await closeDecided(tx, [suspenseId], { by: actor.name, at })
    const { merNo, suspenseId: becameId } = moved
    await write(tx, { ...wanted, action: 'suspense.assign', merNo }, at, { tradeNo, becameId })
    return moved
  })
}

type Line = Decider & { readonly action: string; readonly merNo: number }

async function write(tx: Tx, line: Line, at: Date, after: Readonly<Record<string, string>>): Promise<void> {
  const { merNo, actor, action, suspenseId: subject, reason } = line
  await writeAudit(tx, { merNo, at, actor, action, subject, after, ...(reason !== undefined && { reason }) })
}
