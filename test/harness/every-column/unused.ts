// The corruptions that the audit need not name, each with its reason.

/** Values that nothing uses in rows of these kinds, and values that only a counterparty or a person could prove. */
export const unused: readonly {
  readonly why: string
  readonly columns: readonly string[]
  readonly kinds?: RegExp
}[] = [
  {
    why: 'terms that no money has used yet',
    columns: [
      ...[
        'orders.fee_bps',
        'orders.fee_fixed',
        'orders.margin_bps',
        'orders.margin_days',
        'orders.settle_days',
      ],
      ...['orders.settle_currency', 'orders.settle_rate', 'orders.timezone'],
    ],
    kinds: /payment .*(open|failed|in review)/,
  },
  {
    why: 'terms of payments, which no payout uses; its fee and its funding are proved',
    columns: [
      ...['orders.fee_bps', 'orders.margin_bps', 'orders.margin_days', 'orders.settle_days'],
      ...['orders.settle_currency', 'orders.settle_rate', 'orders.timezone'],
    ],
    kinds: /payout/,
  },
  {
    why: 'a day that is over: an operator may settle early',
    columns: ['orders.settle_days', 'orders.margin_days', 'orders.timezone'],
    kinds: /settled/,
  },
  {
    why: 'the day of a margin of zero',
    columns: ['orders.margin_days'],
    kinds: /payment paid/,
  },
  {
    why: 'a failed order does not count for limits',
    columns: ['orders.usd_value', 'orders.platform_limited'],
    kinds: /failed/,
  },
  {
    why: 'what a new attempt may do',
    columns: ['orders.max_attempts', 'orders.needs_review'],
  },
  {
    why: 'no money has moved: the channel decides',
    columns: [
      ...['orders.attempt_channel', 'attempt_rows.channel', 'attempt_rows.state', 'attempt_rows.created_at'],
      ...['attempt_rows.decided_at', 'attempt_rows deleted', 'attempt_rows copied'],
    ],
    kinds: /open|failed|pending|unknown/,
  },
  {
    why: 'terms of what may still be ordered; what was ordered is proved',
    columns: [
      'payment_links.least',
      'payment_links.most',
      'payment_links.method',
      'payment_links.expires_at',
    ],
  },
  {
    why: 'starting rates of the sandbox, where no money is real',
    columns: [
      ...['from_currency', 'to_currency', 'valid_from', 'rate', 'derived'].map((one) => `rates.${one}`),
      ...['rates deleted', 'rates copied'],
    ],
    kinds: /sandbox/,
  },
  {
    why: 'only the device of the payer knows its tokens',
    columns: ['used_tokens.token_id', 'used_tokens deleted'],
  },
  {
    why: 'a row of a bulk refund that was refused moves no money',
    columns: ['number', 'trade_no', 'mer_order_no', 'currency', 'amount'].map(
      (one) => `bulk_refund_rows.${one}`,
    ),
    kinds: /refused/,
  },
  {
    why: 'the payout of a line that is not made is in its encrypted value',
    columns: ['payout_run_lines.mer_order_no', 'payout_run_lines.kind'],
    kinds: /waiting$|refused|rejected$/,
  },
  {
    why: "the counterparty's own number, which statements of the channel are compared with",
    columns: ['orders.attempt_ref', 'attempt_rows.channel_ref', 'refunds.channel_ref', 'payouts.rail_ref'],
  },
  {
    why: 'an inquiry moves no money',
    columns: [
      ...['chargebacks.trade_no', 'chargebacks.amount', 'chargebacks.opened_at', 'chargebacks.resolved_at'],
      ...['chargebacks deleted', 'chargebacks copied'],
    ],
    kinds: /inquiry|closed/,
  },
  {
    why: 'approvals that nobody needs any more',
    columns: [
      'payouts.needs_approval',
      'payouts.needs_merchant_approval',
      'payouts.approved_at',
      'payouts.sending_at',
    ],
    kinds: /failed/,
  },
  {
    why: 'a rail that was not used: no money has left',
    columns: ['payouts.rail'],
    kinds: /failed|awaiting/,
  },
  {
    why: "the merchant's own number: only the merchant knows it, until the first notification repeats it",
    columns: ['orders.mer_order_no'],
    kinds: /open|in review/,
  },
  {
    why: 'only the rail knows that it has the payout, until it reports an outcome',
    columns: ['payouts.rail'],
    kinds: /sending/,
  },
  {
    why: 'whether somebody must approve: the settings of the merchant decided it, and may be others today',
    columns: ['payouts.needs_approval'],
    kinds: /awaiting_account/,
  },
  {
    why: 'whether the merchant must approve, too: the settings of the merchant decided it, and may be others today',
    columns: ['payouts.needs_merchant_approval'],
    kinds: /awaiting/,
  },
  {
    why: 'only the channel knows when its report was written, which way it came, and how often it was repeated',
    columns: ['channel_disputes.told_at', 'channel_disputes.by_callback', 'channel_disputes copied'],
    kinds: /inquiry|open|won|lost/,
  },
  {
    why: 'an operator may end a dispute without a report; what its chargeback moved is proved',
    columns: ['channel_disputes deleted'],
    kinds: /won|lost/,
  },
  {
    why: 'only the channel knows the money that its last report states; the money that moved is of the first report',
    columns: ['channel_disputes.currency', 'channel_disputes.amount'],
    kinds: /won|lost/,
  },
  {
    why: 'only the channel knows when money came; the time at which it was booked is proved',
    columns: ['deposits.came_at'],
  },
  {
    why: 'a statement that was imported later may name the line of decided money differently',
    columns: ['suspense.reference'],
    kinds: /(assigned|withdrawn) unmatched/,
  },
  {
    why: 'money that went back to its channel: the books are the same whether a statement or an operator said so',
    columns: ['suspense.state', 'suspense.line_no'],
    kinds: /withdrawn unmatched/,
  },
  {
    why: 'only the channel knows whether it has returned the money itself, or an operator in another way',
    columns: ['reviews.returns'],
    kinds: /^rejected/,
  },
  {
    why: 'no operator has decided yet, so the log of decisions has no line to compare with',
    columns: ['reviews.returns'],
    kinds: /^submitted$/,
  },
  {
    why: 'an order that has ended: the list forgets it at the end of its time',
    columns: ['hosted_orders.method', 'hosted_orders deleted'],
    kinds: /over/,
  },
  {
    why: 'evidence for people, which moves no money',
    columns: [
      ...['chargeback_evidence deleted', 'chargeback_evidence copied'],
      ...['review_files.trade_no', 'review_files deleted', 'review_files copied'],
    ],
  },
  {
    why: 'a time that has passed: the notification is due whatever it is; a time far ahead is found',
    columns: ['notifications.due_at'],
    kinds: /payment/,
  },
  {
    why: 'a mark that saves a search; a mark on a later notification is found',
    columns: ['notifications.first_of_order'],
    kinds: /payment|payout/,
  },
  {
    why: 'without money, null and zero are the same',
    columns: ['orders.received'],
    kinds: /payment .*failed|payment failed/,
  },
  {
    why: 'the server whose transactions were swept: with another one the sweep begins again',
    columns: ['sweeps.cluster'],
  },
  {
    why: 'no notification waits for the sweep',
    columns: ['sweeps.swept_until'],
    kinds: /notifications/,
  },
  {
    why: 'without an amount, the whole amount came back',
    columns: ['payouts.returned_amount'],
    kinds: /returned/,
  },
  {
    why: 'a sum of zero',
    columns: [
      ...['order_totals', 'limit_usage', 'balance_sums'].flatMap((table) => [
        `${table} deleted`,
        `${table} copied`,
      ]),
      ...['order_totals.mer_no', 'order_totals.local_day', 'order_totals.state', 'order_totals.currency'],
      ...['order_totals.settle_currency', 'limit_usage.method', 'limit_usage.period', 'balance_sums.mer_no'],
      'balance_sums.account',
      'balance_sums.currency',
    ],
    kinds: /empty/,
  },
]
