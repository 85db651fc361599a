// "Rehearse without credentials" of docs/going-live.md: the sandbox's program serves the counterparties of real
// adapters, and a gateway in live mode reads the channels file that the sandbox wrote.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { sandboxSecret } from '../../sandbox/shared-secret.ts'
import { httpTransport } from '../../src/rails/toolkit/transport.ts'
import { giveSandboxKeys } from '../builders/rsa-keys.ts'
import { decideOn } from '../counterparties/mounted.ts'
import { openPage } from '../harness/browser.ts'
import { type Account, call, pay, query, queryBody } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import {
  freePort,
  type LiveProcess,
  type SandboxProcess,
  startLive,
  startSandboxProcess,
} from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { runTollgate } from '../harness/operator.ts'

const names = ['adyen', 'stripe', 'dlocal', 'stp', 'pix', 'alipay', 'wechat']
const [PAID, REFUND_SUCCEEDED] = [3, 6]

const folder = mkdtempSync(join(tmpdir(), 'tollgate-rehearsal-'))
const outside = join(folder, 'outside')
let sandbox: SandboxProcess
/**
 * The gateways that have started, and must be stopped. A gateway that refuses its settings is not in this list, and
 * ends the story.
 */
const started: LiveProcess[] = []
let env: Record<string, string>
let account: Account

useDatabase({
  async before({ url }) {
    giveSandboxKeys(outside)
    const port = String(await freePort())
    const baseUrl = `http://localhost:${port}`
    sandbox = await startSandboxProcess({
      TOLLGATE_DATA_DIR: outside,
      TOLLGATE_SANDBOX_REHEARSAL_URL: `${baseUrl}/`,
    })
    started.push(sandbox)
    env = {
      TOLLGATE_MODE: 'live',
      TOLLGATE_MASTER_KEY: randomBytes(32).toString('hex'),
      TOLLGATE_BASE_URL: baseUrl,
      TOLLGATE_TRUSTED_PROXIES: 'none',
      TOLLGATE_DATA_DIR: join(folder, 'gateway'),
      TOLLGATE_CHANNELS: printed(/^channels (.+)$/m),
      DATABASE_URL: url,
      PORT: port,
      PATH: process.env.PATH ?? '',
    }
    started.push(await startLive(env))
    const made = await tollgate('merchant', 'create', '--name', 'Shop', '--site', 'shop.example')
    account = { baseUrl, merNo: Number(made.merNo), key: String(made.key), site: 'shop.example' }
    const limits = ['--limit-single', '1000.00', '--limit-daily', '5000.00', '--limit-monthly', '50000.00']
    await tollgate('merchant', 'set', String(account.merNo), '--currencies', 'USD', ...limits)
  },
  async after() {
    for (const one of started.toReversed()) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  },
})

/** Returns the text of the pattern's first group in the sandbox's output. */
function printed(pattern: RegExp): string {
  return pattern.exec(sandbox.output())?.[1] ?? assert.fail(sandbox.output())
}

async function tollgate(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await runTollgate([...args, '--json'], env)
  assert.equal(status, 0, `${args.join(' ')}: ${stderr} ${stdout}`)
  return JSON.parse(stdout)
}

async function payThrough(channel: string, cardNo: string) {
  const route = ['merchant', 'route', String(account.merNo), '--method', 'card', '--channel']
  await tollgate(...route, channel)
  const { code, message, data } = await pay(account, { cardNo })
  assert.equal(code, '00000', message)
  await tollgate(...route, channel, '--off')
  return data
}

it('the file has the channels, for its owner only, and a gateway in sandbox does not get the additional ones', async () => {
  const file = env.TOLLGATE_CHANNELS ?? ''
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const written: { name: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(
    written.map(({ name }) => name),
    names,
  )
  const asks = httpTransport<'settings'>({ url: printed(/^ready (\S+)$/m), secret: sandboxSecret(outside) })
  const reply = await asks('settings', {}, AbortSignal.timeout(10_000))
  assert.ok(reply.kind === 'answer')
  const served = JSON.stringify(reply.body)
  assert.match(served, /"name":"pix"/)
  assert.doesNotMatch(served, /"name":"(adyen|stripe|dlocal|stp)"/)
})

it('Adyen takes a card and refunds it, which only its webhook reports', async () => {
  const { tradeNo, merOrderNo, payCode } = await payThrough('adyen', '4111111111111111')
  assert.equal(payCode, 0)
  const asked = { merNo: account.merNo, merOrderNo, tradeNo, operationType: 'refund', version: 'V3.0.0' }
  const refund = await call(account, '/refund/apply', { ...asked, amount: '4.00' })
  assert.equal(refund.code, '00000', refund.message)
  const of = queryBody(account, { tradeNo, merOrderNo, queryType: 'refund', refundNo: refund.data.refundNo })
  const isDone = async () => (await call(account, '/order/query', of)).data.state === REFUND_SUCCEEDED
  assert.ok(await eventually(isDone), 'the refund is still open')
})

it('Stripe takes a card whose payer does not come back from the bank, which its event reports', async () => {
  const { merOrderNo, payCode, payUrl } = await payThrough('stripe', '4000000000003220')
  assert.equal(payCode, 2)
  const page = await openPage(String(payUrl))
  assert.match(page.url, /\/stripe\/pay\//)
  await decideOn(page.url, 'approve')
  const isPaid = async () => (await query(account, merOrderNo)).data.state === PAID
  assert.ok(await eventually(isPaid), 'the payment is still open')
})

// These tests run after a payment, because the account must look like one of live mode.
for (const name of names)
  it(`"channel check ${name}" finds it right`, async () => {
    const { isRight, message } = await tollgate('channel', 'check', name)
    assert.equal(isRight, true, String(message))
  })
