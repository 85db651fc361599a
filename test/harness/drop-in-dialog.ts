// The dialog of drop-in.js on a shop's page, and a payment link for it.
import type { Locator, Page } from 'playwright-core'

export const frameIn = (page: Page) => page.frameLocator('iframe')
export const dialogIn = (page: Page) => page.getByRole('dialog')
/**
 * Waits until the page in the frame has reported that it is loaded. Before that, the frame is hidden and takes no keys.
 */
export const ready = (page: Page) => page.locator('dialog.ready').waitFor()
/**
 * Presses a real Escape key in the frame. The frame may be removed before Chromium has reported that the key went down.
 * Then the report never comes, so the test does not wait for it.
 */
export async function escapeFrom(page: Page, field: Locator): Promise<void> {
  await field.focus()
  page.keyboard.down('Escape').catch(() => {})
  await dialogIn(page).waitFor({ state: 'detached' })
  await page.keyboard.up('Escape')
}

export function aLink(merNo: number) {
  return {
    merNo,
    title: 'For the lamp museum',
    currency: 'USD',
    amount: 2400n,
    least: undefined,
    most: undefined,
    method: undefined,
    uses: 'many',
    expiresAt: undefined,
    language: '',
    reference: '',
    notifyUrl: '',
    createdBy: 'owner@shop.example',
    createdAt: new Date(),
  } as const
}
