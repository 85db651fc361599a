// Money that payers send, and money that fits no order.
import type { Deposit, Model, Order, Suspense } from './facts.ts'
import { least, most, sumOf } from './money.ts'
import { isBusy, pay } from './orders.ts'
import { rowsOf } from './statements.ts'

/** Holds money in suspense for an attempt. */
function hold(
  model: Model,
  order: Order,
  { attempt, amount, currency }: Deposit,
  about: Pick<Suspense, 'why'> & Partial<Suspense>,
): void {
  const { shop, tries } = order
  const channel = tries[attempt - 1]?.method ?? order.method
  if (amount === 0n) return
  const money = { merNo: shop.merNo, order, attempt, channel, currency, amount }
  model.suspense.push({
    ...money,
    state: 'held',
    origin: 'channel',
    line: undefined,
    isAssigned: false,
    ...about,
  })
}

/** Holds a deposit that does not pay the order, less the part that a statement has already listed. */
export function holdBack(model: Model, order: Order, deposit: Deposit, why: Suspense['why']): void {
  const { attempt, amount, currency, isStated = false } = deposit
  const rows = rowsOf(model, order, attempt).filter((one) => one.currency === currency)
  const key = `${attempt} ${currency}`
  const beyond = order.beyond.get(key) ?? 0n
  const listed = sumOf(rows.filter(({ origin }) => origin === 'statement').map((one) => one.amount))
  const unreported = sumOf(rows.map((one) => one.amount)) - beyond
  const known = least(most(least(unreported, listed), 0n), amount)
  order.beyond.set(key, beyond + amount)
  hold(
    model,
    order,
    { ...deposit, amount: amount - known },
    { why, origin: isStated ? 'statement' : 'channel' },
  )
}

function receivedOf({ deposits, currency }: Order): bigint {
  return sumOf(deposits.filter((one) => one.currency === currency).map(({ amount }) => amount))
}

/** The channel reports a deposit. Money that an operator has already stated does not count twice. */
export function receive(model: Model, order: Order, deposit: Deposit): void {
  const { attempt, amount, currency } = deposit
  const stated = currency === order.currency ? (order.stated.get(attempt) ?? 0n) : 0n
  const known = least(stated, amount)
  order.stated.set(attempt, stated - known)
  if (amount > known) arrive(model, order, { ...deposit, amount: amount - known })
}

/**
 * An operator states the total that the channel has received for the latest attempt. Returns false if the total is not
 * above the sum of the known deposits.
 */
export function state(model: Model, order: Order, total: bigint): boolean {
  const amount = total - receivedOf(order)
  if (amount <= 0n) return false
  const attempt = order.tries.length
  order.stated.set(attempt, (order.stated.get(attempt) ?? 0n) + amount)
  arrive(model, order, { attempt, amount, currency: order.currency, isStated: true })
  return true
}

/**
 * An open order waits until its deposits reach the price. The order then succeeds, and a surplus is held in suspense.
 * Money for an ended attempt is held as `surplus` if the attempt paid the order, and otherwise as `late`. Money in
 * another currency is held as `unmatched`.
 */
function arrive(model: Model, order: Order, deposit: Deposit): void {
  if (deposit.currency !== order.currency) {
    holdBack(model, order, deposit, 'unmatched')
    return
  }
  const { attempt } = deposit
  if (attempt !== order.tries.length || !isBusy(order)) {
    holdBack(model, order, deposit, attempt === order.paidBy ? 'surplus' : 'late')
    return
  }
  order.deposits.push(deposit)
  const received = receivedOf(order)
  if (received < order.price) return
  succeed(model, order)
  const { currency, price } = order
  holdBack(model, order, { attempt, amount: received - price, currency }, 'surplus')
}

/** The order is paid in full. The money belongs to the merchant, or waits for a review. */
export function succeed(model: Model, order: Order): void {
  order.attempt = 'succeeded'
  order.paidBy = order.tries.length
  if (order.isReviewed) {
    order.standing = 'in review'
    order.review = {
      information: 'asked',
      state: 'undecided',
      returns: 0,
      isByChannel: false,
      cameBack: false,
    }
  } else pay(order, order.price, model.rates, model.nowMs)
}

/** Money in suspense can be accepted if its order was cancelled and has the same currency. */
export function mayAccept({ order, currency, state }: Suspense): boolean {
  return state === 'held' && order?.standing === 'cancelled' && currency === order.currency
}

/**
 * Accepts all held money of the attempt in this currency, and pays the order with it on the terms of the attempt. An
 * amount above the price stays in suspense.
 */
export function accept(model: Model, { order, attempt, currency }: Suspense): void {
  if (order === undefined || attempt === undefined) return
  const held = model.suspense.filter(
    (one) =>
      one.order === order && one.attempt === attempt && one.currency === currency && one.state === 'held',
  )
  for (const one of held) one.state = 'accepted'
  const received = sumOf(held.map(({ amount }) => amount))
  order.paidBy = attempt
  order.isPaidFromSuspense = true
  Object.assign(order, order.tries[attempt - 1])
  pay(order, least(received, order.price), model.rates, model.nowMs)
  const surplus = received - least(received, order.price)
  hold(model, order, { attempt, amount: surplus, currency }, { why: 'surplus', origin: 'split' })
}

/**
 * Returns the attempt to which money without an order may be assigned: the order's latest attempt at the channel that
 * has the money. Returns undefined if there is none, if the currency differs, or if the order waits for an outcome.
 */
export function attemptFor(
  order: Order,
  { state, order: known, channel, currency }: Suspense,
): number | undefined {
  if (state !== 'held' || known !== undefined || isBusy(order) || currency !== order.currency)
    return undefined
  const at = order.tries.findLastIndex(({ method }) => method === channel)
  return at < 0 ? undefined : at + 1
}

/** Assigned money stays in suspense under its order: as `late` if the order is not paid, otherwise as `surplus`. */
export function assign(model: Model, money: Suspense, order: Order, attempt: number): void {
  const { amount, currency, line } = money
  money.state = 'assigned'
  const why = order.money === undefined ? 'late' : 'surplus'
  hold(model, order, { attempt, amount, currency }, { why, origin: 'statement', line, isAssigned: true })
}
