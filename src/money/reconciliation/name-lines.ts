import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { findByReference } from '../order-queries/search/find-by-reference.ts'
import { attemptOf } from '../orders/order.ts'
import { findDepositAttempts } from '../payments/deposits/store-deposits.ts'
import { selectByIds } from './listed-sql.ts'
import type { PaymentLine, StoredLine } from './match-lines.ts'
import type { StatementLine } from './statement-line.ts'

const PIECE = 500

/**
 * Replaces the channel's reference of a deposit or an attempt by our reference of the attempt, and the reference of a
 * reversal by the reference of the line with its id.
 */
export async function withOurReferences(
  db: Db,
  channel: string,
  lines: readonly StatementLine[],
): Promise<PaymentLine[]> {
  const payments = lines.filter(isPayment)
  const names = await inSlices(
    payments.filter(({ reference }) => !attemptOf(reference)),
    (slice) =>
      findDepositAttempts(
        db,
        channel,
        slice.map(({ reference }) => reference),
      ),
  )
  const deposits = new Map(names)
  const unknown = payments.filter(({ reference }) => !attemptOf(reference) && !deposits.has(reference))
  const others = await inSlices(unknown, (slice) =>
    findByReference(db, channel, [...new Set(slice.map(({ reference }) => reference))]),
  )
  const reversed = payments.flatMap(({ id, money }) =>
    id !== undefined && money.amount < 0n ? [{ channel, id }] : [],
  )
  const stored = await inSlices(reversed, async (slice) => {
    const found = (await selectByIds(db, slice)).filter(({ money }) => money.amount > 0n)
    return found.map((line) => [line.id ?? '', line] as const)
  })
  const [attempts, known] = [new Map([...names, ...others]), new Map(stored)]
  const own = (reference: string) => ({
    reference: attempts.get(reference) ?? reference,
    listedAs: reference,
  })
  const here = new Map(
    payments.flatMap(({ id, money, reference }) =>
      id !== undefined && money.amount > 0n ? [[id, own(reference)]] : [],
    ),
  )
  return lines.map((line) => {
    const { id = '', reference, money } = line
    if (!isPayment(line)) return { ...line, channel, listedAs: reference }
    const origin = money.amount < 0n ? (here.get(id) ?? ownerOf(known.get(id))) : undefined
    return { ...line, channel, ...(origin ? { ...origin, hasIdOfOrigin: true } : own(reference)) }
  })
}

/**
 * Refuses an id that occurs twice, because a later statement with this id could mean either line. Only reversals may
 * repeat an id: several reversals may have the id of the line that they take back.
 */
export function refuseRepeatedIds(lines: readonly PaymentLine[]): void {
  const seen = new Set<string>()
  for (const { line, type, id, money, hasIdOfOrigin } of lines) {
    const isReversal = money.amount < 0n && (hasIdOfOrigin === true || type !== 'payment')
    if (id === undefined || isReversal) continue
    const key = `${type} ${money.amount > 0n} ${id}`
    if (seen.has(key)) throw new OperatorRefusal(`line ${line}: an earlier line has the id ${id}`)
    seen.add(key)
  }
}

function ownerOf(stored: StoredLine | undefined): { reference: string; listedAs: string } | undefined {
  if (stored === undefined) return undefined
  const listedAs = stored.listedAs ?? stored.attempt ?? ''
  return { reference: stored.attempt ?? listedAs, listedAs }
}

async function inSlices<Item, Result>(
  items: readonly Item[],
  find: (slice: readonly Item[]) => Promise<Iterable<Result>>,
): Promise<Result[]> {
  const found: Result[] = []
  for (let start = 0; start < items.length; start += PIECE)
    found.push(...(await find(items.slice(start, start + PIECE))))
  return found
}

export function isPayment({ type }: Pick<StatementLine, 'type'>): boolean {
  return type === 'payment'
}
