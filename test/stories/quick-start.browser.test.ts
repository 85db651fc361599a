// Follows docs/guides/quick-start.md literally: types its blocks into one shell, and pays as the payer in a real
// browser.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { eventually } from '../harness/eventually.ts'
import { freePort } from '../harness/gateway-process.ts'
import { blocksOf, filled, guideNamed } from '../harness/guides.ts'
import {
  asPayer,
  type Environment,
  fillBilling,
  fillCard,
  openEnvironment,
  PAID,
  payButton,
} from '../harness/payer.ts'

let env: Environment
const folder = mkdtempSync(join(tmpdir(), 'tollgate-quick-start-'))
before(async () => {
  env = await openEnvironment()
})
after(async () => {
  await env.close()
  rmSync(folder, { recursive: true })
})

const CHECKOUT = 'post /cashier/checkStandPay'

it('the quick start leads to a paid order, its notification and a refund', async () => {
  const { baseUrl, merNo, key, site } = env.account
  const port = String(await freePort())
  const blocks = blocksOf(guideNamed('quick-start'))
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => filled(code, { baseUrl, merNo: String(merNo), key, site }).replaceAll('8090', port))
  const paidAt = blocks.findIndex((code) => code.includes(CHECKOUT)) + 1
  const shell = spawn('bash', { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  try {
    shell.stdin.write(blocks.slice(0, paidAt).join('\n'))
    assert.ok(await eventually(() => read('checkout.json').includes('payUrl')), printed)
    await payInBrowser(String(JSON.parse(read('checkout.json')).data.payUrl))
    assert.ok(await eventually(() => read('notifications.txt').includes('code=0')))
    shell.stdin.write(blocks.slice(paidAt).join('\n'))
    assert.ok(await eventually(() => /"state":0/.test(read('notifications.txt'))), printed)
    assert.ok(await eventually(() => printed.includes('"refundAmount":"12.00"')), printed)
    assert.match(printed, /"state":3/)
  } finally {
    const ended = new Promise((resolve) => shell.once('close', resolve))
    shell.stdin.end('\nkill %1\nexit\n')
    await ended
  }
})

function read(name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function payInBrowser(payUrl: string): Promise<void> {
  return asPayer(env, 'desktop', async ({ page }) => {
    await page.goto(payUrl)
    await fillBilling(page)
    await fillCard(page, '4242424242424242')
    await payButton(page).click()
    await page.getByRole('heading', { name: PAID }).waitFor()
  })
}
