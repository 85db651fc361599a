// Bugs in what happens to money that was paid: refunds, chargebacks, payouts, reviews, settlement.
import type { Bug } from './bug.ts'

export const moneyBugs: readonly Bug[] = [
  {
    name: 'refund-counted-from-stale-row',
    what: 'Orders are read without a lock, so of two refunds at the same time one is not counted.',
    edits: [
      {
        file: 'src/orders/order.ts',
        find: 'limit 1 for update) o`',
        replace: 'limit 1) o`',
      },
      {
        file: 'src/refunds/sql.ts',
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
        file: 'src/refunds/record-refunds.ts',
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
        file: 'src/ledger/lock-balances.ts',
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
        file: 'src/chargebacks/dispute-sql.ts',
        find: `do update set by_callback = false
      where channel_disputes.by_callback and not excluded.by_callback`,
        replace: `do update set taken_at = null
      where exists (select from chargebacks c
        where c.chargeback_id = channel_disputes.chargeback_id and c.state = 'won')`,
      },
      {
        file: 'src/chargebacks/take-dispute.ts',
        find: `!wasWon) return refused(deps, tx, dispute, WON_BY_HAND)
    const {`,
        replace: `wasWon) return refused(deps, tx, dispute, WON_BY_HAND)
    const {`,
      },
    ],
  },
  {
    name: 'review-approved-while-money-returns',
    what: 'A rejected payment is approved while its money is on its way back to the payer.',
    edits: [
      {
        file: 'src/reviews/decide-review.ts',
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
        file: 'src/settlement/settle-due.ts',
        find: '(some) => db.transaction((tx) => settleBatch(tx, page, some, clock.now())),',
        replace: `async (some) => {
        await db.transaction((tx) => removeDues(tx, page, some))
        return db.transaction((tx) => settleBatch(tx, page, some, clock.now()))
      },`,
      },
    ],
  },
]
