// Checks the looks of a page: axe finds no serious problem, and nothing is wider than a small phone. Pictures are saved
// for people.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }
/** The narrowest screen. WCAG's reflow criterion demands this width, which a page also has at 400 % zoom. */
const NARROW = { width: 320, height: 640 }

/** Checks the current page: on a desktop in light mode, on a phone in dark mode, and on a narrow screen. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.setViewportSize(DESKTOP)
  await runAxe(page, `${name}, light, desktop`)
  await picture(page, `${name}-desktop`)
  await page.setViewportSize(PHONE)
  await picture(page, `${name}-phone`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await runAxe(page, `${name}, dark, phone`)
  await picture(page, `${name}-phone-dark`)
  await page.setViewportSize(NARROW)
  assert.ok(await page.evaluate<boolean>(fits), `${name} is wider than ${NARROW.width} px`)
  await page.emulateMedia({ colorScheme: 'light' })
}

const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'

/** True if no part of the button is outside of the window. */
export async function isOnScreen(button: Locator): Promise<boolean> {
  const box = await button.boundingBox()
  const screen = button.page().viewportSize()
  assert.ok(box && screen)
  const isWithin = (start: number, length: number, most: number) => start >= 0 && start + length <= most
  return isWithin(box.x, box.width, screen.width) && isWithin(box.y, box.height, screen.height)
}

/** Waits for the end of transitions, because axe cannot judge the contrast of fading colours. */
const untilStill =
  'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))'

/**
 * Runs axe on a page or in one frame. The browser evaluates axe directly, because the policy would block an injected
 * script.
 */
export async function runAxe(page: Pick<Page, 'evaluate'>, name: string): Promise<void> {
  await page.evaluate(untilStill)
  await page.evaluate(`${axe};undefined`)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  const found = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const problems = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  assert.deepEqual(problems, [], name)
}

/**
 * Takes a picture. A page with a frame is shown as large as the window, because browsers do not draw frames beyond it
 * in time.
 */
async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  const frames = page.frames()
  await Promise.all(frames.map((frame) => frame.evaluate(untilDrawn)))
  const fullPage = frames.length === 1
  await page.screenshot({ path: `${folder}${name}.png`, fullPage, animations: 'disabled' })
}

const untilDrawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
