// Two people decide on one thing. When the page of the second person reads its list or panel again, the row is gone.
// The dialog or form stays with the typed text, says who has decided first, and changes nothing if the person still
// sends it.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { bookSuspense } from '../../src/money/suspense/book-suspense.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import { orderInReview } from '../builders/reviews.ts'
import type { Person } from '../harness/back-office.ts'
import { type OfficeBrowser, openOfficeBrowser, readAgain } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let first: Person
let second: Person
let owner: Person
let colleague: Person
before(async () => {
  browser = await openOfficeBrowser()
  const { office } = browser
  first = await office.operator()
  second = await office.operator()
  owner = await office.person(office.demo.merNo, 'owner')
  colleague = await office.person(office.demo.merNo, 'support')
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

const reason = 'Seen in the portal'
const typed = 'Typed by the second person'

type Race = {
  readonly by: Person
  readonly path: string
  /** The route that the page reads again. */
  readonly route: string
  /** Opens the dialog or form with the field. */
  readonly open: (page: Page) => Promise<unknown>
  readonly field: (page: Page) => Locator
  /** Decides as another person. */
  readonly decide: () => Promise<unknown>
  /** The text that says who has decided, and what. */
  readonly says: RegExp
  readonly send: (page: Page) => Locator
  /** The reason why the server refuses the second decision. */
  readonly refusal: RegExp
}

async function run(race: Race, picture?: string): Promise<void> {
  const { by, path, route, open, field, decide, says, send, refusal } = race
  const page = await browser.open(path, by)
  await open(page)
  await field(page).fill(typed)
  await decide()
  await readAgain(page, route)
  await page.getByText('Somebody else has decided meanwhile').waitFor()
  await page.getByText(says).waitFor()
  assert.equal(await field(page).inputValue(), typed, 'what was typed survives the read')
  if (picture !== undefined) await checkLooks(page, picture)
  await send(page).click()
  await page.getByRole('alert').filter({ hasText: refusal }).waitFor()
  assert.equal(await field(page).inputValue(), typed, 'and the refusal')
  await page.context().close()
}

const inRow = (name: string) => (page: Page) =>
  page.getByRole('table').getByRole('button', { name, exact: true }).first().click()
const dialog = (page: Page) => page.getByRole('dialog').last()
const dialogReason = (page: Page) => dialog(page).getByLabel('Reason')
const dialogButton = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true })

test('an approval', async () => {
  const { office } = browser
  const asking = await office.operator('finance')
  const money = { amount: '5000.00', currency: 'USD' }
  const { approvalId = '' } = await asking.call('POST /corrections', {
    body: { merNo: String(office.demo.merNo), from: 'merchant:available', to: 'rail:card', ...money, reason },
  })
  await run(
    {
      by: second,
      path: '/queues/approvals',
      route: '/approvals',
      open: inRow('Approve'),
      field: dialogReason,
      decide: () =>
        first.call('POST /approvals/:approvalId/reject', { params: { approvalId }, body: { reason } }),
      says: new RegExp(`${first.email}, .*: rejected\\.`),
      send: dialogButton('Approve'),
      refusal: new RegExp(`is rejected already, by ${first.email}`, 'i'),
    },
    'office-decided-first',
  )
  const { rows } = await second.call('GET /approvals', { query: { state: 'decided' } })
  assert.deepEqual(
    rows.map(({ state, decidedBy }) => [state, decidedBy]),
    [['rejected', first.email]],
  )
})

