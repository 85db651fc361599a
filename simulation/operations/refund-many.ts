// A merchant refunds many orders with a bulk refund, and starts the refunds twice at once.
import type { Operation } from '../operation.ts'
import { officeCall, reason, someOf } from './office-call.ts'
import { sampleSeen } from './pick-order.ts'

const NAME = 'refund many orders'
const SUCCEEDED = 5

export const refundMany: Operation = {
  name: NAME,
  weight: 4,
  async run(actor) {
    const { world, shop, random } = actor
    const [person] = someOf(world.office.ownersOf(shop), actor)
    const orders = sampleSeen(actor, [SUCCEEDED])
    if (person === undefined || orders.length === 0) return
    const rows = orders.map(({ number }) => (random.chance(0.5) ? { number, amount: '1.00' } : { number }))
    const checked = await officeCall(actor, NAME, 'a bulk refund', person, 'POST /bulk-refunds', {
      body: { reason, rows },
    })
    if (checked.kind !== 'done') return
    const { bulkId, version } = checked.reply
    const input = { params: { bulkId }, body: { version } }
    const start = () =>
      officeCall(actor, `${NAME}: start`, bulkId, person, 'POST /bulk-refunds/:bulkId/start', input)
    await Promise.all([start(), start()])
  },
}
