// The dialog of drop-in.js on a shop's page, and a payment link for it.
import type { Locator, Page } from 'playwright-core'

export const frameIn = (page: Page) => page.frameLocator('iframe')
export const dialogIn = (page: Page) => page.getByRole('dialog')
/** The page in the frame has said that it is there. Before that it takes no keys, and the frame is hidden. */
export const ready = (page: Page) => page.locator('dialog.ready').waitFor()
/**
 * A real key, pressed in the frame. It may remove the frame before Chromium has reported that the key went down, and then the
 * report never comes: nobody waits for it.
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
