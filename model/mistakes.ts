// Wrong rules. With each of them alone, the model must disagree with the gateway. `find` must occur exactly once in
// `file`.
export type Mistake = {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly put: string
  /** The operations that show the mistake; undefined if most sequences show it. */
  readonly only?: readonly string[]
}

export const mistakes: readonly Mistake[] = [
  {
    name: 'fees round down',
    file: 'money.ts',
    find: 'divideDown(amount * BigInt(bps) * 2n + 10_000n, 20_000n)',
    put: 'divideDown(amount * BigInt(bps), 10_000n)',
    only: ['pay'],
  },
  {
    name: 'credits round up',
    file: 'money.ts',
    find: 'return amount % by < 0n ? quotient - 1n : quotient',
    put: 'return amount % by > 0n ? quotient + 1n : quotient',
    only: ['pay', 'settleOrders'],
  },
  {
    name: 'a margin is kept in full when a part is refunded',
    file: 'orders.ts',
    find: 'const freed = (money.margin * refundedOf(order)) / money.amount',
    put: 'const freed = refundedOf(order) === money.amount ? money.margin : 0n',
    only: ['pay', 'refund'],
  },
  {
    name: 'a failed refund keeps its fee',
    file: 'orders.ts',
    find: 'toHome(order, amount + fee)',
    put: 'toHome(order, amount)',
    only: ['pay', 'refund', 'endRefund'],
  },
  {
    name: 'a won chargeback gives its fee back',
    file: 'accounts.ts',
    find: "for (const { fee } of chargebacks) post('platform:fees', fee)",
    put: "for (const { fee, state } of chargebacks) if (state !== 'won') post('platform:fees', fee)",
    only: ['pay', 'chargeBack', 'resolveChargeback'],
  },
  {
    name: 'a disputed order may be refunded',
    file: 'refunds.ts',
    find: '![5, 9, 10].includes(stateOf(order))',
    put: '![5, 9, 10, 12].includes(stateOf(order))',
    only: ['pay', 'chargeBack', 'refund'],
  },
  {
    name: 'a refund may exceed what is left',
    file: 'refunds.ts',
    find: 'amount > order.money.amount - refundedOf(order)',
    put: 'amount > order.money.amount',
    only: ['pay', 'refund'],
  },
  {
    name: 'settlement is a day late',
    file: 'settlement.ts',
    find: 'order.plan.settleDays, order.shop.timezone',
    put: 'order.plan.settleDays + 1, order.shop.timezone',
    only: ['pay'],
  },
  {
    name: 'a margin is released with the settlement',
    file: 'settlement.ts',
    find: 'startOfLaterDay(paidAtMs, order.plan.marginDays,',
    put: 'startOfLaterDay(paidAtMs, order.plan.settleDays,',
    only: ['pay'],
  },
  {
    name: 'a payout may take a little more than the balance has',
    file: 'payouts.ts',
    find: 'amount <= own.available && amount <= own.available - owed',
    put: 'amount <= own.available + 1_000n',
    only: ['pay', 'settleOrders', 'pass', 'payOut', 'chargeBack'],
  },
  {
    name: 'a surplus pays the merchant',
    file: 'deposits.ts',
    find: 'holdBack(model, order, { attempt, amount: received - price, currency }',
    put: 'holdBack(model, order, { attempt, amount: 0n * price, currency }',
    only: ['openTransfer', 'deposit'],
  },
  {
    name: 'a link for one use leads to a new order while the first one waits',
    file: 'attempts.ts',
    find: "uses === 'one' ? orders.at(-1)",
    put: "uses === 'one' && orders.length > 1 ? orders.at(-1)",
    only: ['makeLink', 'openLink', 'tryToPay'],
  },
  {
    name: 'a decline on our page is final',
    file: 'attempts.ts',
    find: "  if (!mayTryAgain(order)) order.standing = 'failed'",
    put: "  order.standing = 'failed'",
    only: ['makeLink', 'openLink', 'tryToPay'],
  },
  {
    name: 'the check of a bulk refund takes the money already',
    file: 'refunds.ts',
    find: 'if (work()) return true',
    put: 'if (work() || orders.length > 0) return true',
    only: ['pay', 'checkBulk', 'startBulk', 'refund'],
  },
  {
    name: 'a run to an account that is not saved needs nobody else',
    file: 'payouts.ts',
    find: 'accountSavedMs = nowMs }',
    put: 'accountSavedMs = 0 }',
    only: ['pay', 'settleOrders', 'pass', 'saveAccount', 'startRun'],
  },
  {
    name: 'a change of the plan for all methods changes the plans of single methods',
    file: 'plans.ts',
    find: 'return methodPlans.get(method) ?? plan',
    put: 'return methodPlans.has(method) ? plan : plan',
    only: ['pay', 'openTransfer', 'deposit', 'changeMethodPlan', 'changeTerms'],
  },
  {
    name: 'merchants of a named plan keep their terms when it changes',
    file: 'plans.ts',
    find: 'if (shop.follows === named.name) copyPlans(named, shop)',
    put: 'if (shop.follows === undefined) copyPlans(shop, shop)',
    only: ['pay', 'changeNamedPlan', 'followPlan'],
  },
  {
    name: 'a payment may exceed the limit of a day',
    file: 'limits.ts',
    find: 'if (isOver(merNo, own, day, limits.daily))',
    put: 'if (value < 0n && isOver(merNo, own, day, limits.daily))',
    only: ['pay', 'changeLimits'],
  },
  {
    name: 'a failed payment still counts against the limits',
    file: 'limits.ts',
    find: "return standing !== 'failed' && standing !== 'cancelled'",
    put: "return standing !== 'cancelled'",
    only: ['pay', 'resolve'],
  },
  {
    name: 'a method without refunds makes refunds',
    file: 'refunds.ts',
    find: 'order.tries.length > 0 && !mayRefund(order.method)',
    put: 'order.tries.length < 0',
    only: ['pay', 'refund'],
  },
  {
    name: 'a report that comes after a later stage of its dispute moves money',
    file: 'disputes.ts',
    find: "if (earlier.some((one) => isLater(one, report))) return 'noted'",
    put: "if (earlier.length > 99 && earlier.some((one) => isLater(one, report))) return 'noted'",
    only: ['pay', 'reportDispute', 'resolveChargeback'],
  },
  {
    name: 'a channel opens a chargeback that an operator has recorded',
    file: 'disputes.ts',
    find: "stage === 'inquiry' || isFinal ? undefined : recordedBefore(report)",
    put: "stage === 'inquiry' || isFinal || attempt > 0 ? undefined : recordedBefore(report)",
    only: ['pay', 'chargeBack', 'reportDispute'],
  },
  {
    name: 'money that an operator stated counts again when the channel reports it',
    file: 'deposits.ts',
    find: 'const known = least(stated, amount)',
    put: 'const known = least(0n * stated, amount)',
    only: ['openTransfer', 'deposit', 'decideUnknown', 'pass'],
  },
  {
    name: 'money of no order may be assigned to an order that still waits',
    file: 'deposits.ts',
    find: 'known !== undefined || isBusy(order) || currency !== order.currency',
    put: 'known !== undefined || currency !== order.currency',
    only: ['pay', 'openTransfer', 'deposit', 'importStatement', 'assignHeld'],
  },
  {
    name: 'money that a statement lists is booked although the channel has reported it',
    file: 'statements.ts',
    find: 'const change = most(listed - booked,',
    put: 'const change = most(listed - 0n * booked,',
    only: ['pay', 'importStatement'],
  },
  {
    name: 'a corrected statement leaves the money of its missing lines in suspense',
    file: 'statements.ts',
    find: 'for (const one of gone) one.stands = false',
    put: 'for (const one of gone) one.stands = true',
    only: ['pay', 'importStatement'],
  },
  {
    name: 'a returned refund credits all that was sent',
    file: 'refunds.ts',
    find: 'refund.cameBack = least(arrived, refund.amount)',
    put: 'refund.cameBack = refund.amount',
    only: ['pay', 'refund', 'returnedRefund'],
  },
]
