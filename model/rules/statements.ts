// Statements of channels: tables of the payments that a channel received. Money that a statement lists and that we have
// not booked is held in suspense, except money of an undecided attempt, and money of a paid order in another currency.
// Held money that only statements listed leaves suspense when a corrected statement no longer lists it. A statement
// never changes a merchant's balance.
import type { Model, Order, StatementLine, Suspense } from './facts.ts'
import { least, most, sumOf } from './money.ts'
import { isBusy } from './orders.ts'

/**
 * A line of a file: either about one of our attempts or under a name that we do not know. A negative amount is a
 * reversal.
 */
export type FileLine = Omit<StatementLine, 'statementId' | 'stands'>

/** Imports a file. If the file replaces an earlier statement, that statement's missing lines are withdrawn. */
export function importFile(
  model: Model,
  {
    statementId,
    replaces,
    lines,
  }: { statementId: string; replaces: string | undefined; lines: readonly FileLine[] },
): void {
  const listed = new Set<StatementLine>()
  for (const line of lines) {
    const known = findKnown(model, line, listed)
    const one = known ?? { ...line, statementId, stands: true }
    if (known === undefined) model.statementLines.push(one)
    else Object.assign(known, { ...line, statementId, stands: true })
    listed.add(one)
  }
  const gone = model.statementLines.filter(
    (one) => one.stands && one.statementId === replaces && !listed.has(one),
  )
  for (const one of gone) one.stands = false
  settle(model, [...listed, ...gone])
}

/**
 * Returns the known line that the file lists again: the line with the same id, or an equal line if the line has no id.
 * A known line is matched only once, so equal lines of one file are several payments.
 */
function findKnown(
  { statementLines }: Model,
  line: FileLine,
  listed: ReadonlySet<StatementLine>,
): StatementLine | undefined {
  const free = statementLines.filter((one) => one.channel === line.channel && !listed.has(one))
  if (line.id !== undefined) return free.find(({ id }) => id === line.id)
  const equal = free.filter(
    (one) =>
      one.order === line.order &&
      one.attempt === line.attempt &&
      one.name === line.name &&
      one.day === line.day &&
      one.currency === line.currency &&
      one.amount === line.amount,
  )
  return equal.find(({ stands }) => stands) ?? equal[0]
}

function settle(model: Model, touched: readonly StatementLine[]): void {
  const attempts = new Map<string, Order>()
  const names = new Set<string>()
  for (const { order, attempt, channel, currency, name } of touched) {
    if (order !== undefined && attempt !== undefined) attempts.set(`${order.tradeNo} ${attempt}`, order)
    else names.add(`${channel} ${currency} ${name}`)
  }
  for (const [key, order] of attempts) settleAttempt(model, order, Number(key.split(' ')[1]))
  for (const key of names) settleName(model, key)
}

/**
 * Books nothing while the attempt is undecided, because its outcome will book the money. Afterwards, the larger of two
 * sums counts: what the channel reported, and what the statements list.
 */
function settleAttempt(model: Model, order: Order, attempt: number): void {
  if (attempt === order.tries.length && isBusy(order)) return
  const lines = model.statementLines.filter(
    (one) => one.stands && one.order === order && one.attempt === attempt,
  )
  const currencies = new Set([
    order.currency,
    ...lines.map(({ currency }) => currency),
    ...rowsOf(model, order, attempt).map(({ currency }) => currency),
  ])
  for (const currency of currencies) {
    const listed = sumOf(lines.filter((one) => one.currency === currency).map(({ amount }) => amount))
    const rows = rowsOf(model, order, attempt).filter((one) => one.currency === currency)
    const booked = paidDirectly(order, attempt, currency) + sumAmounts(rows.filter((one) => !one.isAssigned))
    const change = most(listed - booked, -unconfirmed(order, attempt, { currency, rows }))
    if (change < 0n)
      withdraw(
        model,
        rows.filter((one) => one.origin === 'statement' && !one.isAssigned),
        -change,
      )
    // A statement may list a paid order in another currency. The line is not a second payment.
    const isOther = attempt === order.paidBy && currency !== order.currency
    if (change <= 0n || isOther) continue
    const why = currency !== order.currency ? 'unmatched' : attempt === order.paidBy ? 'surplus' : 'late'
    const channel = order.tries[attempt - 1]?.method ?? order.method
    const { merNo } = order.shop
    const about = { merNo, order, attempt, channel, currency, amount: change, why } as const
    model.suspense.push({ ...about, state: 'held', origin: 'statement', line: undefined, isAssigned: false })
  }
}

