// Disputes and statements: what the gateway compares its books with.
import { readPage } from '../../channels/bridge/fetch-statement.ts'
import { fromChargebacks, toDispute } from '../../channels/card/disputes.ts'
import type { Dispute } from '../../channels/contract.ts'
import { Broken, type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import { expectCallback, expectRefusal, payPayment, shown, simulate, understood } from '../expect.ts'

const DAY_MS = 86_400_000

async function disputesSince(bridge: TestedBridge, since: Date): Promise<readonly Dispute[]> {
  const answer = await bridge.call('chargebacks', { since: String(since.getTime()) })
  const disputes = understood('list of disputes', answer, fromChargebacks({ kind: 'answer', ...answer }))
  return disputes.kind === 'listed' ? disputes.list : []
}

const listed: Check = {
  name: 'disputes',
  title: 'lists disputes since a moment, oldest first',
  todo: 'Answer "chargebacks" with 200 and {"list": […]}: every dispute that reached a stage since then, the time of that stage in milliseconds as "disputedAt".',
  needs: ['chargebacks'],
  async run(bridge) {
    const list = await disputesSince(bridge, new Date(Date.now() - DAY_MS))
    const times = list.map(({ at }) => at.getTime())
    hold(
      times.every((at, index) => at >= (times[index - 1] ?? 0)),
      'The disputes are not in order of time.',
    )
  },
}

const reported: Check = {
  name: 'dispute-stages',
  title: 'reports a dispute and its later stages, by a callback and in the list',
  todo: 'Keep the dispute\'s "id" from stage to stage, set "stage" and the time of the stage, and post it with "type": "dispute" to the payment\'s "callbackUrl".',
  needs: ['open', 'lookup', 'simulate', 'chargebacks'],
  async run(bridge) {
    const since = new Date(Date.now() - DAY_MS)
    const { reference } = await payPayment(bridge)
    const ids = new Set<string>()
    for (const stage of ['open', 'won'] as const) {
      await simulate(bridge, { reference, event: 'dispute', stage })
      const found = (await disputesSince(bridge, since)).find((one) => one.reference === reference)
      if (found === undefined) throw new Broken('A new dispute is not in the list of "chargebacks".')
      hold(found.stage === stage, `The list says "${found.stage}", not "${stage}".`)
      ids.add(found.disputeRef)
    }
    hold(ids.size === 1, 'A dispute changed its "id" with its stage.')
    const content = await expectCallback(bridge, 'a dispute', (one) => ids.has(String(one.id)))
    hold(content.type === 'dispute', 'The callback about a dispute has no "type": "dispute".')
    hold(toDispute(content) !== undefined, `The gateway cannot read this dispute: ${shown(content)}`)
  },
}

const CLOSED_LATER = 409
const MAX_PAGES = 1_000

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The references of a day's statement; undefined while the rail has not closed the day. */
async function statementOf(bridge: TestedBridge, day: string): Promise<ReadonlySet<string> | undefined> {
  const references = new Set<string>()
  let after: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const answer = await bridge.call('statement', after === undefined ? { day } : { day, after })
    if (answer.status === CLOSED_LATER && after === undefined) return undefined
    const page = readPage({ kind: 'answer', ...answer }, day)
    if (typeof page === 'string') throw new Broken(`The gateway cannot read the statement: ${page}.`)
    for (const { reference } of page.lines) references.add(reference)
    hold(page.next === undefined || page.lines.length > 0, 'A page with "next" has no lines.')
    hold(page.next === undefined || page.next !== after, 'A page has itself as "next".')
    after = page.next
    if (after === undefined) return references
  }
  throw new Broken(`The statement has more than ${MAX_PAGES} pages.`)
}

const statement: Check = {
  name: 'statement',
  title: 'lists what was final on a day, in UTC, page by page',
  todo: 'Answer "statement" with 200, the same "day", and "lines": one for each deposit, refund, payout and dispute of that day, with the gateway\'s reference. Send at most 64 KiB, and "next" if there is more.',
  needs: ['statement'],
  async run(bridge) {
    const wrong = await bridge.call('statement', { day: '2026-13-41' })
    expectRefusal(wrong, 400, 'invalid_request', 'A day that does not exist')
    const today = dayOf(Date.now())
    const isPaying = ['open', 'lookup', 'simulate'].every(bridge.offers)
    const paid = isPaying ? await payPayment(bridge) : undefined
    const references = await statementOf(bridge, today)
    // Midnight may have passed between the payment and the statement.
    if (references !== undefined && paid !== undefined && today === dayOf(Date.now()))
      hold(references.has(paid.reference), "A payment of today is not in today's statement.")
    if (references === undefined && (await statementOf(bridge, dayOf(Date.now() - DAY_MS))) === undefined)
      throw new NotChecked('The rail has closed neither today nor yesterday.')
  },
}

export const bookChecks: readonly Check[] = [listed, reported, statement]
