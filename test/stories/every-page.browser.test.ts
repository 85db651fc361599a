// Every page of the back office, by the table of the app's navigation. Axe finds no serious problem in light and dark
// mode, and nothing jumps while the page loads. Each page says that it waits, that it could not be loaded, or that the
// person lacks its permission.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import type { Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { addressOf, type OfficePage, officePages, pictureOf, type Things } from '../harness/office-pages.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let things: Things
let owner: Person
let admin: Person
before(async () => {
  browser = await openOfficeBrowser()
  const { office } = browser
  owner = await office.person(office.demo.merNo, 'owner')
  admin = await office.operator()
  things = {
    merNo: office.demo.merNo,
    tradeNo: String((await pay(office.demo)).data.tradeNo),
    linkId: await makeLink(),
    statementId: await importStatement(),
  }
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

async function makeLink(): Promise<string> {
  const { linkId } = await owner.call('POST /links', {
    body: {
      title: 'Blue lamp',
      currency: 'USD',
      amount: '24.00',
      uses: 'many',
      language: 'en',
      reference: '',
      notifyUrl: '',
    },
  })
  return linkId
}

async function importStatement(): Promise<string> {
  const content = 'reference,type,amount,currency,fee,date\nR-1,payment,5.00,USD,,2026-03-02'
  await admin.call('POST /reconciliation/imports', {
    body: { channel: 'card', fileName: 'card.csv', content },
  })
  const list = async () => (await admin.call('GET /reconciliation/statements', { query: {} })).rows
  await eventually(async () => (await list()).length > 0)
  return (await list())[0]?.statementId ?? ''
}

function viewerOf({ only }: OfficePage): Person {
  return only === 'operator' ? admin : owner
}

/** Visits the pages one after another in one window, because a new window loads the whole app again. */
function walk(
  pages: readonly OfficePage[],
  look: (page: Page, of: OfficePage, url: string) => Promise<void>,
) {
  return async () => {
    for (const only of ['merchant', 'operator'] as const) {
      const own = pages.filter((one) => (one.only === 'operator') === (only === 'operator'))
      const [first] = own
      if (first === undefined) continue
      const page = await browser.open('/settings/profile', viewerOf(first))
      for (const one of own) {
        const url = `${browser.office.baseUrl}/backoffice${addressOf(one, things)}`
        await look(page, one, url).catch((error: unknown) => {
          throw new Error(`${one.path}: ${error instanceof Error ? error.message : error}`, { cause: error })
        })
      }
      await page.context().close()
    }
  }
}

const busy = '[aria-busy=true], [role=status][aria-label=Loading]'

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('main h1').first().waitFor()
  const isReady = async () => (await page.locator(busy).count()) === 0
  assert.ok(await eventually(isReady), `${url} is still loading`)
}

/**
 * The largest layout shift, counted as web vitals do: only shifts that follow no input. A shift up to 0.1 is good, and
 * new text in a list moves its columns a little.
 */
const MOST_SHIFT = 0.1
const layoutShift = `new Promise((done) => {
  let sum = 0
  const add = (entries) => { for (const { value, hadRecentInput } of entries) if (!hadRecentInput) sum += value }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => { add(observer.takeRecords()); done(sum) }))
})`

test(
  'every page is shown without a jump, and axe finds nothing serious in light and dark',
  walk(officePages, async (page, one, url) => {
    await open(page, url)
    assert.equal(await page.getByText('This could not be loaded').count(), 0)
    const shift = await page.evaluate<number>(layoutShift)
    assert.ok(shift <= MOST_SHIFT, `it jumps while it loads: ${shift.toFixed(3)}`)
    await checkLooks(page, `office-${pictureOf(one)}`)
  }),
)

/** Pages that show only a form. */
const withoutData: readonly string[] = ['/developers/signature', '/merchant-signature']

test(
  'every page says that it waits, and that it could not be loaded',
  walk(
    officePages.filter(({ path }) => !withoutData.includes(path)),
    async (page, _one, url) => {
      const held: Route[] = []
      let isFailing = false
      const fail = (route: Route) =>
        route.fulfill({ status: 500, json: { problem: { code: 'failed', message: 'Planted' } } })
      const api = /\/backoffice\/api\/(?!session$)/
      await page.route(api, async (route) => {
        if (isFailing) await fail(route)
        else held.push(route)
      })
      await page.goto(url)
      await page.locator(busy).first().waitFor()
      isFailing = true
      await Promise.all(held.map(fail))
      await page.getByText('This could not be loaded').first().waitFor()
      await page.getByRole('button', { name: 'Try again' }).first().waitFor()
      await page.unroute(api)
    },
  ),
)

test('every page that needs a permission says so to people without it', async () => {
  const { office } = browser
  for (const only of ['merchant', 'operator'] as const) {
    const nobody = await office.person(only === 'operator' ? 0 : office.demo.merNo, 'nobody')
    const page = await browser.open('/settings/profile', nobody)
    const closed = officePages.filter((one) => one.needs !== 'signed-in' && (one.only ?? only) === only)
    for (const one of closed) {
      await page.goto(`${office.baseUrl}/backoffice${addressOf(one, things)}`)
      await page.getByText('Your role does not include this').waitFor()
    }
    await page.context().close()
  }
})
