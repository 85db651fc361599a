// Compares payments with the counterparties' books, reference by reference and to the minor unit, in both directions.
import { attemptOf, attemptReference } from '../../src/money/orders/order.ts'
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
  readonly asks: number
  /**
   * True if an operator assigned unmatched money to the order. In the counterparty's book, this money does not name the
   * order.
   */
  readonly has_stray: boolean
}

type MoneyRow = {
  readonly trade_no: string
  readonly mer_order_no: string
  readonly currency: string
  readonly amount: bigint
  /** The received amount that the merchant sees, in the order's currency; null for money in another currency. */
  readonly received: bigint | null
}

export const paymentsAgree: Check = {
  name: "payments agree with the counterparties' books",
  promise:
    'Each payment that a counterparty took is booked here with its amount, nothing else is booked, and merchants are not notified of more.',
  async run(world) {
    const books = readCounterpartyBooks(world.dataDir)
    const attempts = await readAttempts(world)
    const money = await readMoney(world)
    return {
      compared: attempts.size + books.charges.length + money.length,
      findings: [...compareAttempts(world, attempts, books), ...compareMoney(attempts, money, books)],
    }
  },
}

function compareAttempts(
  { witness }: World,
  attempts: ReadonlyMap<string, AttemptRow>,
  { charges }: CounterpartyBooks,
): Finding[] {
  const findings: Finding[] = []
  const byReference = Map.groupBy(charges, ({ reference }) => reference)
  for (const charge of charges) {
    const attempt = attempts.get(charge.reference)
    const what = attempt === undefined ? 'no attempt has this reference' : complaintOf(attempt, charge)
    // A difference is not an error if a worker called again after an operator had looked into the counterparty's book.
    const seen = witness.decidedByHand.get(charge.reference)
    if (what !== undefined && (seen === undefined || seen === attempt?.asks))
      findings.push({ what, about: attempt?.mer_order_no ?? charge.reference, rows: { attempt, charge } })
  }
  for (const [reference, attempt] of attempts) {
    const taken = (byReference.get(reference) ?? []).some(({ received }) => received > 0n)
    if (attempt.state === 'succeeded' && !taken && !attempt.has_stray)
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
      // A payment that failed here must no longer be payable at the counterparty.
      return state === 'failed' ? `${there}, failed here` : undefined
    case 'paid':
      return state === 'succeeded' || attempt.in_suspense ? undefined : `${there}, ${state} here`
    case 'declined':
    case 'cancelled':
      if (maySwitchAgain(attempt, charge)) return undefined
      // An operator may accept unmatched money for an order whose own charge has ended.
      if (state === 'succeeded' && attempt.has_stray) return undefined
      return state === 'failed' || charge.received > 0n ? undefined : `${there}, ${state} here`
  }
}

/**
 * True if a payer may have chosen another method and the response to the cancellation was lost: the counterparty has
 * cancelled the charge, and the attempt is still pending here. The payment page then still offers the choice.
 */
export function maySwitchAgain(
  attempt: Pick<AttemptRow, 'state' | 'is_hosted'>,
  { status }: TheirCharge,
): boolean {
  return status === 'cancelled' && attempt.state === 'pending' && attempt.is_hosted
}

/** Compares, by order, the money in the counterparties' books with our booked money and waiting deposits. */
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
      select a.trade_no, a.attempt_no, o.mer_order_no, a.channel, a.state, a.asks,
        exists (select from suspense s where s.mer_no = a.mer_no and s.trade_no = a.trade_no
          and s.attempt_no = a.attempt_no and s.line_no is not null) as has_stray,
        exists (select from suspense s where s.mer_no = a.mer_no and s.trade_no = a.trade_no
          and s.attempt_no = a.attempt_no and s.state <> 'withdrawn') as in_suspense,
        exists (select from hosted_orders h where h.mer_no = a.mer_no and h.trade_no = a.trade_no) as is_hosted
      from attempts a join orders o using (mer_no, trade_no)
      where a.mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
  return new Map(rows.map((row) => [attemptReference(row.trade_no, row.attempt_no), row]))
}

/**
 * Reads our money by order and currency. Leaves out money from won chargebacks, unmatched money from lines of
 * statements, and withdrawn suspense.
 */
async function readMoney({ db, shops }: World): Promise<MoneyRow[]> {
  return await db.query<MoneyRow>({
    text: `
      select trade_no, o.mer_order_no, money.currency, sum(money.amount)::bigint as amount,
        max(o.received) filter (where money.currency = o.currency and not exists (select from suspense s
          where s.mer_no = o.mer_no and s.trade_no = o.trade_no and s.line_no is not null)) as received
      from (
        select mer_no, subject as trade_no, currency, amount from ledger_entries e
        where debit like 'rail:%' and (step in ('payment', 'review') or step like 'suspense:%')
          and not exists (select from suspense s where s.mer_no = e.mer_no and (s.state = 'withdrawn' or s.line_no is not null)
            and e.step = 'suspense:' || s.suspense_id)
        union all
        select mer_no, trade_no, currency, amount from deposits where state = 'waiting'
      ) money join orders o using (mer_no, trade_no)
      where mer_no = any ($1::bigint[])
      group by trade_no, o.mer_order_no, money.currency`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
