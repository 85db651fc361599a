// Releases money from suspense: an operator decides where the money goes, or the channel no longer lists the money.
// Each row is locked before its money moves, so a row is decided once.
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import type { Money } from '../../platform/base/money.ts'
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { channelAccount, SUSPENSE } from '../ledger/account.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { bookSuspense, toSuspense } from './book-suspense.ts'
import { decideSuspense, insertSuspense, lockHeld, lockOfLines, lockSuspense, selectSuspense } from './sql.ts'
import { ASSIGNED, type AttemptKey, type Suspense, type SuspenseCause, steps, subjectOf } from './suspense.ts'

/** `db` may be an open transaction. */
export type DecideDeps = { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock }

export async function requireSuspense(db: Queryable, suspenseId: string): Promise<Suspense> {
  const found = await selectSuspense(db, ownerOf(suspenseId), suspenseId)
  if (found === undefined) throw unknown(suspenseId)
  return found
}

export type OfAttempt = Suspense & { readonly tradeNo: string; readonly attemptNo: number }

/**
 * Accepts all open rows of the attempt in the currency of the price. The caller has locked the order. The amount above
 * the price stays in suspense.
 */
export async function takeHeld(
  tx: Tx,
  found: OfAttempt,
  price: Money,
  at: Date,
): Promise<{ readonly held: readonly Suspense[]; readonly surplus: Suspense | undefined }> {
  const { merNo, suspenseId } = found
  // The row is read again under its lock, because an operator may have returned the money while the caller waited for
  // the order.
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

/** Inserts a row for the amount above the price. Books nothing, because that money is already in suspense. */
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

/** Books the money back to the channel. No channel is called: the operator informs the channel. */
export function returnSuspense(deps: DecideDeps, suspenseId: string): Promise<Suspense> {
  return deps.db.transaction(async (tx) => {
    const found = await lockUndecided(tx, suspenseId)
    const at = deps.clock.now()
    await bookOut(tx, [found], 'returned', at)
    return { ...found, state: 'returned', decidedAt: at }
  })
}

/**
 * Moves money of no known order to an order: the old row is booked out, and a new row of the order holds the money. The
 * caller has locked the order. The new row has the origin `statement`, so the money is not booked again when the
 * channel reports it.
 */
export async function moveToOrder(
  tx: Tx,
  suspenseId: string,
  { attempt, why, at }: { readonly attempt: AttemptKey; readonly why: SuspenseCause; readonly at: Date },
): Promise<Suspense> {
  const found = await lockUndecided(tx, suspenseId)
  if (found.tradeNo !== undefined)
    throw new OperatorRefusal(`${suspenseId} belongs to order ${found.tradeNo} already`)
  await bookOut(tx, [found], 'assigned', at)
  const { channel, money, lineNo } = found
  const reference = `${ASSIGNED}${suspenseId}`
  const item = {
    merNo: attempt.merNo,
    channel,
    reference,
    attempt,
    origin: 'statement',
    lineNo,
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

/** Locks the suspense rows of these statement lines, decided or not, except withdrawn rows. */
export function lockRowsOfLines(tx: Tx, lineNos: readonly string[]): Promise<Suspense[]> {
  return lineNos.length === 0 ? Promise.resolve([]) : lockOfLines(tx, lineNos)
}

/** Locks the rows of an attempt that wait for an operator. The caller has locked the order. */
export function lockRowsOfAttempt(tx: Tx, attempt: AttemptKey, currency: string): Promise<Suspense[]> {
  return lockHeld(tx, attempt, currency)
}

export type Withdrawal = { readonly rows: readonly Suspense[]; readonly rest: bigint }

/**
 * Pure: chooses the held rows from which an amount is withdrawn, beginning with the last row. `rest` is the amount by
 * which the chosen rows exceed the withdrawn amount.
 */
export function chooseWithdrawn(held: readonly Suspense[], amount: bigint): Withdrawal {
  const rows: Suspense[] = []
  let taken = 0n
  for (const row of held.toReversed()) {
    if (taken >= amount) break
    rows.push(row)
    taken += row.money.amount
  }
  return { rows, rest: taken > amount ? taken - amount : 0n }
}

/**
 * Books out money that its channel took back or no longer lists. The caller has locked the rows. The amount of a row
 * never changes, so `rest` is booked again in a new row.
 */
export async function withdrawSuspense(tx: Tx, { rows, rest }: Withdrawal, at: Date): Promise<void> {
  await bookOut(tx, rows, 'withdrawn', at)
  const last = rows.at(-1)
  if (last === undefined || rest === 0n) return
  const { merNo, channel, reference, tradeNo, attemptNo, lineNo, money, why } = last
  const attempt = tradeNo === undefined || attemptNo === undefined ? {} : { attempt: { tradeNo, attemptNo } }
  const item = { merNo, channel, reference, ...attempt, lineNo, why, at }
  await bookSuspense(tx, [
    { ...item, origin: 'statement', money: { amount: rest, currency: money.currency } },
  ])
}

async function bookOut(
  tx: Tx,
  rows: readonly Suspense[],
  state: 'returned' | 'assigned' | 'withdrawn',
  at: Date,
): Promise<void> {
  for (const [merNo, own] of Map.groupBy(rows, (row) => row.merNo)) {
    const ids = own.map(({ suspenseId }) => suspenseId)
    await decideSuspense(tx, merNo, ids, state, at)
  }
  await postEntries(
    tx,
    rows.map((row) => {
      const { merNo, suspenseId, channel, money } = row
      const step = steps.returned(suspenseId)
      return {
        merNo,
        subject: subjectOf(row),
        step,
        debit: SUSPENSE,
        credit: channelAccount(channel),
        money,
        at,
      }
    }),
  )
}

function ownerOf(suspenseId: string): number {
  const merNo = suspenseId.startsWith('S') ? merNoOf(suspenseId) : undefined
  if (merNo === undefined) throw unknown(suspenseId)
  return merNo
}

function unknown(suspenseId: string): OperatorRefusal {
  return new OperatorRefusal(`there is no money in suspense under ${suspenseId}`)
}
