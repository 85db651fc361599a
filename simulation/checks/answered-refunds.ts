// Compares the merchants' refunds with the gateway's tables.
import { parseDecimal } from '../../src/platform/base/money.ts'
import type { Check, Finding } from '../check.ts'
import type { SentRefund } from '../witness.ts'
import type { World } from '../world/world.ts'
import { acceptedData, saysRefused, textsOf } from './answers.ts'

type RefundRow = {
  readonly mer_no: bigint
  readonly refund_no: string
  readonly mer_refund_no: string | null
  readonly mer_order_no: string
  readonly currency: string
  readonly amount: bigint
  readonly state: string
  readonly version: number
  readonly events: number
  readonly taken: number
  readonly paid_out: number
  readonly returned: number
  readonly came_back: number
}

export const answeredRefunds: Check = {
  name: 'accepted refunds are booked once',
  promise: 'Each accepted refund exists once and took its money once; no refused refund exists.',
  async run(world) {
    const rows = await readRefunds(world)
    const byNumber = new Map(rows.map((row) => [`${row.mer_no} ${row.mer_refund_no}`, row]))
    const findings: Finding[] = []
    for (const refund of world.witness.refunds.values()) {
      const row = byNumber.get(`${refund.order.shop.merNo} ${refund.number}`)
      const about = refund.order.number
      for (const what of complaintsOf(refund, row))
        findings.push({ what: `refund ${refund.number} ${what}`, about, rows: row })
    }
    for (const row of rows)
      for (const what of rowComplaints(row))
        findings.push({ what: `refund ${row.refund_no} ${what}`, about: row.mer_order_no, rows: row })
    return { compared: world.witness.refunds.size + rows.length, findings }
  },
}

function complaintsOf({ answers, amount }: SentRefund, row: RefundRow | undefined): string[] {
  const data = acceptedData(answers)
  if (data.length === 0)
    return row !== undefined && answers.length > 0 && answers.every(saysRefused)
      ? ['was refused by every answer, and exists']
      : []
  if (row === undefined) return ['was accepted and does not exist']
  const refundNos = textsOf(data, 'refundNo')
  return [
    ...(refundNos.size > 1 ? [`has several numbers: ${[...refundNos].join(', ')}`] : []),
    ...(refundNos.size > 0 && !refundNos.has(row.refund_no) ? ['was answered with another number'] : []),
    ...(row.amount === parseDecimal(amount, row.currency) ? [] : [`has ${row.amount}, not ${amount}`]),
  ]
}

function rowComplaints(row: RefundRow): string[] {
  const [failed, cameBack] = [row.state === 'failed', row.state === 'returned']
  const succeeded = row.state === 'succeeded' || cameBack
  return [
    ...(row.taken === 1 ? [] : [`took its money ${row.taken} times`]),
    ...(row.came_back === Number(cameBack) ? [] : [`${row.state}, came back ${row.came_back} times`]),
    ...(row.paid_out === Number(succeeded) ? [] : [`${row.state}, was paid out ${row.paid_out} times`]),
    ...(row.returned === Number(failed) ? [] : [`${row.state}, was given back ${row.returned} times`]),
    ...(row.events === row.version - 1 ? [] : ['has a change of state without a row of history']),
  ]
}

async function readRefunds({ db, shops }: World): Promise<RefundRow[]> {
  return await db.query<RefundRow>({
    text: `
      select r.mer_no, r.refund_no, r.mer_refund_no, r.mer_order_no, r.currency, r.amount, r.state, r.version,
        (select count(*) from refund_events h where h.mer_no = r.mer_no and h.refund_no = r.refund_no)::int as events,
        count(*) filter (where e.step = 'refund:' || r.refund_no)::int as taken,
        count(*) filter (where e.step = 'refund-paid:' || r.refund_no)::int as paid_out,
        count(*) filter (where e.step = 'refund-failed:' || r.refund_no)::int as returned,
        count(*) filter (where e.step = 'refund-returned:' || r.refund_no)::int as came_back
      from refunds r left join ledger_entries e on e.mer_no = r.mer_no and e.subject = r.trade_no
        and e.amount = r.amount and e.currency = r.currency
      where r.mer_no = any ($1::bigint[])
      group by r.mer_no, r.refund_no`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
