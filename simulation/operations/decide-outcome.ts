// An operator decides an unknown outcome by looking into the counterparty's own book while no call is under way. At
// times two operators decide at once.
import { attemptReference } from '../../src/money/orders/order.ts'
import { readCounterpartyBooks } from '../counterparty-books.ts'
import type { Actor, Operation } from '../operation.ts'
import type { World } from '../world/world.ts'
import { command } from './command.ts'
import { officeCall, reason, someOf } from './office-call.ts'

const NAME = 'decide an outcome'

type Candidate = {
  readonly trade_no: string
  readonly refund_no: string | null
  readonly attempt_no: number
  readonly asks: number
}

/** The next call for a candidate is due later than this, so no worker calls during the decision. */
const QUIET = `interval '6 seconds'`
const QUIET_MS = 20_000

const candidates = `
  select trade_no, refund_no, attempt_no, asks from refunds
  where state = 'unknown' and ask_at > now() + ${QUIET}
  union all
  select trade_no, null, attempt_no, asks from attempt_rows
  where state = 'unknown' and channel = 'card' and asks > 0 and ask_at > now() + ${QUIET}`

export const decideOutcome: Operation = {
  name: NAME,
  weight: 6,
  async run(actor) {
    const { world, random } = actor
    const found = await world.db.query<Candidate>({ text: candidates }).catch(() => [])
    const open = random.pick(found)
    if (open === undefined || world.channels.delayed() > 0 || wasClockAhead(world)) return
    const as = outcomeIn(world, open)
    if (as === undefined) return
    const { trade_no: tradeNo, refund_no: refundNo, asks } = open
    const subject = refundNo ?? attemptReference(tradeNo, open.attempt_no)
    if (!world.witness.decidedByHand.has(subject)) world.witness.decidedByHand.set(subject, asks)
    const [person] = someOf(world.office.operators, actor)
    const refund = refundNo === null ? {} : { refundNo }
    const body = { as, reason, ...refund }
    const input = { params: { tradeNo }, body }
    const byCommand = () =>
      command(
        actor,
        NAME,
        tradeNo,
        'outcome',
        'decide',
        '--trade-no',
        tradeNo,
        '--as',
        as,
        '--reason',
        reason,
        ...(refundNo === null ? [] : ['--refund-no', refundNo]),
      )
    const byOffice = () =>
      person && officeCall(actor, NAME, tradeNo, person, 'POST /outcomes/:tradeNo/decide', input)
    await Promise.all(random.chance(0.5) ? [byCommand(), byOffice()] : [byOffice()])
  },
}

/**
 * True if a node's clock was ahead in the last 20 seconds, because a node with such a clock takes over work before it
 * is due.
 */
function wasClockAhead({ nodes }: World): boolean {
  return nodes.some(({ aheads }) => aheads.some(({ until }) => until > Date.now() - QUIET_MS))
}

/** The outcome in the counterparty's book, or undefined if the payment is still open there. */
function outcomeIn({ dataDir }: Actor['world'], open: Candidate): 'succeeded' | 'failed' | undefined {
  const { charges, refunds } = readCounterpartyBooks(dataDir)
  if (open.refund_no !== null) {
    const reference = `B${open.refund_no.slice(1)}`
    const refund = refunds.find((one) => one.refundReference === reference)
    return refund?.succeeds === true ? 'succeeded' : 'failed'
  }
  const reference = attemptReference(open.trade_no, open.attempt_no)
  const charge = charges.find((one) => one.reference === reference)
  if (charge?.status === 'open') return undefined
  return charge?.status === 'paid' ? 'succeeded' : 'failed'
}
