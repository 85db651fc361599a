// Operators correct balances in a merchant's favour. Small corrections need one person, and large corrections wait for
// a second person's approval. At times two operators decide on the same approval at once, and may disagree.
import type { Operation } from '../operation.ts'
import { command } from './command.ts'
import { officeCall, reason, someOf } from './office-call.ts'

export const correctBalance: Operation = {
  name: 'correct a balance',
  weight: 5,
  async run(actor) {
    const { world, shop, random } = actor
    const amount = random.chance(0.2) ? `${1_500 + random.below(900)}.00` : `${20 + random.below(300)}.00`
    const entry = { from: 'platform:fees', to: 'merchant:available', amount, currency: 'USD' }
    const about = `merchant ${shop.merNo}`
    const [person] = someOf(world.office.operators, actor)
    if (person === undefined || random.chance(0.2)) {
      const options = Object.entries(entry).flatMap(([name, value]) => [`--${name}`, value])
      const args = ['--mer-no', String(shop.merNo), ...options, '--reason', reason]
      return void (await command(actor, this.name, about, 'ledger', 'correct', ...args))
    }
    const body = { merNo: String(shop.merNo), ...entry, reason }
    await officeCall(actor, this.name, about, person, 'POST /corrections', { body })
  },
}

export const decideApproval: Operation = {
  name: 'decide an approval',
  weight: 6,
  async run(actor) {
    const { world, random } = actor
    const [first, ...others] = someOf(world.office.operators, actor)
    if (first === undefined) return
    const query = { state: 'waiting' } as const
    const listed = await officeCall(actor, 'list approvals', 'approvals', first, 'GET /approvals', { query })
    const approval = listed.kind === 'done' ? random.pick(listed.reply.rows) : undefined
    if (approval === undefined) return
    const { approvalId } = approval
    const input = { params: { approvalId }, body: { reason } }
    const count = random.chance(0.5) ? 2 : 1
    await Promise.all(
      [first, ...others]
        .slice(0, count)
        .map((person) =>
          random.chance(0.7)
            ? officeCall(actor, this.name, approvalId, person, 'POST /approvals/:approvalId/approve', input)
            : officeCall(actor, this.name, approvalId, person, 'POST /approvals/:approvalId/reject', input),
        ),
    )
  },
}
