// Compares payments with the counterparties' books, reference by reference and to the minor unit, in both directions.
import { attemptOf, attemptReference } from '../../src/orders/order.ts'
import type { Check, Finding } from '../check.ts'
import { type CounterpartyBooks, readCounterpartyBooks, type TheirCharge } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type AttemptRow = {
  readonly trade_no: string
  readonly attempt_no: number
  readonly mer_order_no: string
  readonly channel: string
  readonly state: string
  readonly in_suspense: boolean
  readonly is_hosted: boolean
}

type MoneyRow = {
  readonly trade_no: string
  readonly mer_order_no: string
  readonly currency: string
  readonly amount: bigint
  /** What merchants are told, in the currency of the order; null in another one. */
  readonly received: bigint | null
}

export const paymentsAgree: Check = {
  name: "payments agree with the counterparties' books",
  promise:
    'Each payment that a counterparty took is booked here with its amount, nothing else is booked, and merchants are not told of more.',
  async run(world) {
    const books = readCounterpartyBooks(world.dataDir)
    const attempts = await readAttempts(world)
    const money = await readMoney(world)
    return {
      compared: attempts.size + books.charges.length + money.length,
      findings: [...compareAttempts(attempts, books), ...compareMoney(attempts, money, books)],
    }
  },
}

function compareAttempts(
  attempts: ReadonlyMap<string, AttemptRow>,
  { charges }: CounterpartyBooks,
): Finding[] {
  const findings: Finding[] = []
  const byReference = Map.groupBy(charges, ({ reference }) => reference)
  for (const charge of charges) {
    const attempt = attempts.get(charge.reference)
    const what = attempt === undefined ? 'no attempt has this reference' : complaintOf(attempt, charge)
    if (what !== undefined)
      findings.push({ what, about: attempt?.mer_order_no ?? charge.reference, rows: { attempt, charge } })
  }
  for (const [reference, attempt] of attempts) {
    const taken = (byReference.get(reference) ?? []).some(({ received }) => received > 0n)
    if (attempt.state === 'succeeded' && !taken)
      findings.push({
        what: 'succeeded here, and no counterparty took the money',
        about: attempt.mer_order_no,
        rows: { attempt, charges: byReference.get(reference) },
      })
  }
  return findings
}

function complaintOf(attempt: AttemptRow, charge: TheirCharge): string | undefined {
  const { state } = attempt
  const there = `${charge.status} at ${charge.book}`
  if (state === 'calling' || state === 'unknown') return `${there}, still ${state} here`
  if (!charge.takesMoney) return undefined
  switch (charge.status) {
    case 'open':
      // A reference that failed here must not be payable there.
      return state === 'failed' ? `${there}, failed here` : undefined
    case 'paid':
      return state === 'succeeded' || attempt.in_suspense ? undefined : `${there}, ${state} here`
    case 'declined':
    case 'cancelled':
      if (maySwitchAgain(attempt, charge)) return undefined
      return state === 'failed' || charge.received > 0n ? undefined : `${there}, ${state} here`
  }
}

/** The response to a payer who wanted another method was lost. The page offers it again until the order's time is over. */
export function maySwitchAgain(
  attempt: Pick<AttemptRow, 'state' | 'is_hosted'>,
  { status }: TheirCharge,
): boolean {
  return status === 'cancelled' && attempt.state === 'pending' && attempt.is_hosted
}

/** By order: what all of its attempts brought there, and what is booked here or waits for the rest of its amount. */
function compareMoney(
  attempts: ReadonlyMap<string, AttemptRow>,
  money: readonly MoneyRow[],
  { charges }: CounterpartyBooks,
): Finding[] {
  const theirs = new Map<string, bigint>()
  for (const { reference, currency, received, takesMoney } of charges) {
    const tradeNo = attemptOf(reference)?.tradeNo
    if (tradeNo === undefined || !takesMoney || received === 0n || !attempts.has(reference)) continue
    const key = `${tradeNo} ${currency}`
    theirs.set(key, (theirs.get(key) ?? 0n) + received)
  }
  const ours = new Map(money.map((row) => [`${row.trade_no} ${row.currency}`, row]))
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((key): Finding[] => {
    const [booked, taken] = [ours.get(key)?.amount ?? 0n, theirs.get(key) ?? 0n]
    const told = ours.get(key)?.received ?? 0n
    if (booked === taken && told <= taken) return []
    const [tradeNo = ''] = key.split(' ')
    const about = ours.get(key)?.mer_order_no ?? tradeNo
    const references = charges.filter(({ reference }) => attemptOf(reference)?.tradeNo === tradeNo)
    const what = `${taken} came there, ${booked} is booked here, ${told} was told`
    return [{ what, about, rows: references }]
  })
}

async function readAttempts({ db, shops }: World): Promise<Map<string, AttemptRow>> {
  const rows = await db.query<AttemptRow>({
    text: `
      select a.trade_no, a.attempt_no, o.mer_order_no, a.channel, a.state,
        exists (select from suspense s where s.mer_no = a.mer_no and s.trade_no = a.trade_no
          and s.attempt_no = a.attempt_no) as in_suspense,
        exists (select from hosted_orders h where h.mer_no = a.mer_no and h.trade_no = a.trade_no) as is_hosted
      from attempts a join orders o using (mer_no, trade_no)
      where a.mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
  return new Map(rows.map((row) => [attemptReference(row.trade_no, row.attempt_no), row]))
}

/** What a chargeback gives back when it is won is not the payer's money. */
async function readMoney({ db, shops }: World): Promise<MoneyRow[]> {
  return await db.query<MoneyRow>({
    text: `
      select trade_no, o.mer_order_no, money.currency, sum(money.amount)::bigint as amount,
        max(o.received) filter (where money.currency = o.currency) as received
      from (
        select mer_no, subject as trade_no, currency, amount from ledger_entries
        where debit like 'rail:%' and (step in ('payment', 'review') or step like 'suspense:%')
        union all
        select mer_no, trade_no, currency, amount from deposits where state = 'waiting'
      ) money join orders o using (mer_no, trade_no)
      where mer_no = any ($1::bigint[])
      group by trade_no, o.mer_order_no, money.currency`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
