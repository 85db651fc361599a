// Nothing is left undecided once the counterparties answer again.
import type { Check, Finding } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = { readonly kind: string; readonly subject: string; readonly state: string; readonly rows: number }

export const outcomesDecided: Check = {
  name: 'each unknown outcome was decided',
  promise:
    "Each outcome that was unknown became the counterparty's: nothing is called or asked for any more.",
  async run(world) {
    const rows = await readStates(world)
    const findings = rows
      .filter(({ state }) => ['calling', 'unknown', 'tokenising', 'sending', 'returning'].includes(state))
      .map((row): Finding => ({ what: `${row.rows} ${row.kind} are ${row.state}`, about: row.subject }))
    return { compared: rows.reduce((sum, row) => sum + row.rows, 0), findings }
  },
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
