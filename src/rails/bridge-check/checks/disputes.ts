// Checks that the bridge lists disputes and reports them by callbacks.
import type { Dispute } from '../../contract/channel.ts'
import { disputeOrFault, fromChargebacks } from '../../protocols/bridge/card/disputes.ts'
import { Broken, type Check, hold, type TestedBridge } from '../check.ts'
import { expectCallback, payPayment, simulate, understood, unreadable } from '../expect.ts'

const DAY_MS = 86_400_000

async function disputesSince(bridge: TestedBridge, since: Date): Promise<readonly Dispute[]> {
  const answer = await bridge.call('chargebacks', { since: String(since.getTime()) })
  const disputes = understood(
    'list of disputes',
    answer,
    fromChargebacks({ kind: 'answer', ...answer }, new Date()),
  )
  if (disputes.kind === 'unknown') return []
  for (const bad of disputes.malformed) expectReadable(bad)
  return disputes.list
}

function expectReadable(dispute: unknown): void {
  const read = disputeOrFault(dispute, new Date())
  if (typeof read === 'string') throw unreadable('dispute', read, dispute)
}

function expectOrder(list: readonly Dispute[]): void {
  const times = list.map(({ at }) => at.getTime())
  hold(
    times.every((at, index) => at >= (times[index - 1] ?? 0)),
    'The disputes are not in order of time.',
  )
}

const listed: Check = {
  name: 'disputes',
  title: 'lists disputes since a moment, oldest first',
  todo: 'Answer "chargebacks" with 200 and {"list": […]}: every dispute that reached a stage since then, once, in its last stage, the time of that stage in milliseconds as "disputedAt".',
  needs: ['chargebacks'],
  async run(bridge) {
    const list = await disputesSince(bridge, new Date(Date.now() - DAY_MS))
    expectOrder(list)
    const tomorrow = new Date(Date.now() + DAY_MS)
    const { status } = await bridge.call('chargebacks', { since: String(tomorrow.getTime()) })
    // A bridge may refuse the query, because the time is in the future.
    const later = status === 400 ? [] : await disputesSince(bridge, tomorrow)
    hold(later.length === 0, 'Disputes are listed that reached their stage before "since".')
  },
}

const reported: Check = {
  name: 'dispute-stages',
  title: 'reports a dispute and its later stages, by a callback and in the list',
  todo: 'Keep the dispute\'s "id" from stage to stage, set "stage" and the time of the stage, and post it with "type": "dispute" to the payment\'s "callbackUrl".',
  needs: ['open', 'lookup', 'simulate', 'chargebacks'],
  async run(bridge) {
    const since = new Date(Date.now() - DAY_MS)
    const { reference: earlier } = await payPayment(bridge)
    await simulate(bridge, { reference: earlier, event: 'dispute', stage: 'open' })
    const { reference } = await payPayment(bridge)
    const ids = new Set<string>()
    for (const stage of ['open', 'won'] as const) {
      await simulate(bridge, { reference, event: 'dispute', stage })
      const list = await disputesSince(bridge, since)
      const [found, ...more] = list.filter((one) => one.reference === reference)
      if (found === undefined) throw new Broken('A new dispute is not in the list of "chargebacks".')
      hold(more.length === 0, `One dispute is ${more.length + 1} times in the list of "chargebacks".`)
      expectOrder(list)
      hold(found.stage === stage, `The list says "${found.stage}", not "${stage}".`)
      ids.add(found.disputeRef)
    }
    hold(ids.size === 1, 'A dispute changed its "id" with its stage.')
    const content = await expectCallback(bridge, 'a dispute', (one) => ids.has(String(one.id)))
    hold(content.type === 'dispute', 'The callback about a dispute has no "type": "dispute".')
    expectReadable(content)
  },
}

export const disputeChecks: readonly Check[] = [listed, reported]
