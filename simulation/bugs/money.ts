// Bugs in what happens to money after it was paid: refunds, chargebacks, payouts, reviews, settlement.
import type { Bug } from './bug.ts'

export const moneyBugs: readonly Bug[] = [
  {
    name: 'refund-counted-from-stale-row',
    what: 'Orders are read without a lock, so of two refunds at the same time one is not counted.',
    edits: [
      {
        file: 'src/money/orders/order.ts',
        find: 'limit 1 for update) o`',
        replace: 'limit 1) o`',
      },
      {
        file: 'src/money/refunds/sql.ts',
        find: `select pg_advisory_xact_lock(hashtextextended('refunds ' || $1::bigint, 0))`,
        replace: 'select $1::bigint',
      },
    ],
  },
  {
    name: 'failed-refund-keeps-the-money',
    what: 'A refund that the channel declines does not go back to the merchant.',
    edits: [
      {
        file: 'src/money/refunds/record-refunds.ts',
        find: 'returnRefund(position, refund.money.amount, refund.fee, steps.failed(refund.refundNo))',
        replace: 'returnRefund(position, 0n, refund.fee, steps.failed(refund.refundNo))',
      },
    ],
  },
  {
    name: 'balance-read-without-lock',
    what: 'A payout and a refund at the same time are checked against the same balance, and spend it twice.',
    edits: [
      {
        file: 'src/money/ledger/lock-balances.ts',
        find: 'lockSums(tx, merNo, sums)',
        replace: 'lockSums(tx, merNo, sums.slice(0, 0))',
      },
    ],
  },
  {
    name: 'chargeback-opened-twice',
    what: 'A dispute that the channel lists again after the merchant won it opens a second chargeback.',
    edits: [
      {
        file: 'src/money/chargebacks/dispute-sql.ts',
        find: `do update set by_callback = false
      where channel_disputes.by_callback and not excluded.by_callback`,
        replace: `do update set taken_at = null
      where exists (select from chargebacks c
        where c.chargeback_id = channel_disputes.chargeback_id and c.state = 'won')`,
      },
      {
        file: 'src/money/chargebacks/take-dispute.ts',
        find: `!wasWon) return refused(deps, tx, dispute, WON_BY_HAND)
    const opened`,
        replace: `wasWon) return refused(deps, tx, dispute, WON_BY_HAND)
    const opened`,
      },
    ],
  },
  {
    name: 'review-approved-while-money-returns',
    what: 'A rejected payment is approved while its money is on its way back to the payer.',
    only: ['pay by SEPA', 'review'],
    edits: [
      {
        file: 'src/money/reviews/decide-review.ts',
        find: `const isTurn = review.state !== 'returning' && mayFollow(review.state, wanted)`,
        replace: `const isTurn = review.state === 'returning' || mayFollow(review.state, wanted)`,
      },
    ],
  },
  {
    name: 'settlement-claimed-before-booked',
    what: 'What is due is taken off the list in one transaction and settled in the next, and a crash lies between.',
    edits: [
      {
        file: 'src/money/settlement/settle-due.ts',
        find: '(some) => db.transaction((tx) => settleBatch(tx, page, some, clock.now())),',
        replace: `async (some) => {
        await db.transaction((tx) => removeDues(tx, page, some))
        return db.transaction((tx) => settleBatch(tx, page, some, clock.now()))
      },`,
      },
    ],
  },
  {
    name: 'disputed-order-is-refundable',
    what: 'A refund of an order in dispute is accepted, and the payer gets the money twice.',
    only: ['pay by card', 'chargeback', 'refund a disputed', 'query states'],
    edits: [
      {
        file: 'src/money/refunds/refund.ts',
        find: '[State.succeeded, State.refunding, State.refunded]',
        replace: '[State.succeeded, State.refunding, State.refunded, State.disputed]',
      },
    ],
  },
  {
    name: 'refund-credit-not-checked',
    what: 'A merchant without money refunds on credit without a limit.',
    only: ['pay by card', 'refund credit'],
    edits: [
      {
        file: 'src/money/refunds/accept-refunds.ts',
        find: 'return debts > most ?',
        replace: 'return debts > most * 1_000_000n ?',
      },
    ],
  },
  {
    name: 'payout-rate-read-backwards',
    what: 'A payout from another balance is converted at the rate of the opposite direction.',
    only: ['pay by card', 'settle', 'pay out'],
    edits: [
      {
        file: 'src/money/payouts/money.ts',
        find: 'isOwn ? undefined : rates.find(total.currency, currency)',
        replace: 'isOwn ? undefined : rates.find(currency, total.currency)',
      },
    ],
  },
  {
    name: 'payout-converted-down',
    what: 'The sum that pays for a payout in another currency is rounded down, so many small payouts cost less.',
    only: ['pay by card', 'settle', 'pay out'],
    edits: [
      {
        file: 'src/money/payouts/money.ts',
        find: 'convertUp(total, currency, rate).amount',
        replace: 'convertDown(total, currency, rate).amount || 1n',
      },
      {
        file: 'src/money/payouts/money.ts',
        find: 'import { convertDown, convertUp, decimalHalfUp',
        replace: 'import { convertDown, decimalHalfUp',
      },
    ],
  },
  {
    name: 'refund-frees-the-whole-margin',
    what: 'A refund of a part frees the whole margin of its order.',
    only: ['pay by card', 'refund a part'],
    edits: [
      {
        file: 'src/money/orders/position.ts',
        find: 'most(margin - marginDisputed - (margin * part) / amount, 0n)',
        replace: 'most(part > 0n ? 0n * amount : margin - marginDisputed, 0n)',
      },
    ],
  },
  {
    name: 'margin-rounded-down',
    what: 'The margin is rounded down instead of half up.',
    only: ['pay by card'],
    edits: [
      {
        file: 'src/money/orders/fees.ts',
        find: 'const margin = shareHalfUp(amount, terms.marginBps)',
        replace: 'const margin = (amount * BigInt(terms.marginBps)) / 10_000n',
      },
    ],
  },
  {
    name: 'margin-due-with-the-settlement',
    what: 'The margin of a payment comes due on the day of its settlement, half a year early.',
    only: ['pay by card'],
    edits: [
      {
        file: 'src/money/orders/dues.ts',
        find: 'dueIn(terms.marginDays)',
        replace: 'dueIn(terms.settleDays)',
      },
    ],
  },
  {
    name: 'settlement-a-day-early',
    what: 'The days until the settlement are counted from the day before the payment.',
    only: ['pay by card'],
    edits: [
      {
        file: 'src/money/orders/dues.ts',
        find: 'settleAt: dueIn(terms.settleDays)',
        replace: 'settleAt: dueIn(terms.settleDays - 1)',
      },
    ],
  },
  {
    name: 'settlement-below-zero',
    what: 'A payment that costs more than it brought is settled from a balance that does not cover it.',
    only: ['pay by card', 'refund credit', 'settle'],
    edits: [
      {
        file: 'src/money/settlement/settlement.ts',
        find: 'one.gain < 0n) return false',
        replace: 'one.gain < -1_000_000n) return false',
      },
    ],
  },
]
