// Checks that a day's statement lists each movement once, with the reference and type by which the gateway booked it.
import { isSameMoney, type Money } from '../../../platform/base/money.ts'
import type { ListedMovement } from '../../contract/statement.ts'
import { readPage } from '../../protocols/bridge/fetch-statement.ts'
import { Broken, type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import { expectRefusal, payPayment, simulate } from '../expect.ts'
import { maySend, payOut } from './payouts.ts'
import { refundOf } from './refunding.ts'

const DAY_MS = 86_400_000
type Lines = readonly ListedMovement[]

const CLOSED_LATER = 409
const MAX_PAGES = 1_000

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Returns the lines of the day. Undefined while the rail has not closed the day. */
async function statementOf(bridge: TestedBridge, day: string): Promise<Lines | undefined> {
  const lines: ListedMovement[] = []
  let after: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const answer = await bridge.call('statement', after === undefined ? { day } : { day, after })
    if (answer.status === CLOSED_LATER && after === undefined) return undefined
    const page = readPage({ kind: 'answer', ...answer }, day)
    if (typeof page === 'string') throw new Broken(`The gateway cannot read the statement: ${page}.`)
    lines.push(...page.lines)
    hold(page.next === undefined || page.lines.length > 0, 'A page with "next" has no lines.')
    hold(page.next === undefined || page.next !== after, 'A page has itself as "next".')
    after = page.next
    if (after === undefined) return lines
  }
  throw new Broken(`The statement has more than ${MAX_PAGES} pages.`)
}

/** Returns the lines of the day. Undefined if the bridge has no statement of the day, for example if it is new. */
async function ifKept(bridge: TestedBridge, day: string): Promise<Lines | undefined> {
  const { status } = await bridge.call('statement', { day })
  return status === 200 ? statementOf(bridge, day) : undefined
}

type Expected = Pick<ListedMovement, 'type' | 'reference'> & {
  readonly what: string
  /** The amount. Undefined if the rail may charge another amount. */
  readonly money?: Money
  /** For a refund: the payment's reference, which some bridges put into the line by mistake. */
  readonly payment?: string
}

async function makeMovements(bridge: TestedBridge): Promise<readonly Expected[]> {
  const { money } = bridge
  const expected: Expected[] = []
  if (['open', 'lookup', 'simulate'].every(bridge.offers)) {
    const { reference } = await payPayment(bridge)
    expected.push({ what: 'payment', type: 'payment', reference, money })
    if (bridge.offers('refund')) expected.push(...(await makeRefund(bridge, reference)))
    if (bridge.offers('chargebacks')) {
      const { reference: disputed } = await payPayment(bridge)
      await simulate(bridge, { reference: disputed, event: 'dispute', stage: 'open' })
      expected.push({ what: 'dispute', type: 'chargeback', reference: disputed })
      expected.push({ what: 'payment', type: 'payment', reference: disputed, money })
    }
  }
  if (['send', 'lookup'].every(bridge.offers) && maySend(bridge)) {
    const reference = bridge.reference()
    const { kind } = await payOut(bridge, reference)
    if (kind === 'succeeded') expected.push({ what: 'payout', type: 'payout', reference, money })
  }
  return expected
}

async function makeRefund(bridge: TestedBridge, payment: string): Promise<readonly Expected[]> {
  const refundReference = bridge.reference()
  const amount = bridge.money.amount / 2n
  const { kind } = await refundOf(bridge, { reference: payment, refundReference, amount })
  const money = { ...bridge.money, amount }
  const refund = { what: 'refund', type: 'refund', reference: refundReference, money, payment } as const
  return kind === 'succeeded' ? [refund] : []
}

function expectLine(lines: Lines, { what, type, reference, money, payment }: Expected): void {
  const [line, ...more] = lines.filter((one) => one.reference === reference && one.type === type)
  hold(more.length === 0, `A ${what} of today is ${more.length + 1} times in today's statement.`)
  if (line === undefined) {
    const named = lines.find((one) => one.reference === payment && one.type === type)
    hold(
      named === undefined,
      `The line of a ${what} names the payment: "reference" is its "refundReference".`,
    )
    const other = lines.find((one) => one.reference === reference)
    const found = other === undefined ? '' : ` with "type": "${type}"; a line has "type": "${other.type}"`
    throw new Broken(`A ${what} of today is not in today's statement${found}.`)
  }
  const isSame = money === undefined || isSameMoney(line.money, money)
  hold(isSame, `The line of a ${what} has another "amount" or "currency" than the ${what}.`)
}

export const statement: Check = {
  name: 'statement',
  title:
    'lists what was final on a day, in UTC, page by page: payments, refunds, payouts and disputes, each by its own reference and type',
  todo: 'Answer "statement" with 200, the same "day", and "lines": one for each deposit, refund, payout and dispute of that day, with the gateway\'s reference, of a refund its "refundReference". Send at most 64 KiB, and "next" if there is more.',
  needs: ['statement'],
  async run(bridge) {
    const wrong = await bridge.call('statement', { day: '2026-13-41' })
    expectRefusal(wrong, 400, 'invalid_request', 'A day that does not exist')
    const today = dayOf(Date.now())
    const expected = await makeMovements(bridge)
    const lines = await statementOf(bridge, today)
    const yesterday = dayOf(Date.now() - DAY_MS)
    const before =
      lines === undefined ? await statementOf(bridge, yesterday) : await ifKept(bridge, yesterday)
    // If midnight has passed during this check, nothing is compared.
    if (today === dayOf(Date.now()))
      for (const one of expected) {
        if (lines !== undefined) expectLine(lines, one)
        const isBefore = before?.some(({ reference }) => reference === one.reference) === true
        hold(!isBefore, `A ${one.what} of today is in yesterday's statement.`)
      }
    if (lines === undefined && before === undefined)
      throw new NotChecked('The rail has closed neither today nor yesterday.')
  },
}