/**
 * Returns the money of an attempt that did not pay its order, held or already decided on. Leaves out withdrawn money,
 * splits, which are no new money, and assigned money that no statement line lists.
 */
export function rowsOf({ suspense }: Model, order: Order, attempt: number): Suspense[] {
  return suspense.filter(
    (one) =>
      one.order === order &&
      one.attempt === attempt &&
      one.origin !== 'split' &&
      one.state !== 'withdrawn' &&
      !(one.isAssigned && one.line === undefined),
  )
}

function paidDirectly(order: Order, attempt: number, currency: string): bigint {
  const isPaid = attempt === order.paidBy && currency === order.currency && !order.isPaidFromSuspense
  return isPaid ? order.price : 0n
}

/** The held money that statements list and that the channel has not reported itself. */
function unconfirmed(
  order: Order,
  attempt: number,
  { currency, rows }: { readonly currency: string; readonly rows: readonly Suspense[] },
): bigint {
  const held = rows.filter(({ state, origin }) => state === 'held' && origin === 'statement')
  const own = sumAmounts(held.filter(({ line }) => line === undefined))
  const reported = sumAmounts(rows.filter(({ origin }) => origin === 'channel'))
  const confirmed = most((order.beyond.get(`${attempt} ${currency}`) ?? 0n) - reported, 0n)
  return least(own, most(sumAmounts(held) - confirmed, 0n))
}

/**
 * For each line under an unknown name, holds the amount that is left after reversals. Money that an operator has
 * decided on stays unchanged.
 */
function settleName(model: Model, key: string): void {
  const all = model.statementLines.filter((one) => `${one.channel} ${one.currency} ${one.name}` === key)
  const left = takeBack(all.filter(({ stands }) => stands))
  for (const line of all) {
    if (line.amount < 0n) continue
    const rows = model.suspense.filter(
      (one) => one.line === line && one.state !== 'assigned' && one.state !== 'withdrawn',
    )
    const target = left.get(line) ?? 0n
    const excess = sumAmounts(rows) - target
    if (excess > 0n) withdraw(model, rows, excess)
    if (excess >= 0n) continue
    const { channel, currency } = line
    const about = {
      merNo: 0,
      order: undefined,
      attempt: undefined,
      channel,
      currency,
      amount: -excess,
    } as const
    model.suspense.push({
      ...about,
      why: 'unmatched',
      state: 'held',
      origin: 'statement',
      line,
      isAssigned: false,
    })
  }
}

/** A reversal takes back a line of the same amount, or else the first lines of the same name. */
function takeBack(lines: readonly StatementLine[]): Map<StatementLine, bigint> {
  const left = new Map(lines.filter(({ amount }) => amount > 0n).map((one) => [one, one.amount] as const))
  const reversals = lines.filter(({ amount }) => amount < 0n).map(({ amount }) => ({ open: -amount }))
  const take = (reversal: { open: bigint }, line: StatementLine) => {
    const taken = least(reversal.open, left.get(line) ?? 0n)
    left.set(line, (left.get(line) ?? 0n) - taken)
    reversal.open -= taken
  }
  for (const reversal of reversals) {
    const whole = [...left.keys()].find((line) => left.get(line) === reversal.open)
    if (whole !== undefined) take(reversal, whole)
  }
  for (const reversal of reversals) for (const line of left.keys()) take(reversal, line)
  return left
}

/** Withdraws held rows up to the amount, the latest row first. The rest of the last row is held as a new row. */
function withdraw(model: Model, rows: readonly Suspense[], amount: bigint): void {
  let open = amount
  for (const one of rows.filter(({ state }) => state === 'held').toReversed()) {
    if (open <= 0n) return
    one.state = 'withdrawn'
    open -= one.amount
    if (open < 0n) model.suspense.push({ ...one, amount: -open, state: 'held', origin: 'statement' })
  }
}

function sumAmounts(rows: readonly { readonly amount: bigint }[]): bigint {
  return sumOf(rows.map(({ amount }) => amount))
}
