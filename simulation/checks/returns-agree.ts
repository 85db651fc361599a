// Compares returned money with the banks' reports: refunds that payers' banks returned, and payouts that beneficiaries'
// banks returned.
import type { Check, Finding } from '../check.ts'
import { readCounterpartyBooks } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type RefundRow = {
  readonly refund_no: string
  readonly mer_order_no: string
  readonly state: string
  readonly amount: bigint
  readonly returned_amount: bigint | null
  readonly cost: bigint
  readonly held: bigint
}

type PayoutRow = {
  readonly reference: string
  readonly mer_order_no: string
  readonly state: string
  readonly amount: bigint
  readonly currency: string
  readonly fee: bigint
  readonly funding_currency: string
  readonly funding_amount: bigint
  readonly funding_rate: string | null
  /** The sum that left the available balance, less the sum that was given back. */
  readonly taken: bigint
  /** The platform's fees, less the fees that were given back. */
  readonly earned: bigint
}

export const returnsAgree: Check = {
  name: 'what came back agrees with the banks',
  promise:
    'Money that a bank returned is credited once and as far as it arrived; the fees stay; nothing else came back.',
  async run(world) {
    const refunds = await compareRefunds(world)
    const payouts = await comparePayouts(world)
    return {
      compared: refunds.compared + payouts.compared,
      findings: [...refunds.findings, ...payouts.findings],
    }
  },
}

type Compared = { readonly compared: number; readonly findings: readonly Finding[] }

async function compareRefunds(world: World): Promise<Compared> {
  const { returnedRefunds } = world.witness
  const rows = await readRefunds(world)
  const findings = rows.flatMap((row): Finding[] => {
    const report = returnedRefunds.get(`B${row.refund_no.slice(1)}`)
    const isReturned = report?.isAcknowledged === true
    const arrived = isReturned ? (report.amount ?? row.amount) : 0n
    const credited = arrived < row.amount ? arrived : row.amount
    const cost = isReturned ? row.amount - credited : 0n
    const held = isReturned ? arrived - credited : 0n
    const isRight = (row.state === 'returned') === isReturned && row.cost === cost && row.held === held
    if (isRight) return []
    const what = `refund ${row.refund_no} is ${row.state}, cost ${row.cost}, held ${row.held}; expected cost ${cost}, held ${held}`
    return [{ what, about: row.mer_order_no, rows: { row, report } }]
  })
  return { compared: rows.length, findings }
}

async function comparePayouts(world: World): Promise<Compared> {
  const theirs = new Map(
    readCounterpartyBooks(world.dataDir).payouts.map((one) => [one.reference, one.returned]),
  )
  const rows = await readPayouts(world)
  const findings = rows.flatMap((row): Finding[] => {
    const returned = theirs.get(row.reference)
    if ((row.state === 'returned') !== (returned !== undefined))
      return [
        {
          what: `payout ${row.reference} is ${row.state}, there ${returned} came back`,
          about: row.mer_order_no,
          rows: row,
        },
      ]
    const back = returned === undefined ? 0n : worthOf(row, returned)
    const owed = row.state === 'failed' ? 0n : row.funding_amount - back
    const fee = row.state === 'succeeded' || row.state === 'returned' ? row.fee : 0n
    if (row.taken === owed && row.earned === fee) return []
    const what = `payout ${row.reference} took ${row.taken} and a fee of ${row.earned}, expected ${owed} and ${fee}`
    return [{ what, about: row.mer_order_no, rows: { row, returned } }]
  })
  return { compared: rows.length, findings }
}

const scales: Readonly<Record<string, bigint>> = { JPY: 1n, VND: 1n }

/** Converts the returned amount to the currency that paid for the payout, at the payout's own rate and rounded down. */
function worthOf(
  { currency, funding_currency: other, funding_rate: rate }: PayoutRow,
  amount: bigint,
): bigint {
  if (rate === null) return amount
  const [units = '', decimals = ''] = rate.split('.')
  const scale = (name: string) => scales[name] ?? 100n
  return (
    (amount * BigInt(units + decimals) * scale(other)) / (10n ** BigInt(decimals.length) * scale(currency))
  )
}

async function readRefunds({ db, shops }: World): Promise<RefundRow[]> {
  return await db.query<RefundRow>({
    text: `
      select r.refund_no, r.mer_order_no, r.state, r.amount, r.returned_amount,
        coalesce((select sum(e.amount) from ledger_entries e where e.mer_no = r.mer_no and e.subject = r.trade_no
          and e.step = 'return-cost:' || r.refund_no), 0)::bigint as cost,
        coalesce((select sum(s.amount) from suspense s where s.mer_no = r.mer_no and s.channel = r.channel
          and s.reference = 'B' || substr(r.refund_no, 2)), 0)::bigint as held
      from refunds r where r.mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}

async function readPayouts({ db, shops }: World): Promise<PayoutRow[]> {
  return await db.query<PayoutRow>({
    text: `
      select p.reference, o.mer_order_no, p.state, o.amount, o.currency, p.fee, p.funding_currency, p.funding_amount,
        p.funding_rate::text as funding_rate,
        coalesce(sum(case e.debit when 'merchant:available' then e.amount else 0 end
          - case e.credit when 'merchant:available' then e.amount else 0 end), 0)::bigint as taken,
        coalesce(sum(case e.credit when 'platform:fees' then e.amount else 0 end
          - case e.debit when 'platform:fees' then e.amount else 0 end), 0)::bigint as earned
      from payouts p join orders o using (mer_no, trade_no)
        left join ledger_entries e on e.mer_no = p.mer_no and e.subject = p.trade_no
      where p.mer_no = any ($1::bigint[])
      group by p.mer_no, p.trade_no, o.mer_no, o.trade_no`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
