// Carries out an operator's decision on money in suspense. The money is accepted for its order, returned to its
// channel, or assigned to an order. Above the limit of second-person.ts, accepting and returning wait for a second
// person. Assigning never waits, because assigned money stays in suspense.

import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { formatMoney, type Money } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { askApproval } from '../approvals/ask-approval.ts'
import type { Carrying } from '../approvals/decide-approval.ts'
import { needsSecondPerson } from '../approvals/second-person.ts'
import {
  type AcceptedSuspense,
  acceptSuspense,
  assignSuspense,
} from '../payments/deposits/accept-suspense.ts'
import { closeDecided } from '../reconciliation/statements.ts'
import { heldOfOrders } from '../suspense/book-suspense.ts'
import { requireSuspense, returnSuspense } from '../suspense/release-suspense.ts'
import type { Suspense } from '../suspense/suspense.ts'
import type { DecisionDeps } from './decide-outcome.ts'

type Decider = {
  readonly suspenseId: string
  /** The reason, which the second person reads. Required if the decision needs a second person. */
  readonly reason?: string | undefined
  readonly actor: Actor
}

/** The decision that was carried out, or the approval that the decision waits for. */
export type SuspenseDecided = {
  readonly accepted?: AcceptedSuspense
  readonly returned?: Suspense
  readonly approvalId?: string
}

export type SuspenseDecision = Decider & { readonly as: 'accept' | 'return' }

export async function decideSuspense(deps: DecisionDeps, wanted: SuspenseDecision): Promise<SuspenseDecided> {
  const { suspenseId, as, reason, actor } = wanted
  const at = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const found = await requireSuspense(tx, suspenseId)
    const money = as === 'accept' ? await sumOfAttempt(tx, found) : found.money
    const { merNo, channel, tradeNo } = found
    if (found.state !== 'held' || !(await needsSecondPerson(tx, deps, { merNo, money, actor, at })))
      return carryOut(tx, deps, { ...wanted, money, at })
    if (reason === undefined)
      throw new OperatorRefusal('it needs a second person, who has to know why: give a reason')
    const action = { as, channel, ...(tradeNo !== undefined && { tradeNo }) }
    const asked = { merNo, kind: 'suspense', subject: suspenseId } as const
    const { approvalId } = await askApproval(tx, { ...asked, action, money, reason, actor, at })
    return { approvalId }
  })
}

/** Returns the sum that would be accepted: all money in suspense for the attempt in the same currency. */
async function sumOfAttempt(tx: Tx, found: Suspense): Promise<Money> {
  const { merNo, tradeNo, attemptNo, money } = found
  if (tradeNo === undefined) return money
  const held = (await heldOfOrders(tx, [{ merNo, tradeNo }])).filter(
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
  const sum = rows.reduce((total, one) => total + one.money.amount, 0n)
  if (sum !== money.amount)
    throw new OperatorRefusal(
      `${formatMoney({ ...money, amount: sum })} are in suspense now: decide it again`,
    )
  const ids = rows.map((one) => one.suspenseId)
  await closeDecided(tx, ids, { by: actor.name, at })
  await write(tx, { ...carried, action: `suspense.${as}`, merNo: rows[0]?.merNo ?? 0 }, at, {
    amount: formatMoney(money),
    ...(askedBy && { askedBy: askedBy.name }),
  })
  return decided
}

/** Returns a database whose transactions run in the given transaction, for use cases that open a transaction. */
function inside(tx: Tx): { transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> } {
  return { transaction: (work) => work(tx) }
}

/** Assigns money to an order. Returns the suspense row that holds the money after the assignment. */
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
