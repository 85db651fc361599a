// The integration exam in a real browser: a person starts it with an address, watches it, and reads the result.
import { after, before, test } from 'node:test'
import { type ExamShop, openExamShop } from '../harness/exam-shop.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let shop: ExamShop

before(async () => {
  shop = await openExamShop({ key: '', webhookSecret: '' }, 'takes forged ones')
  browser = await openOfficeBrowser()
})
after(async () => {
  shop.close()
  await browser.close()
})

test('the exam is started with an address, watched, and read with its checklist', async () => {
  const owner = await browser.office.person(browser.office.demo.merNo, 'owner')
  const page = await browser.open('/developers/exam', owner)
  await page.getByRole('heading', { name: 'No exam yet' }).waitFor()
  await page.getByRole('button', { name: 'Start the exam' }).click()
  await page.getByText('Enter a whole address').first().waitFor()
  await checkLooks(page, 'office-exam-form')
  await page.getByLabel('Address of your notifications').fill(shop.notifyUrl)
  await page.getByRole('button', { name: 'Start the exam' }).click()
  await page
    .getByText(/exercises are done/)
    .first()
    .waitFor()
  await page.getByText('Not passed').waitFor({ timeout: 120_000 })
  await page.getByText('15 passed, 1 failed, 0 not run').waitFor()
  const forged = page.getByRole('listitem', { name: 'Somebody else sends notifications' })
  await forged.getByText(/^Next: Verify sign/).waitFor()
  await forged.getByText('7 deliveries').click()
  await forged.getByText('Must be refused').first().waitFor()
  await page.getByRole('row', { name: /Open Receive notifications at an https address/ }).waitFor()
  await checkLooks(page, 'office-exam')
  const chinese = await browser.open('/developers/exam', owner, { locale: 'zh-CN' })
  await chinese.getByRole('listitem', { name: '他人发送通知' }).waitFor()
  browser.assertQuiet()
})
