// A merchant with two acquirers. Nobody listens at the first one, so a real gateway sends the merchant's card payments
// to Stripe.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { mountStripe, type SandboxStripe } from '../../sandbox/stripe/mount.ts'
import { decideOn, type Mounted, openMounted } from '../counterparties/mounted.ts'
import { openPage } from '../harness/browser.ts'
import { type Account, pay, query } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { assertNoLeaks } from '../harness/leaks.ts'
import { operatorAt } from '../harness/operator.ts'

const NOBODY = 'http://127.0.0.1:1'

let stripe: Mounted<SandboxStripe>
let installation: Installation
let gateway: GatewayProcess
let account: Account

const database = useDatabase({
  async before() {
    stripe = await openMounted(mountStripe)
    installation = await openInstallation({ DATABASE_URL: database.url })
    const { dataDir } = installation
    const channels = join(dataDir, 'channels.json')
    const down = { name: 'acquirer-1', method: 'card', url: NOBODY, secret: 'a secret' }
    writeFileSync(channels, JSON.stringify([down, { ...stripe.entry, methods: ['card'] }]), { mode: 0o600 })
    gateway = await installation.start({ TOLLGATE_CHANNELS: channels })
    account = gateway.account
    const { run } = operatorAt({ databaseUrl: database.url, dataDir })
    const route = ['merchant', 'route', String(account.merNo), '--method', 'card', '--channel']
    await run(...route, 'acquirer-1', '--priority', '1')
    await run(...route, 'stripe', '--priority', '2')
    await fetch(`${stripe.entry.url}/webhook_endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripe.entry.secretKey}` },
      body: new URLSearchParams({ url: `${account.baseUrl}/callbacks/stripe` }),
    })
  },
  async after() {
    await installation.remove()
    await stripe.close()
  },
})

async function attemptsOf(tradeNo: unknown): Promise<unknown[]> {
  const text = 'select channel from current_attempts where trade_no = $1 order by attempt_no'
  return (await database.db.query({ text, values: [tradeNo] })).map(({ channel }) => channel)
}

function paymentOf(tradeNo: unknown) {
  const [found] = stripe.counterparty.account
    .list()
    .filter(({ metadata }) => String(metadata.order).startsWith(`A${String(tradeNo).slice(1)}`))
  assert.ok(found, 'Stripe has the payment')
  return found
}

it('a card is charged at Stripe because the first acquirer cannot be reached', async () => {
  const reply = await pay(account)
  assert.equal(reply.code, '00000')
  assert.equal(reply.data.payCode, 0)
  assert.deepEqual(await attemptsOf(reply.data.tradeNo), ['acquirer-1', 'stripe'])
  assert.equal(paymentOf(reply.data.tradeNo).status, 'succeeded')
})

it('a card that the payer confirms at the bank is paid by an event, even if the browser never returns', async () => {
  const reply = await pay(account, { cardNo: '4000000000003220' })
  assert.equal(reply.data.payCode, 2)
  const page = await openPage(String(reply.data.payUrl))
  assert.equal(page.url, `${stripe.url}/stripe/pay/${paymentOf(reply.data.tradeNo).id}`)
  await decideOn(page.url, 'approve')
  const isPaid = async () => (await query(account, reply.data.merOrderNo)).data.state === 3
  assert.ok(await eventually(isPaid), 'the event was accepted')
})

it('a decline at Stripe is final, and no other acquirer is tried', async () => {
  const reply = await pay(account, { cardNo: '4000000000009995' })
  assert.equal(reply.data.payCode, 1)
  assert.equal(reply.data.message, 'Insufficient funds')
  assert.deepEqual(await attemptsOf(reply.data.tradeNo), ['acquirer-1', 'stripe'])
})

it('after five failures in a row the circuit breaker of the first acquirer opens, and the log says so once', async () => {
  const lines = () => installation.output().match(/"a channel's circuit breaker is open: [^"]*/g) ?? []
  assert.deepEqual(lines(), [], 'three failed so far')
  await pay(account)
  await pay(account)
  const { data } = await pay(account)
  assert.deepEqual(await attemptsOf(data.tradeNo), ['stripe'])
  assert.ok(await eventually(() => lines().length > 0))
  assert.equal(lines().length, 1)
})

it('the ledger is sound, no output has a card number, and the gateway exits with status 0', async () => {
  assert.equal(await gateway.stop(), 0)
  await assertSound(database.db)
  const numbers = ['4242424242424242', '4000000000003220']
  assertNoLeaks(installation.output(), { entries: [stripe.entry], secrets: ['sk_live_'], numbers })
})
