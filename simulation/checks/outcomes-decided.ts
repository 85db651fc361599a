// Reads the states of attempts, refunds, payouts and reviews. Once the counterparties respond again, none of them may
// be in a call or unknown, and no order may have ended before its attempt.
import type { Check, Finding } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = { readonly kind: string; readonly subject: string; readonly state: string; readonly rows: number }

export const outcomesDecided: Check = {
  name: 'each unknown outcome was decided',
  promise:
    "Each outcome that was unknown became the counterparty's: nothing is called or asked for any more, and no order ends before its attempt.",
  async run(world) {
    const rows = await readStates(world)
    const undecided = rows
      .filter(({ state }) => ['calling', 'unknown', 'tokenising', 'sending', 'returning'].includes(state))
      .map((row): Finding => ({ what: `${row.rows} ${row.kind} are ${row.state}`, about: row.subject }))
    const orphaned = (await readOrphaned(world)).map((row): Finding => {
      const { state, order_state: orderState, trade_no: about } = row
      return { what: `an attempt is ${state}, its order is in state ${orderState}`, about, rows: row }
    })
    const compared = rows.reduce((sum, row) => sum + row.rows, 0)
    return { compared, findings: [...undecided, ...orphaned] }
  },
}

type Orphaned = { readonly trade_no: string; readonly state: string; readonly order_state: number }

/** Returns attempts that may still take money although their order has ended. */
async function readOrphaned({ db, shops }: World): Promise<Orphaned[]> {
  return await db.query<Orphaned>({
    text: `
      select a.trade_no, a.state, o.state as order_state from attempts a join orders o using (mer_no, trade_no)
      where a.mer_no = any ($1::bigint[]) and a.state in ('calling', 'unknown', 'pending') and o.state <> 1`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}

async function readStates({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      select kind, state, min(subject) as subject, count(*)::int as rows from (
        select mer_no, 'attempts' as kind, state, trade_no as subject from attempts
        union all
        select mer_no, 'refunds', state, refund_no from refunds
        union all
        select mer_no, 'payouts', state, trade_no from payouts
        union all
        select mer_no, 'reviews', state, trade_no from reviews
      ) outcomes
      where mer_no = any ($1::bigint[])
      group by kind, state`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
