// Compares accepted refunds with chargebacks: an order that the merchant saw as disputed must not be refunded.
import type { Check, Finding } from '../check.ts'
import type { World } from '../world/world.ts'
import { acceptedData } from './answers.ts'

type Row = { readonly mer_refund_no: string; readonly mer_no: bigint; readonly won: number }

export const refundsByState: Check = {
  name: 'no refund of a disputed order',
  promise:
    'A refund that was sent after its order was seen as disputed is refused, unless the merchant won the dispute.',
  async run(world) {
    const tried = [...world.witness.refunds.values()].filter(({ wasDisputed }) => wasDisputed)
    const rows = new Map((await readRefunds(world)).map((row) => [`${row.mer_no} ${row.mer_refund_no}`, row]))
    const findings = tried.flatMap((refund): Finding[] => {
      const row = rows.get(`${refund.order.shop.merNo} ${refund.number}`)
      if (row === undefined || row.won > 0 || acceptedData(refund.answers).length === 0) return []
      const what = `refund ${refund.number} of a disputed order was accepted`
      return [{ what, about: refund.order.number, rows: { row, answers: refund.answers } }]
    })
    return { compared: tried.length, findings }
  },
}

async function readRefunds({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      select r.mer_no, r.mer_refund_no,
        (select count(*) from chargebacks c where c.mer_no = r.mer_no and c.trade_no = r.trade_no and c.state = 'won')::int as won
      from refunds r where r.mer_no = any ($1::bigint[]) and r.mer_refund_no is not null`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
