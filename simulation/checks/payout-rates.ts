// Checks payouts that were paid from a balance in another currency: each payout's rate must be in the table of rates.
import type { Check } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = {
  readonly mer_order_no: string
  readonly currency: string
  readonly funding_currency: string
  readonly funding_rate: string | null
  readonly is_listed: boolean
  readonly is_right_amount: boolean
}

export const payoutRates: Check = {
  name: 'payouts have a rate of the table of their time',
  promise:
    'The rate of a payout leads from its own currency to the paying one, was in force, and explains the sum that was taken.',
  async run(world) {
    const rows = await readRates(world)
    const findings = rows
      .filter((row) => !row.is_listed || !row.is_right_amount)
      .map((row) => ({
        what: row.is_listed
          ? `the payout took another sum than its rate ${row.funding_rate} gives`
          : `the rate ${row.funding_rate} from ${row.currency} to ${row.funding_currency} was not in the table`,
        about: row.mer_order_no,
        rows: row,
      }))
    return { compared: rows.length, findings }
  },
}

/** A gateway learns of a new rate within two minutes, and a gateway's clock may be wrong by an hour. */
const TOLERANCE = `interval '62 minutes'`
/** SQL for the number of smallest units in one unit of a currency, for the currencies of this run. */
const factor = (currency: string) => `(case when ${currency} in ('JPY', 'VND') then 1 else 100 end)`

/**
 * Reads payouts with their rates. A listed rate is either a rate between the two currencies, or the product of a rate
 * to the dollar and a rate from the dollar.
 */
async function readRates({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      with used as (
        select p.*, o.mer_order_no, o.currency, o.amount from payouts p join orders o using (mer_no, trade_no)
        where p.mer_no = any ($1::bigint[]) and p.funding_currency <> o.currency
      ), in_force as (
        select r.*, lead(valid_from, 1, 'infinity') over (partition by from_currency, to_currency order by valid_from) as until
        from rates r
      ), rate as (
        select from_currency, to_currency, rate, valid_from, until from in_force
        union all
        select a.from_currency, b.to_currency, a.rate * b.rate, greatest(a.valid_from, b.valid_from), least(a.until, b.until)
        from in_force a join in_force b on a.to_currency = 'USD' and b.from_currency = 'USD'
        where a.from_currency <> b.to_currency
      )
      select u.mer_order_no, u.currency, u.funding_currency, u.funding_rate::text as funding_rate,
        exists (select from rate r where r.from_currency = u.currency and r.to_currency = u.funding_currency
          and r.rate = u.funding_rate and r.valid_from <= u.created_at + ${TOLERANCE}
          and r.until >= u.created_at - ${TOLERANCE}) as is_listed,
        u.funding_amount = ceil((u.amount + u.fee) * u.funding_rate * ${factor('u.funding_currency')} / ${factor('u.currency')})
          as is_right_amount
      from used u`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
