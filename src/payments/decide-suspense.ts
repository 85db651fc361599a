// An operator's word on money in suspense. Each row is decided once: it is locked before anything moves.
import type { Clock } from '../base/clock.ts'
import type { Db, Tx } from '../base/db.ts'
import { assert, OperatorRefusal } from '../base/error.ts'
import { merNoOf } from '../base/id.ts'
import { channelAccount, SUSPENSE } from '../ledger/account.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { acceptLatePayment, lockLateOrder, mayBeAccepted, takenOf } from '../payments/accept-late-payment.ts'
import type { Rates } from '../rates/rates.ts'
import { toSuspense } from './book-suspense.ts'
import { decideSuspense, insertSuspense, lockHeld, lockSuspense, selectSuspense } from './sql.ts'
import { type Suspense, steps, subjectOf } from './suspense.ts'

export type DecideDeps = { readonly db: Db; readonly clock: Clock }
export type AcceptDeps = DecideDeps & { readonly rates: Pick<Rates, 'find'> }

export type AcceptedSuspense = {
  readonly merNo: number
  readonly tradeNo: string
  /** All that was held for the order. */
  readonly accepted: readonly Suspense[]
  /** What exceeds the order stays in suspense, as a row of its own. */
  readonly surplus: Suspense | undefined
}

/** The order succeeds with all that is held for it, be it more or less than was asked. */
export function acceptSuspense(deps: AcceptDeps, suspenseId: string): Promise<AcceptedSuspense> {
  return deps.db.transaction(async (tx) => {
    const found = await selectSuspense(tx, ownerOf(suspenseId), suspenseId)
    if (found === undefined) throw unknown(suspenseId)
    const { merNo, tradeNo } = found
    if (tradeNo === undefined) throw new OperatorRefusal('it belongs to no order: it can only be returned')
    const order = await lockLateOrder(tx, { merNo, tradeNo })
    if (order === undefined || !mayBeAccepted(order))
      throw new OperatorRefusal(`order ${tradeNo} is not one that was cancelled or expired: return the money`)
    // Read anew under its lock: it may have been returned while we waited for the order.
    refuseDecided(await lockSuspense(tx, merNo, suspenseId), order.money.currency)
    const held = await lockHeld(tx, merNo, tradeNo, order.money.currency)
    const received = held.reduce((sum, item) => sum + item.money.amount, 0n)
    const late = { order, received, at: deps.clock.now() }
    const surplus = await keepSurplus(tx, found, received - takenOf(late), late.at)
    const ids = held.map((item) => item.suspenseId)
    await decideSuspense(tx, merNo, ids, 'accepted', late.at)
    await acceptLatePayment(tx, deps.rates, late)
    return { merNo, tradeNo, accepted: held, surplus }
  })
}

function refuseDecided(found: Suspense | undefined, currency: string): void {
  assert(found !== undefined, 'money in suspense is never forgotten')
  const { suspenseId, state, money } = found
  if (state !== 'held') throw new OperatorRefusal(`${suspenseId} was ${state} before`)
  if (money.currency !== currency)
    throw new OperatorRefusal(`the order is in ${currency}, this money in ${money.currency}: return it`)
}

/** The money lies in the suspense account already: only the row is new. */
async function keepSurplus(tx: Tx, of: Suspense, amount: bigint, at: Date): Promise<Suspense | undefined> {
  if (amount === 0n || of.tradeNo === undefined) return undefined
  const { merNo, channel, tradeNo } = of
  const money = { amount, currency: of.money.currency }
  const reference = `surplus of ${of.suspenseId}`
  const item = toSuspense({ merNo, channel, reference, tradeNo, money, why: 'surplus', at })
  const [kept] = await insertSuspense(tx, [item])
  assert(kept !== undefined, 'money is accepted once, and has one surplus')
  return kept
}

/** Back to the channel, which is told by the operator. */
export function returnSuspense(deps: DecideDeps, suspenseId: string): Promise<Suspense> {
  return deps.db.transaction(async (tx) => {
    const found = await lockSuspense(tx, ownerOf(suspenseId), suspenseId)
    if (found === undefined) throw unknown(suspenseId)
    if (found.state !== 'held') throw new OperatorRefusal(`${suspenseId} was ${found.state} before`)
    const at = deps.clock.now()
    const { merNo, money } = found
    await decideSuspense(tx, merNo, [suspenseId], 'returned', at)
    const step = steps.returned(suspenseId)
    const credit = channelAccount(found.channel)
    await postEntries(tx, [{ merNo, subject: subjectOf(found), step, debit: SUSPENSE, credit, money, at }])
    return { ...found, state: 'returned', decidedAt: at }
  })
}

function ownerOf(suspenseId: string): number {
  const merNo = suspenseId.startsWith('S') ? merNoOf(suspenseId) : undefined
  if (merNo === undefined) throw unknown(suspenseId)
  return merNo
}

function unknown(suspenseId: string): OperatorRefusal {
  return new OperatorRefusal(`there is no money in suspense under ${suspenseId}`)
}
