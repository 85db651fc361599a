// A merchant enters a payout run. The accounts are new, so a second person must approve. At times two people decide at
// once.
import type { Operation } from '../operation.ts'
import { officeCall, reason, someOf } from './office-call.ts'
import { home, IBAN } from './payee-accounts.ts'

const NAME = 'run payouts'

export const runPayouts: Operation = {
  name: NAME,
  weight: 5,
  async run(actor) {
    const { world, shop, random } = actor
    const [first, second] = someOf(world.office.ownersOf(shop), actor)
    if (first === undefined || second === undefined) return
    const lines = Array.from({ length: 1 + random.below(3) }, () => ({
      withdrawType: '3',
      cardNo: IBAN,
      ...home,
      benFirstName: 'Test',
      benLastName: 'Payee',
      currencyCode: random.pick(['USD', 'EUR']) ?? 'USD',
      sourceAmount: `${1 + random.below(9)}.50`,
    }))
    const body = { lines, reason, key: world.witness.newNumber('run-key-') }
    const begin = () => officeCall(actor, NAME, 'a run of payouts', first, 'POST /payouts/runs', { body })
    // The form may be sent twice. The two requests must start only one run.
    const [begun] = await Promise.all(random.chance(0.2) ? [begin(), begin()] : [begin()])
    if (begun?.kind !== 'done' || begun.reply.approvalId === undefined) return
    const { approvalId, runId } = begun.reply
    const input = { params: { approvalId }, body: { reason } }
    const by = `${NAME}: decide`
    const approve = (person: typeof first) =>
      officeCall(actor, by, runId, person, 'POST /payouts/approvals/:approvalId/approve', input)
    const reject = () =>
      officeCall(actor, by, runId, first, 'POST /payouts/approvals/:approvalId/reject', input)
    const kind = random.below(10)
    if (kind < 5) await approve(second)
    else if (kind < 7) await Promise.all([approve(second), approve(first)])
    else await Promise.all([approve(second), reject()])
  },
}
