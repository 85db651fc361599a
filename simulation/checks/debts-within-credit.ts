// Compares a merchant's debt with the merchant's refund credit. This merchant only takes payments and refunds them.
import { AVAILABLE, UNSETTLED } from '../../src/money/ledger/account.ts'
import { parseDecimal } from '../../src/platform/base/money.ts'
import type { Check } from '../check.ts'
import { DEBTOR_CREDIT } from '../world/world.ts'

export const debtsWithinCredit: Check = {
  name: 'debts stay within the refund credit',
  promise: 'What a merchant owes after its refunds is at most its refund credit.',
  async run({ db, debtor }) {
    const rows = await db.query<{ currency: string; balance: bigint }>({
      text: `
        select currency, sum(credits - debits)::bigint as balance from exact_balances
        where mer_no = $1 and account = any ($2) group by currency`,
      values: [debtor.merNo, [AVAILABLE, UNSETTLED]],
    })
    const most = parseDecimal(DEBTOR_CREDIT, 'USD') ?? 0n
    const findings = rows
      .filter(({ balance }) => -balance > most)
      .map((row) => ({
        what: `merchant ${debtor.merNo} owes ${-row.balance} ${row.currency}, its credit is ${most}`,
        about: `merchant ${debtor.merNo}`,
        rows: row,
      }))
    return { compared: rows.length, findings }
  },
}
