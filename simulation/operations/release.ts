// Operators approve or reject waiting refunds and payouts. At times one operator approves while another rejects.
import type { Operation } from '../operation.ts'
import { command } from './command.ts'
import { officeCall, reason, someOf } from './office-call.ts'

export const releaseRefund: Operation = {
  name: 'release a refund',
  weight: 8,
  async run(actor) {
    const { world, random } = actor
    const [first, second] = someOf(world.office.operators, actor)
    if (first === undefined || second === undefined) return
    const by = 'list waiting refunds'
    const listed = await officeCall(actor, by, 'refunds', first, 'GET /refunds/waiting', { query: {} })
    const waiting = listed.kind === 'done' ? random.pick(listed.reply.rows) : undefined
    if (waiting === undefined) return
    const { refundNo } = waiting
    const input = { params: { refundNo }, body: { reason } }
    const approve = () =>
      random.chance(0.3)
        ? command(actor, this.name, refundNo, 'refund', 'approve', refundNo)
        : officeCall(actor, this.name, refundNo, first, 'POST /refunds/:refundNo/approve', input)
    const reject = () =>
      officeCall(actor, this.name, refundNo, second, 'POST /refunds/:refundNo/reject', input)
    const kind = random.below(10)
    await Promise.all(kind < 4 ? [approve()] : kind < 5 ? [reject()] : [approve(), reject()])
  },
}

export const releasePayout: Operation = {
  name: 'release a payout',
  weight: 8,
  async run(actor) {
    const { world, random } = actor
    const [first, second] = someOf(world.office.operators, actor)
    if (first === undefined || second === undefined) return
    const by = 'list waiting payouts'
    const listed = await officeCall(actor, by, 'payouts', first, 'GET /payouts/waiting', { query: {} })
    const waiting = listed.kind === 'done' ? random.pick(listed.reply.rows) : undefined
    if (waiting === undefined) return
    const { tradeNo } = waiting
    const input = { params: { tradeNo }, body: { reason } }
    const approve = () =>
      random.chance(0.3)
        ? command(actor, this.name, tradeNo, 'payout', 'approve', tradeNo)
        : officeCall(actor, this.name, tradeNo, first, 'POST /payouts/:tradeNo/approve', input)
    const reject = () => officeCall(actor, this.name, tradeNo, second, 'POST /payouts/:tradeNo/reject', input)
    const kind = random.below(10)
    await Promise.all(kind < 5 ? [approve()] : kind < 6 ? [reject()] : [approve(), reject()])
  },
}
