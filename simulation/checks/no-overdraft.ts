// No merchant spends more than the available balance. Only a chargeback may take this balance below zero, so merchants
// with chargebacks are left out.
import { AVAILABLE } from '../../src/money/ledger/account.ts'
import type { Check } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = { readonly mer_no: bigint; readonly currency: string; readonly available: bigint }

export const noOverdraft: Check = {
  name: 'nobody spends more than they have',
  promise: 'The available balance of a merchant without chargebacks is never below zero.',
  async run(world) {
    const rows = await readBalances(world)
    const findings = rows
      .filter(({ available }) => available < 0n)
      .map((row) => ({
        what: `merchant ${row.mer_no} has ${row.available} ${row.currency}`,
        about: `merchant ${row.mer_no}`,
        rows: row,
      }))
    return { compared: rows.length, findings }
  },
}

async function readBalances({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      select mer_no, currency, (credits - debits)::bigint as available from exact_balances b
      where mer_no = any ($1::bigint[]) and account = $2
        and not exists (select from chargebacks c where c.mer_no = b.mer_no)`,
    values: [shops.map(({ merNo }) => merNo), AVAILABLE],
  })
}
