// The pages of the back office before there is anything to show, except pages about a single object: for a new
// merchant, and for the operators of a new installation. An empty list says that it is empty, and shows no empty table.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Person } from '../harness/back-office.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { addressOf, officePages } from '../harness/office-pages.ts'
import { operatorAt } from '../harness/operator.ts'

/**
 * The empty state of each list; null for pages that show a form, or a list that always has a line, such as the reader's
 * own line. A page that is not listed here may show any empty state.
 */
const says: Readonly<Record<string, string | null>> = {
  '/overview': 'All is well: nothing waits for you.',
  '/orders': 'No orders yet',
  '/refunds': 'No refunds yet',
  '/bulk-refunds': 'No bulk refunds yet',
  '/exports': 'No exports yet',
  '/payouts': 'No payout yet',
  '/payouts/new': null,
  '/payouts/runs': 'Nothing was entered yet',
  '/payouts/beneficiaries': 'No beneficiary saved',
  '/payouts/approvals': 'Nothing waits for a second person',
  '/disputes/cases': 'No disputes',
  '/disputes/reviews': 'No payment is in review',
  '/statements': 'No money has moved yet',
  '/statements/fees': 'No fees in this period',
  '/statements/coming': 'Nothing is due',
  '/links': 'No payment link yet',
  '/developers/requests': 'No requests yet',
  '/developers/notifications': 'No notifications yet',
  '/developers/keys': null,
  '/developers/signature': null,
  '/developers/exam': 'No exam yet',
  '/operations': 'No channel was called in the last hour',
  '/operations/installation': 'The installation was not checked from here yet',
  '/operations/mail': 'No mail yet',
  '/queues': null,
  '/queues/approvals': 'Nothing waits for a second person',
  '/queues/outcomes': 'Every outcome is known',
  '/queues/refunds': 'No refund waits for approval',
  '/queues/payouts': 'No payout waits for approval',
  '/queues/suspense': 'No money is in suspense',
  '/queues/deliveries': 'No notification is retrying or overdue',
  '/queues/reviews': 'No payment is in review',
  '/queues/disputes': 'No disputes',
  '/merchants': null,
  '/merchant-requests': 'No requests yet',
  '/merchant-notifications': 'No notifications yet',
  '/merchant-keys': null,
  '/merchant-exam': 'No exam yet',
  '/merchant-signature': null,
  '/merchant-links': 'No payment link yet',
  '/merchant-refunds': 'No refunds yet',
  '/merchant-payouts': 'No payout yet',
  '/merchant-statement': 'No money has moved yet',
  '/merchant-exports': 'No exports yet',
  '/merchant-people': null,
  '/fee-plans': 'No fee plan has a name yet',
  '/books': null,
  '/books/entries': 'No entries here',
  '/books/check': 'The books were not checked from here yet',
  '/books/settlement': 'Nobody has started a settlement yet',
  '/books/reserves': 'Nothing is held in reserve',
  '/books/reconciliation': 'No statement was imported yet',
  '/channels': null,
  '/channels/rates': null,
  '/channels/limits': 'The platform has no limits',
  '/risk': 'No payment was stopped',
  '/risk/rules': 'There are no rules yet',
  '/risk/lists': 'The lists are empty',
  '/settings/profile': null,
  '/settings/alerts': null,
  '/settings/company': null,
  '/settings/team': null,
  '/settings/roles': null,
  '/settings/reference': null,
  '/settings/audit': null,
}

/** Pages about one item are left out, because they cannot be empty. */
const lists = officePages.filter(({ path }) => !/\/:\w+$/.test(path))
const nameOf = (path: string) => path.replace(/\/:\w+\?$/, '')

let browser: OfficeBrowser
let merNo: number
before(async () => {
  browser = await openOfficeBrowser()
  const { databaseUrl, dataDir } = browser.office
  const operator = operatorAt({ databaseUrl, dataDir })
  const made = await operator.run('merchant', 'create', '--name', 'New', '--site', 'new.example')
  merNo = Number(made.merNo)
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('the listed pages exist', () => {
  const paths = lists.map(({ path }) => nameOf(path))
  assert.deepEqual(
    Object.keys(says).filter((path) => !paths.includes(path)),
    [],
  )
})

async function walk(person: Person, only: 'merchant' | 'operator'): Promise<void> {
  const page = await browser.open('/settings/profile', person)
  const silent: string[] = []
  const things = { merNo, tradeNo: '', linkId: '', statementId: '' }
  for (const one of lists.filter((each) => (each.only ?? only) === only)) {
    const text = says[nameOf(one.path)]
    if (text === null) continue
    const address = addressOf({ ...one, only }, things)
    await page.goto(`${browser.office.baseUrl}/backoffice${address}`)
    if (!(await isSaid(page, text))) silent.push(`${address} does not say "${text ?? 'that it is empty'}"`)
    assert.equal(await page.locator('main h1').count(), 1, `${address} has its title`)
    assert.equal(await page.locator('main tbody:empty').count(), 0, `${address} has an empty table`)
  }
  await page.context().close()
  assert.deepEqual(silent, [])
}

async function isSaid(page: Page, text: string | undefined): Promise<boolean> {
  const main = page.locator('main')
  const said = text === undefined ? main.locator('.state') : main.getByText(text)
  return eventually(async () => (await said.count()) > 0)
}

test('every list of a new merchant says that it is empty', async () => {
  await walk(await browser.office.person(merNo, 'owner'), 'merchant')
})

test('every list of a new installation says that it is empty', async () => {
  await walk(await browser.office.operator(), 'operator')
})
