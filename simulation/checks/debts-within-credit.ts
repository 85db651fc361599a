// Compares the debts of the debtors with their refund credit. The debtors only take payments and refund them.
import { AVAILABLE, UNSETTLED } from '../../src/money/ledger/account.ts'
import { parseDecimal } from '../../src/platform/base/money.ts'
import type { Check } from '../check.ts'

export const debtsWithinCredit: Check = {
  name: 'debts stay within the refund credit',
  promise: 'What a merchant owes after its refunds is at most its refund credit.',
  async run({ db, debtors }) {
    const rows = await db.query<{ mer_no: bigint; currency: string; balance: bigint }>({
      text: `
        select mer_no, currency, sum(credits - debits)::bigint as balance from exact_balances
        where mer_no = any ($1::bigint[]) and account = any ($2) group by mer_no, currency`,
      values: [debtors.map(({ merNo }) => merNo), [AVAILABLE, UNSETTLED]],
    })
    const credits = new Map(debtors.map(({ merNo, credit }) => [merNo, parseDecimal(credit, 'USD') ?? 0n]))
    const findings = rows.flatMap((row) => {
      const most = credits.get(Number(row.mer_no)) ?? 0n
      if (-row.balance <= most) return []
      const about = `merchant ${row.mer_no}`
      return [
        { what: `${about} owes ${-row.balance} ${row.currency}, its credit is ${most}`, about, rows: row },
      ]
    })
    return { compared: rows.length, findings }
  },
}
