// How a page looks and reads: axe's judgement, that nothing is wider than a small phone, and pictures for people to look at.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const folder = fileURLToPath(new URL('screenshots/', import.meta.url))
const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }
/** The narrowest screen there is, or a page enlarged four times: WCAG's reflow. */
const NARROW = { width: 320, height: 640 }

/** Looks at the page as it stands: on a desk in light, on a phone in the dark, and narrow. It stays where it is. */
export async function lookAt(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.setViewportSize(DESKTOP)
  await judge(page, `${name}, light, on a desk`)
  await picture(page, `${name}-desktop`)
  await page.setViewportSize(PHONE)
  await picture(page, `${name}-phone`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await judge(page, `${name}, dark, on a phone`)
  await picture(page, `${name}-phone-dark`)
  await page.setViewportSize(NARROW)
  assert.ok(await page.evaluate<boolean>(fits), `${name} is wider than ${NARROW.width} px`)
  await page.emulateMedia({ colorScheme: 'light' })
}

const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'

/** A script in the text of the page would be stopped by its policy; this comes from the browser itself. */
async function judge(page: Page, name: string): Promise<void> {
  await page.evaluate(`${axe};undefined`)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  const found = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  assert.deepEqual(told, [], name)
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${folder}${name}.png`, fullPage: true, animations: 'disabled' })
}
