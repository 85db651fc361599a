import { verifyBooks } from '../../src/money/audit/verify-books.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Check } from '../check.ts'

export const ledgerVerify: Check = {
  name: 'ledger verify',
  promise: 'The gateway finds no error in its own books.',
  async run({ db }) {
    const { entries, orders, differences, findings } = await verifyBooks({ db, clock: systemClock })
    return {
      compared: entries + orders,
      findings: [
        ...differences.map((row) => ({ what: `balance of ${row.account}`, about: '', rows: row })),
        ...findings.map((row) => ({ what: row.check, about: row.subject, rows: row })),
      ],
    }
  },
}
