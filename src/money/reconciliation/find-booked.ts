// Sums of what was booked from the channel for the attempts on statements: payments, suspense and deposits.
import { railDebits } from '../ledger/rail-debits.ts'
import { type AttemptKey, attemptReference } from '../orders/order.ts'
import { type DepositSum, sumDeposits } from '../payments/deposits/find-deposits.ts'
import type { Tx } from '../postgres/db.ts'
import { type SuspenseSum, sumByAttempt } from '../suspense/sum-by-attempt.ts'
import type { Booked } from './compare-listed.ts'
import { selectSucceeded } from './listed-sql.ts'

export type BookedFor = Booked & {
  readonly reference: string
  readonly currency: string
  /** The number of rows of suspense that come from statements. */
  readonly statementRows: number
}

/** One for each attempt and currency with any money. */
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
  const booked = paid + (suspense?.booked ?? 0n)
  const surplus = atLeastZero((deposits?.taken ?? 0n) - paid)
  // If a statement listed a deposit before the channel reported it, it was booked once, as the statement's.
  const confirmed = atLeastZero((deposits?.inSuspense ?? 0n) + surplus - (suspense?.fromChannel ?? 0n))
  const unconfirmed = atLeastZero((suspense?.heldFromStatement ?? 0n) - confirmed)
  return {
    ...place,
    booked,
    known: booked - unconfirmed,
    deposits: deposits?.amounts ?? [],
    statementRows: suspense?.statementRows ?? 0,
  }
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
