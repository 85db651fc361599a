// Wrong rules, one at a time: the model with each of them must disagree with the gateway. `find` occurs once in the file.
export type Mistake = {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly put: string
}

export const mistakes: readonly Mistake[] = [
  {
    name: 'fees round down',
    file: 'money.ts',
    find: 'divideDown(amount * BigInt(bps) * 2n + 10_000n, 20_000n)',
    put: 'divideDown(amount * BigInt(bps), 10_000n)',
  },
  {
    name: 'credits round up',
    file: 'money.ts',
    find: 'return amount % by < 0n ? quotient - 1n : quotient',
    put: 'return amount % by > 0n ? quotient + 1n : quotient',
  },
  {
    name: 'a margin is kept in full when a part is refunded',
    file: 'orders.ts',
    find: 'const freed = (money.margin * refundedOf(order)) / money.amount',
    put: 'const freed = refundedOf(order) === money.amount ? money.margin : 0n',
  },
  {
    name: 'a failed refund keeps its fee',
    file: 'orders.ts',
    find: 'toHome(order, amount + fee)',
    put: 'toHome(order, amount)',
  },
  {
    name: 'a won chargeback gives its fee back',
    file: 'accounts.ts',
    find: "for (const { fee } of chargebacks) post('platform:fees', fee)",
    put: "for (const { fee, state } of chargebacks) if (state !== 'won') post('platform:fees', fee)",
  },
  {
    name: 'a disputed order may be refunded',
    file: 'refunds.ts',
    find: '![5, 9, 10].includes(stateOf(order))',
    put: '![5, 9, 10, 12].includes(stateOf(order))',
  },
  {
    name: 'a refund may exceed what is left',
    file: 'refunds.ts',
    find: 'amount > order.money.amount - refundedOf(order)',
    put: 'amount > order.money.amount',
  },
  {
    name: 'settlement is a day late',
    file: 'settlement.ts',
    find: 'order.plan.settleDays, order.shop.timezone',
    put: 'order.plan.settleDays + 1, order.shop.timezone',
  },
  {
    name: 'a margin is released with the settlement',
    file: 'settlement.ts',
    find: 'startOfLaterDay(paidAtMs, order.plan.marginDays,',
    put: 'startOfLaterDay(paidAtMs, order.plan.settleDays,',
  },
  {
    name: 'a payout may take a little more than the balance has',
    file: 'payouts.ts',
    find: 'amount <= own.available && amount <= own.available - owed',
    put: 'amount <= own.available + 1_000n',
  },
  {
    name: 'a surplus pays the merchant',
    file: 'deposits.ts',
    find: 'holdBack(model, order, { attempt, amount: received - price, currency }',
    put: 'holdBack(model, order, { attempt, amount: 0n * price, currency }',
  },
  {
    name: 'a link for one use leads to a new order while the first one waits',
    file: 'attempts.ts',
    find: "uses === 'one' ? orders.at(-1)",
    put: "uses === 'one' && orders.length > 1 ? orders.at(-1)",
  },
  {
    name: 'a decline on our page is final',
    file: 'attempts.ts',
    find: "  if (!mayTryAgain(order)) order.standing = 'failed'",
    put: "  order.standing = 'failed'",
  },
  {
    name: 'the check of a bulk refund takes the money already',
    file: 'refunds.ts',
    find: 'if (work()) return true',
    put: 'if (work() || orders.length > 0) return true',
  },
  {
    name: 'a run to an account that is not saved needs nobody else',
    file: 'payouts.ts',
    find: 'accountSavedMs = nowMs }',
    put: 'accountSavedMs = 0 }',
  },
  {
    name: 'a returned refund credits all that was sent',
    file: 'refunds.ts',
    find: 'refund.cameBack = least(arrived, refund.amount)',
    put: 'refund.cameBack = refund.amount',
  },
]
