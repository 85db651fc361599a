// Compares the disputes of the card issuer with the chargebacks.
import { attemptOf } from '../../src/orders/order.ts'
import type { Check, Finding } from '../check.ts'
import { readCounterpartyBooks } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type DisputeRow = {
  readonly reference: string
  readonly result: string
  readonly chargebacks: number
}

export const disputesAgree: Check = {
  name: "chargebacks agree with the issuer's disputes",
  promise: 'Each dispute of the issuer was processed once, and opened one chargeback at most.',
  async run(world) {
    const now = Date.now()
    const due = readCounterpartyBooks(world.dataDir).disputes.filter(({ dueAt }) => dueAt <= now)
    const rows = Map.groupBy(await readDisputes(world), ({ reference }) => reference)
    const findings: Finding[] = []
    for (const { reference } of due) {
      const own = rows.get(reference) ?? []
      const about = attemptOf(reference)?.tradeNo ?? reference
      // Settling waits for disputes that are due; what is due since then is younger.
      if (own.length > 1) findings.push({ what: 'a dispute was stored twice', about, rows: own })
      for (const row of own)
        if (row.chargebacks > 1) findings.push({ what: 'a dispute opened two chargebacks', about, rows: row })
    }
    const known = new Set(due.map(({ reference }) => reference))
    for (const [reference, own] of rows)
      if (!known.has(reference))
        findings.push({ what: 'the issuer knows no such dispute', about: reference, rows: own })
    return { compared: due.length + rows.size, findings }
  },
}

async function readDisputes({ db }: World): Promise<DisputeRow[]> {
  return await db.query<DisputeRow>({
    text: `
      select d.reference, d.result,
        (select count(*) from chargebacks c where c.dispute_ref = d.dispute_ref)::int as chargebacks
      from channel_disputes d where d.channel = 'card'`,
  })
}
