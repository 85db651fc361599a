// `node test/write-pictures.ts [name…]`: copies the pictures of docs/payer-pages.md and docs/back-office.md, or those named, from
// test/screenshots/, where the browser tests saved them. Wide pictures are scaled down.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchChromium } from './chromium.ts'

const pictures = [
  'choose-desktop',
  'branded-desktop',
  'choose-problems-phone',
  'choose-declined-phone',
  'choose-arabic-phone',
  'bank-code-phone',
  'wallet-phone',
  'pix-phone',
  'wechat-phone-dark',
  'sepa-desktop',
  'part-paid-phone',
  'crypto-phone',
  'paid-phone',
  'payout-problem-phone',
  'link-amount-phone',
  'receipt-phone',
  'office-sign-in-phone',
  'office-audit-line-desktop',
  'office-lost-session-desktop',
  'office-profile-phone-dark',
  'office-roles-desktop',
  'office-link-paid-desktop',
  'office-risk-rule-desktop',
  'office-operations-desktop',
  'office-reconciliation-statement-desktop',
  'office-fee-plan-preview-desktop',
]
const named = process.argv.slice(2)

const WIDEST = 900
const MOST_BYTES = 100_000
const from = new URL('screenshots/', import.meta.url)
const to = new URL('../docs/pictures/', import.meta.url)

mkdirSync(to, { recursive: true })
const browser = await launchChromium()
const page = await browser.newPage()
for (const name of named.length > 0 ? named : pictures) {
  const source = readFileSync(new URL(`${name}.png`, from)).toString('base64')
  await page.setContent(
    `<body style="margin:0"><img style="display:block;max-width:${WIDEST}px" src="data:image/png;base64,${source}">`,
  )
  const path = fileURLToPath(new URL(`${name}.png`, to))
  await page.locator('img').screenshot({ path })
  const { size } = statSync(path)
  console.log(`${name}.png: ${size} bytes${size > MOST_BYTES ? ', too many' : ''}`)
}
await browser.close()
