import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { giveSandboxKeys } from '../../test/builders/rsa-keys.ts'
import { startSandbox } from '../server.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bank-page-'))
giveSandboxKeys(dataDir)
const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
after(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

let references = 0

function open(method: string, more = {}) {
  references += 1
  const opening = sandbox.bank(method)?.open({
    reference: `PAGE${references}`,
    amount: '123400',
    currency: 'MXN',
    returnUrl: 'https://shop.example/pay/token/complete',
    callbackUrl: '',
    payee: 'Shop <b>"one"</b>',
    extra: {},
    ...more,
  })
  assert.equal(opening?.kind, 'opened')
  return { charge: opening.charge, url: `${sandbox.url}/banks/${method}/${opening.charge.id}` }
}

const post = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

describe("a bank's page in the sandbox", () => {
  it('shows payee and amount, says that no money moves, and has two buttons', async () => {
    const page = await fetch(open('unionpay').url)
    const text = await page.text()
    assert.equal(page.status, 200)
    for (const part of ['Approve payment', 'Decline payment', 'MX$1,234.00', 'Sandbox: no money moves'])
      assert.ok(text.includes(part), part)
    assert.ok(!text.includes('<b>'))
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/shop.example;/,
    )
  })

  it("sends a wallet's payer back to the shop once, approved or declined", async () => {
    for (const [decision, status] of [
      ['approve', 'paid'],
      ['decline', 'declined'],
    ] as const) {
      const { url, charge } = open('unionpay')
      const answer = await post(url, { decision })
      assert.equal(answer.status, 303)
      assert.equal(answer.headers.get('location'), `https://shop.example/pay/token/complete?id=${charge.id}`)
      assert.equal(sandbox.bank('unionpay')?.findById(charge.id)?.status, status)
      assert.equal((await post(url, { decision })).status, 410)
      assert.equal((await fetch(url)).status, 410)
    }
  })

  it('lets the payer of a transfer send any amount, and shows a wrong one where it was typed', async () => {
    const { url, charge } = open('spei')
    const page = await (await fetch(url)).text()
    assert.match(page, /name="amount"[^>]* value="1234.00"/)
    for (const amount of ['0', '-1', 'much', '1.234', '1e3', '99999999999999']) {
      const refused = await post(url, { decision: 'approve', amount })
      assert.equal(refused.status, 400, amount)
      assert.match(await refused.text(), /Enter an amount above zero/)
    }
    const short = await post(url, { decision: 'approve', amount: '1000.5' })
    assert.equal(short.status, 200)
    assert.match(await short.text(), /MX\$1,000\.50 is on its way/)
    assert.match(await (await fetch(url)).text(), /Sent so far: MX\$1,000\.50/)
    await post(url, { decision: 'approve', amount: '233.50' })
    assert.equal(sandbox.bank('spei')?.findById(charge.id)?.status, 'paid')
  })

  it('counts a form that is sent twice once', async () => {
    const { url, charge } = open('spei')
    const transfer = /name="transfer" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
    const send = () => post(url, { decision: 'approve', transfer })
    await Promise.all([send(), send(), send()])
    assert.equal(sandbox.bank('spei')?.findById(charge.id)?.deposits.length, 1)
  })

  it('has nothing to pay where there is no payment', async () => {
    assert.equal((await fetch(`${sandbox.url}/banks/unionpay/none`)).status, 404)
    const { url } = open('unionpay')
    assert.equal((await post(url, {})).status, 400)
  })

  it('redirects only to http(s) addresses', async () => {
    const { url } = open('unionpay', { returnUrl: 'javascript:alert(1)' })
    const answer = await post(url, { decision: 'approve' })
    assert.equal(answer.status, 200)
    assert.ok(!(await answer.text()).includes('javascript:'))
  })
})
