// Bugs in recording what a channel reports.
import type { Bug } from './bug.ts'

export const outcomeBugs: readonly Bug[] = [
  {
    name: 'outcome-recorded-twice',
    what: 'An outcome is written without a look at the current state, so a late one overwrites what was decided.',
    edits: [
      {
        file: 'src/money/orders/write-changes.ts',
        find: 'o.trade_no = g.trade_no and o.version = g.seen_version',
        replace: 'o.trade_no = g.trade_no',
      },
      {
        file: 'src/money/orders/write-changes.ts',
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
        file: 'src/money/payments/decide-outcome.ts',
        find: '!isSameMoney(outcome.money, order.money)',
        replace: 'outcome.money.currency !== order.money.currency',
      },
      {
        file: 'src/money/payments/record-outcomes.ts',
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
        file: 'src/money/orders/order.ts',
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
        file: 'src/money/payments/hosted/start-attempt.ts',
        find: '    !isBusy(order) &&\n    attemptsOf(order) === attempts &&\n',
        replace: '    attemptsOf(order) >= attempts &&\n',
      },
      {
        file: 'src/money/payments/hosted/start-attempt.ts',
        find: 'order === undefined || order.attempts !== wanted.attempts',
        replace: 'order === undefined',
      },
      {
        file: 'src/money/payments/hosted/start-attempt.ts',
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
        file: 'src/money/payments/cancel-payment.ts',
        find: ' && !isBusy(order)',
        replace: '',
      },
      {
        file: 'src/money/payments/cancel-payment.ts',
        find: '  isBusy,\n',
        replace: '',
      },
    ],
  },
  {
    name: 'late-money-pays-cancelled-order',
    what: 'Money that comes after the order was cancelled pays it, and is held in suspense as well.',
    edits: [
      {
        file: 'src/money/payments/decide-outcome.ts',
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
        file: 'src/money/payments/record-outcomes.ts',
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
        file: 'src/money/payments/decide-outcome.ts',
        find: 'if (received >= order.money.amount) return paid(order, received)',
        replace: 'if (received > 0n) return paid(order, received)',
      },
    ],
  },
  {
    name: 'compact-order-changed-after-its-attempt',
    what: 'An order is decided in its own row although its attempt has become a row of its own, which others decide.',
    only: ['pay by card'],
    edits: [
      {
        file: 'src/money/orders/write-changes.ts',
        find: "isCompact ? stillCalling : ''",
        replace: "isCompact ? stillCalling.slice(0, 0) : ''",
      },
    ],
  },
  {
    name: 'sweep-skips-rows-inserted-meanwhile',
    what: 'A sweep goes on from the newest transaction, and never sees the rows of an older one that was still running.',
    only: ['pay by card'],
    edits: [
      {
        file: 'src/platform/postgres/sweep.ts',
        find: 'const reached = end < oldest_running ? end : oldest_running',
        replace: 'const reached = oldest_running > 0n ? end : oldest_running',
      },
    ],
  },
]