test('money in suspense, to be given back or assigned', async () => {
  const { db, demo } = browser.office
  const { tradeNo } = await paidOrder(db, { merNo: demo.merNo })
  const assign = async (page: Page) => {
    await inRow('Assign')(page)
    await dialog(page).getByLabel('Trade number of the order').fill(tradeNo)
  }
  for (const [button, open] of [
    ['Return', inRow('Return')],
    ['Assign', assign],
  ] as const) {
    const money = { amount: 500n, currency: 'USD' }
    const booked = {
      merNo: 0,
      channel: 'card',
      reference: `stray-${button}`,
      money,
      why: 'unmatched',
    } as const
    await db.transaction((tx) => bookSuspense(tx, [{ ...booked, origin: 'statement', at: new Date() }]))
    const { rows } = await first.call('GET /suspense', {})
    const params = { suspenseId: rows[0]?.suspenseId ?? '' }
    await run({
      by: second,
      path: '/queues/suspense',
      route: '/suspense',
      open,
      field: dialogReason,
      decide: () => first.call('POST /suspense/:suspenseId/return', { params, body: { reason } }),
      says: new RegExp(`${first.email}, .*: given back\\.`),
      send: dialogButton(button),
      refusal: /was returned before/,
    })
  }
})

test('a dispute: its outcome, its deadline, and the evidence of the merchant', async () => {
  const { db, demo } = browser.office
  const ways: readonly (Pick<Race, 'by' | 'open' | 'field' | 'send' | 'refusal'> & {
    readonly path: string
  })[] = [
    {
      by: second,
      path: '/queues/disputes',
      open: (page) => page.getByRole('button', { name: 'Won', exact: true }).click(),
      field: dialogReason,
      send: dialogButton('Won'),
      refusal: /is lost already/,
    },
    {
      by: second,
      path: '/queues/disputes',
      open: (page) => page.getByRole('button', { name: 'Change the deadline' }).click(),
      field: dialogReason,
      send: dialogButton('Change the deadline'),
      refusal: /no open chargeback/,
    },
    {
      by: owner,
      path: '/disputes/cases',
      open: (page) => page.getByLabel('What it shows').waitFor(),
      field: (page) => page.getByLabel('What it shows'),
      send: (page) => page.getByRole('button', { name: 'Add evidence' }),
      refusal: /no open chargeback/,
    },
  ]
  for (const way of ways) {
    const { tradeNo } = await paidOrder(db, { merNo: demo.merNo })
    await first.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason } })
    const body = { outcome: 'lost', reason } as const
    await run({
      ...way,
      path: `${way.path}/${tradeNo}`,
      route: `/disputes/${tradeNo}`,
      decide: () => first.call('POST /disputes/:tradeNo/resolve', { params: { tradeNo }, body }),
      says: new RegExp(`${first.email}, .*: decided the dispute\\.`),
    })
    const { evidence } = await owner.call('GET /disputes/:tradeNo', { params: { tradeNo } })
    assert.deepEqual(evidence, [], 'nothing was added')
  }
})

test('a review: the decision of an operator, and the answer of the merchant', async () => {
  const { db, demo } = browser.office
  const one = await orderInReview(db, { merNo: demo.merNo })
  const params = { tradeNo: one.tradeNo }
  await run({
    by: second,
    path: `/queues/reviews/${one.tradeNo}`,
    route: `/reviews/${one.tradeNo}`,
    open: (page) => page.getByRole('button', { name: 'Reject', exact: true }).click(),
    field: dialogReason,
    decide: () => first.call('POST /reviews/:tradeNo/approve', { params, body: { reason } }),
    says: new RegExp(`${first.email}, .*: approved\\.`),
    send: dialogButton('Reject'),
    refusal: /is not in review/,
  })
  const other = await orderInReview(db, { merNo: demo.merNo })
  const answered = { params: { tradeNo: other.tradeNo }, body: { info: { payerName: 'Payer' }, files: [] } }
  await run({
    by: owner,
    path: `/disputes/reviews/${other.tradeNo}`,
    route: `/reviews/${other.tradeNo}`,
    open: (page) => page.getByLabel("Payer's name").waitFor(),
    field: (page) => page.getByLabel("Payer's name"),
    decide: () => colleague.call('POST /reviews/:tradeNo/answer', answered),
    says: new RegExp(`${colleague.email}, .*: answered\\.`),
    send: (page) => page.getByRole('button', { name: 'Send for review' }),
    refusal: /state does not allow this/,
  })
  const { info } = await owner.call('GET /reviews/:tradeNo', { params: answered.params })
  assert.equal(info.payerName, 'Payer', 'nothing was overwritten')
})
