// A gateway stands still between a claim and its call to the counterparty. Meanwhile the call of another gateway is
// refused for certain, and that gateway gives the money back. Then the first gateway goes on. The counterparty would
// accept its call now, so the first gateway must not make the call.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { IBAN } from '../builders/payouts.ts'
import {
  openScriptedServer,
  type ScriptedAnswer,
  type ScriptedServer,
} from '../counterparties/scripted-server.ts'
import { call, newNumber, pay } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import { eventually, staysFalse } from '../harness/eventually.ts'
import {
  freePort,
  type GatewayProcess,
  type Installation,
  openInstallation,
} from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { waitUntilSomebodyWaits } from '../harness/lock-waits.ts'
import { operatorAt } from '../harness/operator.ts'

type Fields = Readonly<Record<string, unknown>>

let installation: Installation
let bridge: ScriptedServer
let channels: string
let frozen: GatewayProcess

const database = useDatabase({
  async before() {
    bridge = await openScriptedServer()
    installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_CHANNEL_TIMEOUT_MS: '1000' })
    channels = join(installation.dataDir, 'channels.json')
    const methods = ['card', 'payout_bank']
    const entry = { name: 'acme', protocol: 'bridge', methods, url: bridge.url, secret: 'a secret' }
    writeFileSync(channels, JSON.stringify([entry]), { mode: 0o600 })
    frozen = await installation.start({ TOLLGATE_CHANNELS: channels })
    const { run } = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    for (const method of methods)
      await run('merchant', 'route', String(frozen.account.merNo), '--method', method, '--channel', 'acme')
  },
  async after() {
    await installation.remove()
    await bridge.close()
  },
})

const UNDECIDED = { status: 500 }
const ABSENT = { status: 404, body: { error: 'not_found' } }
const REFUSED = { status: 400, body: { error: 'invalid_request' } }

/** The answer of a bridge that accepts everything. */
function accepted(operation: string, fields: Fields): ScriptedAnswer {
  const status = operation === 'authorise' ? 'captured' : 'succeeded'
  return { status: 200, body: { ...fields, id: 'one', status } }
}

/**
 * Makes the bridge answer an operation with the given answers, one by one. The bridge accepts all further calls, and
 * all other operations.
 */
function answer(script: Readonly<Record<string, readonly ScriptedAnswer[]>>): void {
  const left = new Map(Object.entries(script).map(([operation, answers]) => [operation, [...answers]]))
  bridge.answerWith(({ path, body }) => {
    const operation = operationOf(path)
    return left.get(operation)?.shift() ?? accepted(operation, JSON.parse(body))
  })
}

function operationOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function count(operation: string): number {
  return bridge.requests.filter(({ path }) => operationOf(path) === operation).length
}

type Table = 'payouts' | 'refunds'

async function stateOf(table: Table, tradeNo: unknown): Promise<unknown> {
  const text = `select state from ${table} where trade_no = $1`
  return (await database.db.query({ text, values: [tradeNo] }))[0]?.state
}

/**
 * Freezes the process before it learns that its claim was committed. Another node starts and decides after the lease.
 * Then the first process goes on.
 */
async function standStill(table: Table, tradeNo: unknown, operation: string): Promise<void> {
  const { db } = database
  const isRecorded = async () => {
    const text = `select from ${table} where trade_no = $1 and ask_at < now() + interval '3 seconds'`
    return count(operation) === 1 && (await db.query({ text, values: [tradeNo] })).length === 1
  }
  assert.ok(await eventually(isRecorded))
  await db.transaction(async (tx) => {
    await tx.query({ text: `lock table ${table} in share mode` })
    await tx.query({ text: `update ${table} set ask_at = now() where trade_no = $1`, values: [tradeNo] })
    await waitUntilSomebodyWaits(db, 'asks + 1')
    process.kill(frozen.pid, 'SIGSTOP')
  })
  const living = await installation.start({ TOLLGATE_CHANNELS: channels, PORT: String(await freePort()) })
  assert.ok(await eventually(async () => (await stateOf(table, tradeNo)) === 'failed'))
  assert.equal(count(operation), 2)
  process.kill(frozen.pid, 'SIGCONT')
  assert.ok(await staysFalse(() => count(operation) > 2, 3_000), 'money moves after it was given back')
  assert.equal(await stateOf(table, tradeNo), 'failed')
  assert.equal(await living.stop(), 0)
  await assertSound(db)
}

it('a payout that another node has failed is not sent', async () => {
  answer({ send: [UNDECIDED, REFUSED], lookup: [ABSENT, ABSENT] })
  const { code, message, data } = await call(frozen.account, '/payout', {
    merNo: frozen.account.merNo,
    merOrderNo: newNumber(),
    sourceAmount: '12.34',
    returnUrl: 'https://shop.example/back',
    notifyUrl: 'https://shop.example/notify',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
    withdrawType: '3',
    currencyCode: 'EUR',
    cardNo: IBAN,
    benFirstName: 'Test',
    benLastName: 'Payee',
    addressLine: 'Av. Arequipa 1000',
    city: 'Lima',
    countryCode: 'PE',
    beneficiaryType: 'individual',
  })
  assert.equal(code, '00000', message)
  await standStill('payouts', data.tradeNo, 'send')
})

it('a refund that another node has failed is not called', async () => {
  answer({ refund: [UNDECIDED, REFUSED] })
  const { merNo } = frozen.account
  const { data } = await pay(frozen.account)
  assert.equal(data.payCode, 0)
  const { tradeNo, merOrderNo } = data
  const body = { merNo, merOrderNo, tradeNo, operationType: 'refund', version: 'V3.0.0', amount: '4.00' }
  assert.equal((await call(frozen.account, '/refund/apply', body)).code, '00000')
  await standStill('refunds', tradeNo, 'refund')
})
