// Finds the sums that are booked from the channel for the attempts on a statement: payments, suspense and deposits.

import type { Tx } from '../../platform/postgres/db.ts'
import { railDebits } from '../ledger/read-balances.ts'
import { type AttemptKey, attemptReference } from '../orders/order.ts'
import { type DepositSum, sumDeposits } from '../payments/deposits/store-deposits.ts'
import { type SuspenseSum, sumByAttempt } from '../suspense/book-suspense.ts'
import type { Booked } from './compare-lines.ts'
import { selectSucceeded } from './listed-sql.ts'

export type BookedFor = Booked & {
  readonly reference: string
  readonly currency: string
}

/** Returns the booked sums: one row for each attempt and currency in which money is booked. */
export async function findBooked(tx: Tx, attempts: readonly AttemptKey[]): Promise<BookedFor[]> {
  const paid = await paidByAttempt(tx, attempts)
  const suspense = byCurrency(await sumByAttempt(tx, attempts))
  const deposits = byCurrency(await sumDeposits(tx, attempts))
  const places = new Map([...paid, ...suspense, ...deposits].map(([name, { place }]) => [name, place]))
  return [...places].map(([name, place]) =>
    add(place, paid.get(name)?.amount ?? 0n, suspense.get(name)?.sum, deposits.get(name)?.sum),
  )
}

type Place = { readonly reference: string; readonly currency: string }

async function paidByAttempt(
  tx: Tx,
  attempts: readonly AttemptKey[],
): Promise<Map<string, { readonly place: Place; readonly amount: bigint }>> {
  const succeeded = await selectSucceeded(tx, attempts)
  const references = new Map(
    succeeded.map((one) => [one.tradeNo, attemptReference(one.tradeNo, one.attemptNo)]),
  )
  const debits = await railDebits(
    tx,
    succeeded.map(({ merNo, tradeNo }) => ({ merNo, subject: tradeNo })),
  )
  return new Map(
    debits.map(({ subject, currency, amount }) => {
      const place = { reference: references.get(subject) ?? '', currency }
      return [nameOf(place), { place, amount }]
    }),
  )
}

function byCurrency<Sum extends Pick<SuspenseSum, 'tradeNo' | 'attemptNo' | 'currency'>>(
  sums: readonly Sum[],
): Map<string, { readonly place: Place; readonly sum: Sum }> {
  return new Map(
    sums.map((sum) => {
      const place = { reference: attemptReference(sum.tradeNo, sum.attemptNo), currency: sum.currency }
      return [nameOf(place), { place, sum }]
    }),
  )
}

function nameOf({ reference, currency }: Place): string {
  return `${reference} ${currency}`
}

function add(
  place: Place,
  paid: bigint,
  suspense: SuspenseSum | undefined,
  deposits: DepositSum | undefined,
): BookedFor {
  const booked = paid + (suspense?.booked ?? 0n) - (suspense?.assigned ?? 0n)
  const surplus = atLeastZero((deposits?.taken ?? 0n) - paid)
  // If a statement lists a deposit before the channel reports it, the deposit is booked once, with origin `statement`.
  const confirmed = atLeastZero((deposits?.inSuspense ?? 0n) + surplus - (suspense?.fromChannel ?? 0n))
  const waiting = atLeastZero((suspense?.heldFromStatement ?? 0n) - confirmed)
  const ownLines = suspense?.heldFromOwnLines ?? 0n
  const unconfirmed = ownLines < waiting ? ownLines : waiting
  return {
    ...place,
    booked,
    known: booked - unconfirmed,
    unconfirmed,
    heldReported: (suspense?.heldFromChannel ?? 0n) + ownLines - unconfirmed,
    reversed: deposits?.withdrawn ?? 0n,
    deposits: deposits?.amounts ?? [],
  }
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
