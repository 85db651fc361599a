// Disputes and statements: what the gateway compares its books with.
import { readPage } from '../../channels/bridge/fetch-statement.ts'
import { fromChargebacks, toDispute } from '../../channels/card/disputes.ts'
import type { Dispute } from '../../channels/contract.ts'
import { Broken, type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import { expectCallback, expectRefusal, payPayment, shown, simulate, understood } from '../expect.ts'

const DAY_MS = 86_400_000

async function disputesSince(bridge: TestedBridge, since: Date): Promise<readonly Dispute[]> {
  const answer = await bridge.call('chargebacks', { since: String(since.getTime()) })
  const disputes = understood(
    'list of disputes',
    answer,
    fromChargebacks({ kind: 'answer', ...answer }, new Date()),
  )
  if (disputes.kind === 'unknown') return []
  const [bad] = disputes.malformed
  hold(disputes.malformed.length === 0, `The gateway cannot read this dispute: ${shown(bad)}`)
  return disputes.list
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
    // A bridge may refuse a moment that is to come.
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
    hold(
      toDispute(content, new Date()) !== undefined,
      `The gateway cannot read this dispute: ${shown(content)}`,
    )
  },
}

const CLOSED_LATER = 409
const MAX_PAGES = 1_000

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The references of a day's statement; undefined while the rail has not closed the day. */
async function statementOf(bridge: TestedBridge, day: string): Promise<readonly string[] | undefined> {
  const references: string[] = []
  let after: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const answer = await bridge.call('statement', after === undefined ? { day } : { day, after })
    if (answer.status === CLOSED_LATER && after === undefined) return undefined
    const page = readPage({ kind: 'answer', ...answer }, day)
    if (typeof page === 'string') throw new Broken(`The gateway cannot read the statement: ${page}.`)
    for (const { reference } of page.lines) references.push(reference)
    hold(page.next === undefined || page.lines.length > 0, 'A page with "next" has no lines.')
    hold(page.next === undefined || page.next !== after, 'A page has itself as "next".')
    after = page.next
    if (after === undefined) return references
  }
  throw new Broken(`The statement has more than ${MAX_PAGES} pages.`)
}

/** A bridge that was set up today may have no statement of the day before. */
async function ifKept(bridge: TestedBridge, day: string): Promise<readonly string[] | undefined> {
  const { status } = await bridge.call('statement', { day })
  return status === 200 ? statementOf(bridge, day) : undefined
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
    const yesterday = dayOf(Date.now() - DAY_MS)
    const before =
      references === undefined ? await statementOf(bridge, yesterday) : await ifKept(bridge, yesterday)
    // Midnight may have passed between the payment and the statement.
    if (paid !== undefined && today === dayOf(Date.now())) {
      const count = (list: readonly string[]) => list.filter((one) => one === paid.reference).length
      if (references !== undefined) {
        hold(count(references) > 0, "A payment of today is not in today's statement.")
        hold(count(references) === 1, "A payment of today is more than once in today's statement.")
      }
      hold(count(before ?? []) === 0, "A payment of today is in yesterday's statement.")
    }
    if (references === undefined && before === undefined)
      throw new NotChecked('The rail has closed neither today nor yesterday.')
  },
}

export const bookChecks: readonly Check[] = [listed, reported, statement]
