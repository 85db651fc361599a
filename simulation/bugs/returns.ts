// Bugs in handling refunds and payouts that a bank returned.
import type { Bug } from './bug.ts'

export const returnBugs: readonly Bug[] = [
  {
    name: 'returned-payout-gives-back-the-fee',
    what: 'A payout that the bank returns also gives back the fee, which the plan keeps.',
    only: ['pay by card', 'settle', 'pay out to', 'return a payout'],
    edits: [
      {
        file: 'src/money/payouts/money.ts',
        find: '  if (rate === undefined) return back\n',
        replace: `  if (rate === undefined)
    return [...back, entry('payout:fee-back', FEES, home, { amount: payout.fee, currency: money.currency }, booking)]\n`,
      },
    ],
  },
  {
    name: 'returned-refund-forgets-the-margin',
    what: 'A refund that comes back gives the whole amount to the merchant, without the margin that it had freed.',
    only: ['pay by card', 'refund a part', 'refund the rest', 'return a refund'],
    edits: [
      {
        file: 'src/money/orders/position.ts',
        find: `    { step: \`\${steps.back}:margin\`, from: home, to: MARGIN, amount: -marginFreed(position, refunded) },\n`,
        replace: '',
      },
    ],
  },
  {
    name: 'returned-refund-credited-in-full',
    what: 'A refund of which a part came back is credited in full.',
    only: ['pay by card', 'refund a part', 'refund the rest', 'return a refund'],
    edits: [
      {
        file: 'src/money/refunds/record-refunds.ts',
        find: 'const cost = amount - (back?.credited ?? amount)',
        replace: 'const cost = 0n * amount',
      },
    ],
  },
  {
    name: 'returned-payout-credited-in-full',
    what: 'A payout of which a part came back is credited in full.',
    only: ['pay by card', 'settle', 'pay out to', 'return a payout'],
    edits: [
      {
        file: 'src/money/payouts/change-payouts.ts',
        find: 'cameBackEntries(booked, cameBack.credited ?? order.money.amount, at)',
        replace: 'cameBackEntries(booked, order.money.amount, at)',
      },
    ],
  },
  {
    name: 'surplus-of-returned-refund-lost',
    what: 'More came back than was refunded, and nobody holds the surplus.',
    only: ['pay by card', 'refund a part', 'refund the rest', 'return a refund'],
    edits: [
      {
        file: 'src/money/refunds/record-refunds.ts',
        find: 'await bookSuspense(tx, decided.flatMap(heldOf))',
        replace: 'await bookSuspense(tx, decided.flatMap(heldOf).slice(0, 0))',
      },
    ],
  },
  {
    name: 'failed-payout-keeps-the-fee',
    what: 'A payout that the rail declines gives back its amount, and not its fee.',
    only: ['pay by card', 'settle', 'pay out to', 'return a payout'],
    edits: [
      {
        file: 'src/money/payouts/money.ts',
        find: `return [entry('payout:returned', PAYOUTS_IN_FLIGHT, AVAILABLE, total)]`,
        replace: `return [entry('payout:returned', PAYOUTS_IN_FLIGHT, AVAILABLE, payout.money)]`,
      },
    ],
  },
]
