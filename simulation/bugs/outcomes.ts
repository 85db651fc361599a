// Bugs in recording what a channel reports.
import type { Bug } from './bug.ts'

export const outcomeBugs: readonly Bug[] = [
  {
    name: 'outcome-recorded-twice',
    what: 'An outcome is written without a look at the current state, so a late one overwrites what was decided.',
    edits: [
      {
        file: 'src/orders/write-changes.ts',
        find: 'o.trade_no = g.trade_no and o.version = g.seen_version',
        replace: 'o.trade_no = g.trade_no',
      },
      {
        file: 'src/orders/write-changes.ts',
        find: ' and a.state = g.seen_state',
        replace: '',
      },
    ],
  },
  {
    name: 'reported-amount-believed',
    what: 'A success is booked with the amount that the channel reports, not compared with the order.',
    edits: [
      {
        file: 'src/payments/decide-outcome.ts',
        find: 'outcome.money.amount !== order.money.amount || ',
        replace: '',
      },
      {
        file: 'src/payments/record-outcomes.ts',
        find: 'chargesNow(order.money, order.terms, rates)',
        replace: `chargesNow(outcome.kind === 'succeeded' ? outcome.money : order.money, order.terms, rates)`,
      },
    ],
  },
  {
    name: 'callback-applied-to-first-attempt',
    what: 'A report is applied to the first attempt of its order, whichever attempt it names.',
    edits: [
      {
        file: 'src/orders/order.ts',
        find: 'attemptNo: Number(attemptNo) }',
        replace: 'attemptNo: Math.min(Number(attemptNo), 1) }',
      },
    ],
  },
  {
    name: 'two-attempts-at-once',
    what: 'A payer may begin a second attempt while the first is open, and pays both.',
    edits: [
      {
        file: 'src/payments/hosted/start-attempt.ts',
        find: '    !isBusy(order) &&\n    attemptsOf(order) === attempts &&\n',
        replace: '    attemptsOf(order) >= attempts &&\n',
      },
      {
        file: 'src/payments/hosted/start-attempt.ts',
        find: 'order === undefined || order.attempts !== wanted.attempts',
        replace: 'order === undefined',
      },
      {
        file: 'src/payments/hosted/start-attempt.ts',
        find: 'import { isBusy, type Order, State }',
        replace: 'import { type Order, State }',
      },
    ],
  },
  {
    name: 'expired-order-closed-while-paying',
    what: 'An order whose time is over is closed although an attempt is under way, and the money comes after all.',
    edits: [
      {
        file: 'src/payments/close-orders.ts',
        find: ' && !isBusy(order)',
        replace: '',
      },
      {
        file: 'src/payments/close-orders.ts',
        find: 'import { isBusy, type Order, State }',
        replace: 'import { type Order, State }',
      },
    ],
  },
  {
    name: 'late-money-pays-cancelled-order',
    what: 'Money that comes after the order was cancelled pays it, and is held in suspense as well.',
    edits: [
      {
        file: 'src/payments/decide-outcome.ts',
        find: 'if (isDecided(attempt.state)) return',
        replace: `const arrived = also.arrived ?? 0n
  if (order.state === State.cancelled && arrived >= order.money.amount) return paid(order, arrived)
  if (isDecided(attempt.state)) return`,
      },
    ],
  },
  {
    name: 'deposits-summed-twice',
    what: 'A further deposit is added to a sum that contains the earlier ones already.',
    edits: [
      {
        file: 'src/payments/record-outcomes.ts',
        find: 'const arrived = sumOf(waiting, order.money.currency)',
        replace: 'const arrived = order.received + sumOf(waiting, order.money.currency)',
      },
    ],
  },
  {
    name: 'short-deposit-pays-order',
    what: 'A deposit pays its order without a comparison of the amounts.',
    edits: [
      {
        file: 'src/payments/decide-outcome.ts',
        find: 'if (received >= order.money.amount) return paid(order, received)',
        replace: 'if (received > 0n) return paid(order, received)',
      },
    ],
  },
]
