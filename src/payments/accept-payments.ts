// Accepts payment orders, many in one transaction: takes their limits, inserts orders, details and first attempts.
//
// Invariants: an order number is used once for good (the unique constraint decides); a limit is never exceeded (its row is
// locked from the taking until the commit); what a refused order took is given back in the same transaction.
// Lock order: usage rows by (mer_no, method, period). New order rows wait on nobody: all accepts of a merchant meet on its usage rows.
import type { Db, Tx } from '../base/db.ts'
import { Refusal } from '../base/error.ts'
import type { LimitTaken, NewPayment } from './new-payment.ts'
import { insertPayments, numberKey, selectOrderNumbers } from './sql.ts'
import { returnUsage, takeUsage, type Usage, usageKey } from './usage.ts'

export type Accepted = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal }

const ACCEPTED: Accepted = { kind: 'accepted' }

export async function acceptPayments(db: Db, payments: readonly NewPayment[]): Promise<Accepted[]> {
  const { first, repeated } = splitRepeated(payments)
  const refused = await db.transaction((tx) => acceptDistinct(tx, first))
  const refusals = new Map([...refused, ...repeated.map((payment) => [payment, tooSoon()] as const)])
  return payments.map((payment) => {
    const refusal = refusals.get(payment)
    return refusal === undefined ? ACCEPTED : { kind: 'refused', refusal }
  })
}

/** The refusal of each payment that was not accepted. */
async function acceptDistinct(tx: Tx, payments: readonly NewPayment[]): Promise<Map<NewPayment, Refusal>> {
  const used = await takeUsage(tx, sumUsage(payments))
  const overLimit = await findOverLimit(tx, payments, used)
  const fitting = payments.filter((payment) => !overLimit.has(payment))
  const inserted = await insertPayments(tx, fitting)
  const duplicates = fitting.filter((payment) => !inserted.has(payment.tradeNo))
  const refused = new Map([...overLimit, ...(await refuseDuplicates(tx, duplicates))])
  if (refused.size > 0) await returnUsage(tx, sumUsage([...refused.keys()]))
  return refused
}

/** Two of one number in the same moment: the first counts. */
function splitRepeated(payments: readonly NewPayment[]): { first: NewPayment[]; repeated: NewPayment[] } {
  const seen = new Set<string>()
  const first: NewPayment[] = []
  const repeated: NewPayment[] = []
  for (const payment of payments) {
    const key = numberKey(payment)
    if (seen.has(key)) repeated.push(payment)
    else first.push(payment)
    seen.add(key)
  }
  return { first, repeated }
}

function sumUsage(payments: readonly NewPayment[]): Usage[] {
  const sums = new Map<string, Usage>()
  for (const payment of payments) {
    for (const limit of payment.limits) {
      const key = usageKey(limit)
      const before = sums.get(key)?.used ?? 0n
      const { merNo, method, period } = limit
      sums.set(key, { merNo, method, period, used: before + payment.usdValue })
    }
  }
  return [...sums.values()]
}

/**
 * The good path takes for all at once and looks at nothing more. Only when a limit came out exceeded are its payments
 * gone through one by one, leaving out the numbers used before: those take nothing.
 */
async function findOverLimit(
  tx: Tx,
  payments: readonly NewPayment[],
  used: ReadonlyMap<string, bigint>,
): Promise<Map<NewPayment, Refusal>> {
  const exceeded = (limit: LimitTaken) => (used.get(usageKey(limit)) ?? 0n) > limit.most
  if (!payments.some((payment) => payment.limits.some(exceeded))) return new Map()
  const free = new Map(used)
  for (const { merNo, method, period, used: taken } of sumUsage(payments)) {
    const key = usageKey({ merNo, method, period })
    free.set(key, (free.get(key) ?? 0n) - taken)
  }
  const known = await selectOrderNumbers(tx, payments)
  const refused = new Map<NewPayment, Refusal>()
  for (const payment of payments) {
    if (known.has(numberKey(payment))) continue
    const over = payment.limits.find(
      (limit) => (free.get(usageKey(limit)) ?? 0n) + payment.usdValue > limit.most,
    )
    if (over !== undefined) refused.set(payment, new Refusal(over.code))
    else
      for (const limit of payment.limits)
        free.set(usageKey(limit), (free.get(usageKey(limit)) ?? 0n) + payment.usdValue)
  }
  return refused
}

async function refuseDuplicates(
  tx: Tx,
  duplicates: readonly NewPayment[],
): Promise<Map<NewPayment, Refusal>> {
  if (duplicates.length === 0) return new Map()
  const known = await selectOrderNumbers(tx, duplicates)
  return new Map(
    duplicates.map((payment) => {
      const createdAt = known.get(numberKey(payment))
      return [payment, refuseDuplicate(createdAt ?? payment.createdAt, payment.createdAt)]
    }),
  )
}

const TOO_SOON_MS = 1000

/** 10003 within a second of the first, 10009 for good after that. */
export function refuseDuplicate(firstAt: Date, now: Date): Refusal {
  return now.getTime() - firstAt.getTime() < TOO_SOON_MS ? tooSoon() : new Refusal('10009')
}

function tooSoon(): Refusal {
  return new Refusal('10003')
}

/** What to answer when the number was used before; undefined when it is free. */
export async function findDuplicate(
  db: Db,
  merNo: number,
  merOrderNo: string,
  now: Date,
): Promise<Refusal | undefined> {
  const known = await selectOrderNumbers(db, [{ merNo, merOrderNo }])
  const firstAt = known.get(numberKey({ merNo, merOrderNo }))
  return firstAt === undefined ? undefined : refuseDuplicate(firstAt, now)
}
