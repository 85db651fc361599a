// A browser in the back office. Violations of the content security policy, and errors of the pages, fail the test that
// opened the page.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type BackOffice, openBackOffice, type Person } from './back-office.ts'
import { launchChromium, PAGE_PATIENCE_MS } from './chromium.ts'

export type OfficeBrowser = {
  readonly office: BackOffice
  /** Opens a new window, signed in as the person or as nobody. Its time zone is UTC. */
  open(path: string, person?: Person, options?: BrowserContextOptions): Promise<Page>
  /** Fails if a page of this test violated the policy or threw an error. */
  assertQuiet(): void
  close(): Promise<void>
}

let awayMs = 0

/** Simulates a person who returns after a while, so that the page reads its data again. */
export async function comeBack(page: Page): Promise<void> {
  awayMs += 60_000
  await page.clock.setFixedTime(Date.now() + awayMs)
  await page.locator('body').dispatchEvent('visibilitychange')
}

/** Makes the page read its data again, and waits until it has read this route. */
export async function readAgain(page: Page, route: string): Promise<void> {
  const isRead = page.waitForResponse((response) => response.url().includes(`/backoffice/api${route}`))
  await comeBack(page)
  await (await isRead).finished()
}

export async function openOfficeBrowser(env: Record<string, string> = {}): Promise<OfficeBrowser> {
  const office = await openBackOffice(env)
  const browser: Browser = await launchChromium()
  const complaints: string[] = []
  return {
    office,
    async open(path, person, options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        ...options,
      })
      context.setDefaultTimeout(PAGE_PATIENCE_MS)
      if (person !== undefined) {
        const [name = '', value = ''] = person.cookie.split('=')
        await context.addCookies([{ name, value, url: office.baseUrl, sameSite: 'Strict', httpOnly: true }])
      }
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        // The browser also logs every refused call. The pages themselves show these refusals.
        const isOurs = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
        if (isOurs) complaints.push(message.text())
      })
      await page.goto(`${office.baseUrl}/backoffice${path}`)
      return page
    },
    assertQuiet() {
      assert.deepEqual(complaints.splice(0), [])
    },
    async close() {
      await browser.close()
      await office.close()
    },
  }
}
