// Bugs in the books: balances, totals, history, conversions.
import type { Bug } from './bug.ts'

export const bookBugs: readonly Bug[] = [
  {
    name: 'folding-drops-a-delta',
    what: 'Deltas are added to the balance by one statement and deleted by the next, with those that came between.',
    edits: [
      {
        file: 'src/money/ledger/balances.ts',
        find: `  return Number(row?.folded ?? 0)`,
        replace: `  await db.query({ text: \`delete from balance_deltas where \${inScope} and $1 > 0\`, values })
  return Number(row?.folded ?? 0)`,
      },
      {
        file: 'src/money/ledger/balances.ts',
        find: `    delete from balance_deltas where ctid = any (array(
      select ctid from balance_deltas where \${inScope}
      order by account, delta_id limit $1 for update skip locked))
    returning account, currency, mer_nos, debits, credits`,
        replace: `    select account, currency, mer_nos, debits, credits from balance_deltas where \${inScope}
    order by account, delta_id limit $1`,
      },
    ],
  },
  {
    name: 'totals-counted-twice',
    what: 'An order whose chargeback ends enters its new daily total and stays in the old one.',
    edits: [
      {
        file: 'src/money/orders/change.ts',
        find: 'if (isOpen(order.state)) return [entered]',
        replace: 'if (isOpen(order.state) || order.state === State.disputed) return [entered]',
      },
    ],
  },
  {
    name: 'change-without-history',
    what: 'A later change of state gets no row in the history.',
    edits: [
      {
        file: 'src/money/orders/write-changes.ts',
        find: 'unlessNone(changes.filter(hasEvent), insertEvents)',
        replace: 'unlessNone([], insertEvents)',
      },
    ],
  },
  {
    name: 'conversion-loses-a-minor-unit',
    what: 'Parts of an amount are converted one by one, and each conversion rounds.',
    edits: [
      {
        file: 'src/money/orders/position.ts',
        find: 'const amount = converted(after, after.settledSource) - converted(before, before.settledSource)',
        replace: 'const amount = converted(after, after.settledSource - before.settledSource)',
      },
    ],
  },
  {
    name: 'lock-order-reversed',
    what: 'Limits are given back in the opposite order of taking them, so accepting and declining deadlock.',
    edits: [
      {
        file: 'src/money/orders/limit-usage.ts',
        find: `    order by u.mer_no, u.method, u.period
    for update of u`,
        replace: `    order by u.mer_no desc, u.method desc, u.period desc
    for update of u`,
      },
    ],
  },
]
