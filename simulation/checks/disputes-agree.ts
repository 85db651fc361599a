// Compares the disputes of the card issuer with the chargebacks.
import { attemptOf } from '../../src/money/orders/order.ts'
import type { Check, Finding } from '../check.ts'
import { readCounterpartyBooks, type TheirDispute } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type DisputeRow = {
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly result: string
  /** The number of chargebacks that name this dispute. */
  readonly chargebacks: number
  /** The sum of the chargebacks that name this dispute. */
  readonly charged_back: bigint
}

export const disputesAgree: Check = {
  name: "chargebacks agree with the issuer's disputes",
  promise:
    'Each dispute of the issuer was processed once, and opened one chargeback at most, over its own amount.',
  async run(world) {
    const now = Date.now()
    const due = readCounterpartyBooks(world.dataDir).disputes.filter(({ dueAt }) => dueAt <= now)
    const rows = Map.groupBy(await readDisputes(world), ({ reference }) => reference)
    const findings: Finding[] = []
    for (const dispute of due) {
      const { reference } = dispute
      // A dispute without a row is accepted, because it became due only after the gateway had read all disputes that
      // were due.
      const own = rows.get(reference) ?? []
      const about = attemptOf(reference)?.tradeNo ?? reference
      if (own.length > 1) findings.push({ what: 'a dispute was stored twice', about, rows: own })
      for (const row of own) {
        const what = complaintOf(dispute, row)
        if (what !== undefined) findings.push({ what, about, rows: { dispute, row } })
      }
    }
    const known = new Set(due.map(({ reference }) => reference))
    for (const [reference, own] of rows)
      if (!known.has(reference))
        findings.push({ what: 'the issuer knows no such dispute', about: reference, rows: own })
    return { compared: due.length + rows.size, findings }
  },
}

function complaintOf({ amount, currency }: TheirDispute, row: DisputeRow): string | undefined {
  if (row.amount !== amount || row.currency !== currency) return 'a dispute was stored with another amount'
  if (row.chargebacks > 1) return 'a dispute opened two chargebacks'
  if (row.chargebacks === 1 && row.charged_back !== amount) return 'a chargeback is not over what is disputed'
  return undefined
}

async function readDisputes({ db }: World): Promise<DisputeRow[]> {
  return await db.query<DisputeRow>({
    text: `
      select d.reference, d.amount, d.currency, d.result, count(c.chargeback_id)::int as chargebacks,
        coalesce(sum(c.amount), 0)::bigint as charged_back
      from channel_disputes d left join chargebacks c on c.dispute_ref = d.dispute_ref
      where d.channel = 'card'
      group by d.channel, d.dispute_ref, d.stage, d.told_at`,
  })
}
