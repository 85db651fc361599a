// Every page of a bank or wallet in the sandbox leads back to the payment page.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { giveSandboxKeys } from '../test/builders/rsa-keys.ts'
import { mountAdyen } from './adyen/mount.ts'
import type { Mount, SandboxPlace } from './place.ts'
import { startSandbox } from './server.ts'
import { mountStp } from './stp/mount.ts'
import { mountStripe } from './stripe/mount.ts'

const BACK = 'https://shop.example/pay/token/complete'
const METHODS = ['unionpay', 'cash_app', 'gcash', 'pix', 'spei', 'per_transfer', 'sepa', 'vn_bank', 'crypto']
const WALLETS = ['alipay', 'wechat', 'apple_pay', 'google_pay']

function mounted<Kind extends ReturnType<Mount>>(mount: (place: SandboxPlace) => Kind) {
  const all: Kind[] = []
  const opened: Mount = (place) => {
    const one = mount(place)
    all.push(one)
    return one
  }
  return { opened, all }
}

const [adyen, stripe, stp] = [mounted(mountAdyen), mounted(mountStripe), mounted(mountStp)]
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-way-back-'))
giveSandboxKeys(dataDir)
const extra = [adyen.opened, stripe.opened, stp.opened]
const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, extra })
after(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

let references = 0

function openCharge(method: string, returnUrl: string): string {
  references += 1
  const extra = { coin: 'USDC', network: 'POLYGON' }
  const order = { amount: '123400', currency: 'USD', callbackUrl: '', payee: 'Shop', extra }
  const opening = sandbox.bank(method)?.open({ ...order, reference: `BACK${references}`, returnUrl })
  assert.equal(opening?.kind, 'opened')
  return `/banks/${method}/${opening.charge.id}`
}

async function textAt(path: string, form?: Record<string, string>): Promise<string> {
  const posted = form && { method: 'POST', body: new URLSearchParams(form) }
  return (await fetch(sandbox.url + path, posted)).text()
}

const throughHistory =
  /<button [^>]*data-back hidden>Back to the shop<\/button>\n<p class="soft">Close this page /

/**
 * Returns the address that the page leads back to, or `history` if the page leads back through the browser's history or
 * tells the payer to close it.
 */
function wayBackOn(page: string): string | undefined {
  const [, href] = /<a class="(?:button|link)" href="([^"]*)">Back to the shop</.exec(page) ?? []
  return throughHistory.test(page) ? 'history' : href?.split('?')[0]
}

describe('the way back to the payment page', () => {
  for (const method of [...METHODS, ...WALLETS])
    it(`is on every page of ${method}`, async () => {
      const path = openCharge(method, BACK)
      assert.equal(wayBackOn(await textAt(path)), BACK, 'to approve')
      assert.equal(wayBackOn(await textAt(path, {})), BACK, 'after a mistake')
      const unknown = openCharge(method, '')
      assert.equal(wayBackOn(await textAt(unknown)), 'history', 'to approve, without an address')
      assert.equal(wayBackOn(await textAt(unknown, { decision: 'decline' })), 'history', 'done')
      assert.equal(wayBackOn(await textAt(`/banks/${method}/none`)), 'history', 'nothing to pay')
    })

  it('is on the pages of Adyen', async () => {
    const [counterparty] = adyen.all
    const order = { reference: 'A1', amount: { value: 1000, currency: 'EUR' }, isCaptured: true }
    const payment = counterparty?.book.open({ ...order, type: 'bankTransfer_IBAN', returnUrl: BACK })
    const path = `/adyen/payer/${payment?.id}`
    assert.equal(wayBackOn(await textAt(path)), BACK)
    for (const [decision, heading] of [
      ['approve', 'Done'],
      ['decline', 'Declined'],
    ] as const) {
      const page = await textAt(path, { decision })
      assert.equal(wayBackOn(page), BACK)
      assert.match(page, new RegExp(`<h1>${heading}</h1>\n<p>`))
    }
    assert.equal(wayBackOn(await textAt('/adyen/payer/none')), 'history')
  })

  it('is on the pages of Stripe', async () => {
    const account = stripe.all[0]?.account
    account?.create({ amount: '1000', currency: 'usd', payment_method_types: ['alipay'] })
    const [intent] = account?.list() ?? []
    assert.ok(account && intent)
    account.confirm(intent.id, { payment_method_data: { type: 'alipay' }, return_url: BACK })
    assert.equal(wayBackOn(await textAt(`/stripe/pay/${intent.id}`)), BACK)
    account.decide(intent.id, 'approve')
    assert.equal(wayBackOn(await textAt(`/stripe/pay/${intent.id}`)), BACK)
    assert.equal(wayBackOn(await textAt('/stripe/pay/none')), 'history')
  })

  it('is on the pages that know no payment', async () => {
    for (const path of ['/stp/transfer', '/wechat/h5/none', '/wechat/app'])
      assert.equal(wayBackOn(await textAt(path)), 'history', path)
    assert.equal(wayBackOn(await textAt('/acs', { creq: 'e30' })), 'history')
    assert.equal(wayBackOn(await textAt('/acs/answer', { acsTransID: 'none' })), 'history')
  })
})
