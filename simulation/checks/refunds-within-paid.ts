// Checks that no order gives back more than it took, in our tables and at the counterparties.
import { attemptOf } from '../../src/money/orders/order.ts'
import type { Check, Finding } from '../check.ts'
import { readCounterpartyBooks } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type GivenBack = {
  readonly trade_no: string
  readonly mer_order_no: string
  readonly paid: bigint
  readonly refunded: bigint
  readonly charged_back: bigint
}

export const refundsWithinPaid: Check = {
  name: 'refunds and chargebacks within the amount paid',
  promise: 'The refunds of an order never exceed what was paid, and neither do its chargebacks.',
  async run(world) {
    const rows = await readGivenBack(world)
    const own = rows.flatMap((row): Finding[] =>
      row.refunded > row.paid || row.charged_back > row.paid
        ? [{ what: 'gave back more than was paid', about: row.mer_order_no, rows: row }]
        : [],
    )
    const theirs = compareBooks(world)
    return { compared: rows.length + theirs.compared, findings: [...own, ...theirs.findings] }
  },
}

function compareBooks({ dataDir }: World): { readonly compared: number; readonly findings: Finding[] } {
  const { charges, refunds } = readCounterpartyBooks(dataDir)
  const received = new Map(
    charges.filter(({ takesMoney }) => takesMoney).map((one) => [one.reference, one.received]),
  )
  const paid = Map.groupBy(
    refunds.filter(({ succeeds }) => succeeds),
    ({ reference }) => reference,
  )
  const findings = [...paid].flatMap(([reference, own]): Finding[] => {
    const sum = own.reduce((total, { amount }) => total + amount, 0n)
    if (sum <= (received.get(reference) ?? 0n)) return []
    const about = attemptOf(reference)?.tradeNo ?? reference
    return [{ what: 'the counterparty gave back more than it took', about, rows: own }]
  })
  return { compared: paid.size, findings }
}

async function readGivenBack({ db, shops }: World): Promise<GivenBack[]> {
  return await db.query<GivenBack>({
    text: `
      select o.trade_no, o.mer_order_no, coalesce(e.amount, 0) as paid, coalesce(r.amount, 0)::bigint as refunded,
        coalesce(c.amount, 0)::bigint as charged_back
      from orders o
        left join ledger_entries e on e.mer_no = o.mer_no and e.subject = o.trade_no and e.step = 'payment'
        left join (
          select mer_no, trade_no, sum(amount) as amount from refunds where state not in ('failed', 'returned')
          group by mer_no, trade_no
        ) r on r.mer_no = o.mer_no and r.trade_no = o.trade_no
        left join (
          select mer_no, trade_no, sum(amount) as amount from chargebacks where state in ('open', 'lost')
          group by mer_no, trade_no
        ) c on c.mer_no = o.mer_no and c.trade_no = o.trade_no
      where o.mer_no = any ($1::bigint[]) and (r.amount is not null or c.amount is not null)`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
