// The steps that check a real payment, its refund, and the books after both.

import { verifyLedger } from '../../money/ledger/verify-ledger.ts'
import {
  findLastPayment,
  findLastRefund,
  type LastTry,
  listProvenChannels,
  type ProvenChannel,
} from '../../money/order-queries/list-proven-channels.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { isMethod, methods } from '../../rails/methods/methods.ts'
import { done, missing, type Step, type StepDeps, type StepResult } from './step.ts'

const MONTH_MS = 30 * 86_400_000
const PAY = 'run "golive link MERNO --currency EUR --amount 1.00", and pay it'

const monthAgo = ({ clock }: StepDeps) => new Date(clock.now().getTime() - MONTH_MS)

export const payment: Step = {
  name: 'payment',
  title: 'A real payment',
  async check(deps) {
    const db = await deps.database()
    const { paid } = await choosePaid(deps)
    if (paid !== undefined) return done(`${paid.tradeNo} was paid through ${paid.channel}`)
    const last = await findLastPayment(db, monthAgo(deps))
    return last === undefined ? missing('nothing was paid in the last 30 days', PAY) : notPaid(last)
  },
}

/**
 * Chooses the payment that the steps `payment` and `refund` report. A refunded payment comes first, then a refundable
 * one, then any other.
 */
async function choosePaid(deps: StepDeps) {
  const all = await listProvenChannels(await deps.database(), monthAgo(deps))
  const entries = all.length === 0 ? [] : await deps.entries()
  const cannot = new Set(entries.filter(({ refunds }) => refunds === false).map(({ name }) => name))
  const refundable = all.filter((one) => isRefundable(one) && !cannot.has(one.channel))
  const best = refundable.find(({ isRefunded }) => isRefunded) ?? refundable[0]
  return { all, paid: best ?? all[0], refundable: best }
}

/**
 * The result if the last payment failed, waits for its payer, or has an unknown outcome. In the last two cases, the
 * operator must not pay a second time.
 */
function notPaid({ tradeNo, channel, state, message }: LastTry): StepResult {
  if (state === 'failed') return missing(`${tradeNo} failed at ${channel}: ${message}`, PAY)
  if (state === 'pending')
    return missing(
      `${tradeNo} waits for its payer at ${channel}`,
      'finish it on the page where you began to pay; do not pay a second time',
    )
  return missing(
    `${channel} has not said what became of ${tradeNo}`,
    `wait, and do not pay a second time: the gateway goes on asking; "explain ${tradeNo}" shows it`,
  )
}

export const refund: Step = {
  name: 'refund',
  title: 'Its refund',
  async check(deps) {
    const { refundable, all } = await choosePaid(deps)
    if (refundable === undefined)
      return done(`what was paid cannot be refunded: ${all.map(({ channel }) => channel).join(', ')}`)
    const { tradeNo, channel, isRefunded } = refundable
    const last = await findLastRefund(await deps.database(), channel, monthAgo(deps))
    if (isRefunded) return done(`${tradeNo} was refunded through ${channel}${laterFailure(last)}`)
    return last === undefined ? missing('no payment was refunded', refundTodo(tradeNo)) : notRefunded(last)
  },
}

/**
 * A note if the last refund failed or came back. One refund completes the step, but operators should know of the
 * failure.
 */
function laterFailure(last: LastTry | undefined): string {
  return last?.state === 'failed' || last?.state === 'returned' ? `, but later ${failureOf(last)}` : ''
}

function failureOf({ refundNo, channel, state, message }: LastTry): string {
  return `${refundNo} ${state === 'failed' ? 'failed' : 'came back'} at ${channel}: ${message}`
}

function isRefundable({ method }: ProvenChannel): boolean {
  return isMethod(method) && methods[method].refundable
}

function refundTodo(tradeNo: string): string {
  const login = `"user create --email E --role owner --merno ${merNoOf(tradeNo)}" makes a login`
  return `open ${tradeNo} in the back office, as its merchant, and refund it (${login})`
}

function notRefunded(last: LastTry): StepResult {
  const { tradeNo, refundNo, channel, state } = last
  if (state === 'waiting')
    return missing(`${refundNo} waits for approval`, `run "refund approve ${refundNo}"`)
  if (state === 'failed' || state === 'returned')
    return missing(failureOf(last), `remove the cause at ${channel}, then again ${refundTodo(tradeNo)}`)
  return missing(
    `${channel} has not decided ${refundNo} yet`,
    `wait: the gateway goes on asking; "explain ${tradeNo}" shows it`,
  )
}

export const books: Step = {
  name: 'books',
  title: 'Sound books',
  async check({ database }) {
    const { differences, entries } = await verifyLedger(await database())
    return differences.length === 0
      ? done(`${entries} entries add up`)
      : missing(`${differences.length} balances differ from their entries`, 'run "ledger verify"')
  },
}
