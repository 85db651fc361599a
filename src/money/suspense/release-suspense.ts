// The operator's decisions on money in suspense. Each row is locked before money moves, so it is decided once.
import type { Clock } from '../base/clock.ts'
import { merNoOf } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import { assert, OperatorRefusal } from '../errors/catalogue.ts'
import { channelAccount, SUSPENSE } from '../ledger/account.ts'
import { postEntries } from '../ledger/post-entries.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import { bookSuspense, toSuspense } from './book-suspense.ts'
import { decideSuspense, insertSuspense, lockHeld, lockSuspense, selectSuspense } from './sql.ts'
import { type Suspense, type SuspenseCause, steps, subjectOf } from './suspense.ts'

/** An open transaction may stand for the database. */
export type DecideDeps = { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock }

export async function requireSuspense(db: Queryable, suspenseId: string): Promise<Suspense> {
  const found = await selectSuspense(db, ownerOf(suspenseId), suspenseId)
  if (found === undefined) throw unknown(suspenseId)
  return found
}

/** Money in suspense whose order and attempt are known. */
export type OfAttempt = Suspense & { readonly tradeNo: string; readonly attemptNo: number }

/** Accepts all open rows of the attempt. The caller has locked its order. An amount above the price stays in suspense. */
export async function takeHeld(
  tx: Tx,
  found: OfAttempt,
  price: Money,
  at: Date,
): Promise<{ readonly held: readonly Suspense[]; readonly surplus: Suspense | undefined }> {
  const { merNo, suspenseId } = found
  // Read again under its lock: it may have been returned while the caller waited for the order.
  refuseDecided(await lockSuspense(tx, merNo, suspenseId), price.currency)
  const held = await lockHeld(tx, found, price.currency)
  const received = held.reduce((sum, item) => sum + item.money.amount, 0n)
  const surplus =
    received > price.amount ? await keepSurplus(tx, found, received - price.amount, at) : undefined
  const ids = held.map((item) => item.suspenseId)
  await decideSuspense(tx, merNo, ids, 'accepted', at)
  return { held, surplus }
}

function refuseDecided(found: Suspense | undefined, currency: string): void {
  assert(found !== undefined, 'rows of suspense are never deleted')
  const { suspenseId, state, money } = found
  if (state !== 'held') throw new OperatorRefusal(`${suspenseId} was ${state} before`)
  if (money.currency !== currency)
    throw new OperatorRefusal(`the order is in ${currency}, this money in ${money.currency}: return it`)
}

/** Adds a row only: the money is already in the suspense account. */
async function keepSurplus(tx: Tx, of: OfAttempt, amount: bigint, at: Date): Promise<Suspense> {
  const { merNo, channel } = of
  const money = { amount, currency: of.money.currency }
  const reference = `surplus of ${of.suspenseId}`
  const about = { attempt: of, origin: 'split', why: 'surplus' } as const
  const item = toSuspense({ merNo, channel, reference, money, at, ...about })
  const [surplus] = await insertSuspense(tx, [item])
  assert(surplus !== undefined, 'money is accepted once, and has one surplus')
  return surplus
}

/** Books it back to the channel; the operator informs the channel. */
export function returnSuspense(deps: DecideDeps, suspenseId: string): Promise<Suspense> {
  return deps.db.transaction(async (tx) => {
    const found = await lockUndecided(tx, suspenseId)
    return bookOut(tx, found, 'returned', deps.clock.now())
  })
}

export type ToAttempt = { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }

/**
 * Money of no known order is held under this one from now on. The caller has locked the order. The new row comes from a
 * statement as the old one did, so that the same money is not booked again when the channel reports it.
 */
export async function moveToOrder(
  tx: Tx,
  suspenseId: string,
  { attempt, why, at }: { readonly attempt: ToAttempt; readonly why: SuspenseCause; readonly at: Date },
): Promise<Suspense> {
  const found = await lockUndecided(tx, suspenseId)
  if (found.tradeNo !== undefined)
    throw new OperatorRefusal(`${suspenseId} belongs to order ${found.tradeNo} already`)
  await bookOut(tx, found, 'assigned', at)
  const { channel, money } = found
  const reference = `assigned:${suspenseId}`
  const item = {
    merNo: attempt.merNo,
    channel,
    reference,
    attempt,
    origin: 'statement',
    money,
    why,
    at,
  } as const
  const [moved] = await bookSuspense(tx, [item])
  assert(moved !== undefined, 'money is assigned once')
  return moved
}

async function lockUndecided(tx: Tx, suspenseId: string): Promise<Suspense> {
  const found = await lockSuspense(tx, ownerOf(suspenseId), suspenseId)
  if (found === undefined) throw unknown(suspenseId)
  if (found.state !== 'held') throw new OperatorRefusal(`${suspenseId} was ${found.state} before`)
  return found
}

async function bookOut(tx: Tx, found: Suspense, state: 'returned' | 'assigned', at: Date): Promise<Suspense> {
  const { merNo, suspenseId, money } = found
  await decideSuspense(tx, merNo, [suspenseId], state, at)
  const step = steps.returned(suspenseId)
  const credit = channelAccount(found.channel)
  await postEntries(tx, [{ merNo, subject: subjectOf(found), step, debit: SUSPENSE, credit, money, at }])
  return { ...found, state, decidedAt: at }
}

function ownerOf(suspenseId: string): number {
  const merNo = suspenseId.startsWith('S') ? merNoOf(suspenseId) : undefined
  if (merNo === undefined) throw unknown(suspenseId)
  return merNo
}

function unknown(suspenseId: string): OperatorRefusal {
  return new OperatorRefusal(`there is no money in suspense under ${suspenseId}`)
}
