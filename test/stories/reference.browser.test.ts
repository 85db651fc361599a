// Operators at work in a real browser: they change a reference list, stop a link and block a payer.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { isObject } from '../../src/platform/base/object.ts'
import type { Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let admin: Person
before(async () => {
  browser = await openOfficeBrowser()
  admin = await browser.office.operator()
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('a bank is added with a preview, found, and removed', async () => {
  const page = await browser.open('/settings/reference', admin)
  await page.getByLabel('List', { exact: true }).selectOption('Banks for Vietnam Pay')
  await page.getByRole('cell', { name: 'AB Bank', exact: true }).waitFor()
  await checkLooks(page, 'office-reference')
  await page.getByRole('button', { name: 'Add an entry' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Code').fill('97')
  await dialog.getByLabel('Name').fill('Ngân hàng Mới')
  await dialog.getByLabel('Reason').fill('A new member')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('A code of banks/vietnam has 6 digits.').last().waitFor()
  await checkLooks(page, 'office-reference-add')
  await dialog.getByLabel('Code').fill('970999')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Name: – → Ngân hàng Mới').waitFor()
  await checkLooks(page, 'office-reference-preview')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('version 2').waitFor()
  const { baseUrl } = browser.office
  const served = async () => {
    const list: unknown = await (await fetch(`${baseUrl}/reference/banks/vietnam`)).json()
    return isObject(list) && list.version === '2'
  }
  assert.ok(await eventually(served))
  await page.getByRole('button', { name: 'Contains' }).click()
  await page.getByRole('textbox', { name: 'Contains' }).fill('mới')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit Ngân hàng Mới' }).click()
  await page.getByRole('button', { name: 'Remove this entry' }).click()
  await page.getByRole('dialog', { name: 'Remove Ngân hàng Mới?' }).getByLabel('Reason').fill('It closed')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('heading', { name: 'No entry matches' }).waitFor()
})

test('what the server says at a field is in the language of the page', async () => {
  const page = await browser.open('/settings/reference', admin, { locale: 'zh-CN' })
  await page.getByRole('button', { name: '添加条目' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('代码').fill('1')
  await dialog.getByLabel('名称').fill('x')
  await dialog.getByRole('button', { name: '预览' }).click()
  await dialog.getByText('请填写此项。').last().waitFor()
  await dialog.getByRole('textbox', { name: '原因' }).fill('测试')
  await dialog.getByRole('button', { name: '预览' }).click()
  await dialog.getByText('banks/per 的代码为 2 位数字。').last().waitFor()
  await checkLooks(page, 'office-reference-chinese')
})

test('the payer of an order is blocked on its page', async () => {
  const { tradeNo } = (await pay(browser.office.demo)).data
  const page = await browser.open(`/order/${tradeNo}`, await browser.office.operator('risk'))
  await page.getByRole('button', { name: 'Block the payer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Card: 424242…4242').waitFor()
  await dialog.getByLabel('Reason').fill('A stolen card')
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.getByText('Choose what to block.').last().waitFor()
  await checkLooks(page, 'office-order-block')
  await dialog.getByLabel('Card: 424242…4242').check()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const declined = async () => (await pay(browser.office.demo)).data.payCode === 1
  assert.ok(await eventually(declined))
})

test('a payment link is stopped, and its merchant sees it', async () => {
  const owner = await browser.office.person(browser.office.demo.merNo, 'owner')
  const content = { title: 'Blue lamp', currency: 'EUR', amount: '24.00', uses: 'many' } as const
  const body = { ...content, language: '', reference: '', notifyUrl: '' }
  const { linkId } = await owner.call('POST /links', { body })
  const page = await browser.open(`/merchant-links/${linkId}`, admin)
  await page.getByRole('button', { name: 'Stop this link' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Sells stolen goods')
  await checkLooks(page, 'office-link-stop')
  await page.getByRole('dialog').getByRole('button', { name: 'Stop this link' }).click()
  await page.getByRole('button', { name: 'Allow it again' }).waitFor()
  const own = await browser.open(`/links/${linkId}`, owner)
  await own.getByText('Stopped', { exact: true }).waitFor()
  assert.equal(await own.getByRole('button', { name: 'Switch on again' }).count(), 0)
  await checkLooks(own, 'office-link-stopped')
})
