// Decides whether an operator's decision waits for a second person. The limit applies to the sum that one person
// decided alone for one merchant within 24 hours: corrections, decisions on suspense and decided outcomes together. So
// a person cannot move a large sum in many small parts.
//
// The sum has two sources. Each decision is in at most one of them:
// - Audit entries of decisions that took effect without a second person. Each entry is written in the transaction of
//   its decision.
// - Approvals that this person asked for and that still wait. A rejected, expired or withdrawn approval does not count,
//   because it moved no money. An approved approval does not count, because a second person saw it.
//
// The lock of the merchant's decisions is held from the count to the commit. So of two concurrent decisions, the later
// one counts the earlier one. The transaction takes this lock before all others, and only these decisions take it.
//
// An amount is valued at the highest rate that its currency had within these 24 hours. So a person who may also set
// rates cannot lower a rate, decide, and restore the rate.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { readActions } from '../../platform/audit-log/read-entries.ts'
import { isCurrency } from '../../platform/base/currency.ts'
import { type Money, parseDecimal } from '../../platform/base/money.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { highestDollarValue } from '../rates/list-rates.ts'
import type { Rates } from '../rates/rates.ts'
import { type ApprovalKind, isSamePerson } from './may-approve.ts'
import { lockDecisions, selectAsked } from './sql.ts'

export type SecondPersonDeps = {
  /** The amount, in US cents, that one person may decide alone for one merchant within 24 hours. */
  readonly secondPersonAbove: bigint
}

type Wanted = { readonly merNo: number; readonly money: Money; readonly actor: Actor; readonly at: Date }

/** True if a second person is needed. `tx` holds the lock, so record the decision or the request in `tx`. */
export async function needsSecondPerson(tx: Tx, deps: SecondPersonDeps, wanted: Wanted): Promise<boolean> {
  const { merNo, money, actor, at } = wanted
  await lockDecisions(tx, merNo)
  const needs = await foreseeSecondPerson(tx, deps, { merNos: [merNo], actor, at })
  return needs(merNo, money)
}

/** Returns a function that predicts whether a decision of this person would wait. Takes no lock. */
export async function foreseeSecondPerson(
  db: Queryable,
  deps: SecondPersonDeps,
  { merNos, actor, at }: { readonly merNos: readonly number[]; readonly actor: Actor; readonly at: Date },
): Promise<(merNo: number, money: Money) => boolean> {
  const since = new Date(at.getTime() - WITHIN_MS)
  const lines = await readActions(db, { merNos, actions, from: since })
  const usdValue = await highestDollarValue(db, { since, until: at })
  const asked = await selectAsked(db, { merNos, kinds, now: at })
  const done = [
    ...lines.filter(({ after }) => after?.askedBy === undefined).map(toDone),
    ...asked.filter(({ askedAt }) => askedAt >= since),
  ].filter(({ askedBy }) => isSamePerson(askedBy, actor))
  return (merNo, money) => {
    const own = done.filter((one) => one.merNo === merNo).map((one) => one.money)
    const value = usdSum(usdValue, [...own, money])
    return value === undefined || value > deps.secondPersonAbove
  }
}

const WITHIN_MS = 24 * 3_600_000
const actions = ['ledger.correct', 'outcome.decide', 'suspense.accept', 'suspense.return']
const kinds: readonly ApprovalKind[] = ['correction', 'outcome', 'suspense']

type Line = Awaited<ReturnType<typeof readActions>>[number]

function toDone({ mer_no: merNo, actor_kind: kind, actor: name, after }: Line) {
  return { merNo: Number(merNo), askedBy: { kind, name }, money: readMoney(String(after?.amount)) }
}

/** Reads the amount of an audit entry, such as `12.34 USD`. Undefined for any other text. */
function readMoney(text: string): Money | undefined {
  const [decimal = '', currency = ''] = text.split(' ')
  const amount = isCurrency(currency) ? parseDecimal(decimal, currency) : undefined
  return amount === undefined ? undefined : { amount, currency }
}

/**
 * Returns the sum in US cents, or undefined if an amount or a rate is unknown. The amounts of each currency are added
 * up before they are converted, so that rounding does not remove small amounts.
 */
function usdSum(usdValue: Rates['usdValue'], all: readonly (Money | undefined)[]): bigint | undefined {
  let total = 0n
  for (const [currency, own] of Map.groupBy(all, (money) => money?.currency)) {
    const amount = own.reduce((sum, money) => sum + (money?.amount ?? 0n), 0n)
    const value = currency === undefined ? undefined : usdValue({ amount, currency })
    if (value === undefined) return undefined
    total += value
  }
  return total
}
