// Reviews of SEPA payments from the view of merchants, payers and operators: a real gateway over HTTP, its sandbox
// bank, the command line, and kill -9.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { canonicalString } from '../../src/money/merchants/sign-fields.ts'
import { assertMoneySound, balancesOf } from '../builders/paid-orders.ts'
import { openReceiver, type Receiver } from '../counterparties/receiver.ts'
import { type Account, call, newNumber, query, signed } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

let installation: Installation
let gateway: GatewayProcess
let operator: Operator
let receiver: Receiver
let account: Account

const database = useDatabase({
  async before() {
    receiver = await openReceiver()
    // The bank is called over HTTP and always responds.
    installation = await openInstallation({
      DATABASE_URL: database.url,
      TOLLGATE_CHANNEL_TIMEOUT_MS: '60000',
    })
    gateway = await installation.start()
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    account = await newAccount()
  },
  async after() {
    await installation.remove()
    await receiver.close()
  },
})

async function newAccount(...options: string[]): Promise<Account> {
  const made = await operator.run(
    ...['merchant', 'create', '--name', 'Shop', '--site', 'shop.example'],
    ...['--fee-bps', '100', '--review-above', '1.00', '--notify-review', 'on', ...options],
  )
  return {
    baseUrl: gateway.account.baseUrl,
    site: 'shop.example',
    merNo: Number(made.merNo),
    key: String(made.key),
  }
}

type Order = { readonly tradeNo: string; readonly merOrderNo: string }

async function ordered(sourceAmount: string, of = account): Promise<Order> {
  const body = {
    merNo: of.merNo,
    merOrderNo: newNumber(),
    currencyCode: 'EUR',
    sourceAmount,
    returnUrl: 'https://shop.example/back',
    notifyUrl: receiver.url,
    userId: 'u1',
    email: 'payer@example.com',
    userAgent: 'Mozilla/5.0',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
  }
  const { code, message, data } = await call(of, '/payment', body, { paymentType: 'SEPA' })
  assert.equal(code, '00000', message)
  return { tradeNo: String(data.tradeNo), merOrderNo: body.merOrderNo }
}

async function listed({ tradeNo }: Order, of = account): Promise<unknown> {
  const { data } = await call(of, '/order/queryOrderList', { merNo: of.merNo, tradeNos: [tradeNo] })
  const [one] = Array.isArray(data.list) ? data.list : []
  return one?.state
}

async function untilState(order: Order, state: number, of = account): Promise<void> {
  assert.ok(await eventually(async () => (await listed(order, of)) === state), `${order.tradeNo} ${state}`)
}

/** Creates an order, and sends the amount as the payer at the sandbox bank. */
async function paid(sourceAmount: string, of = account): Promise<Order> {
  const order = await ordered(sourceAmount, of)
  const [row] = await database.db.query<{ url: string }>({
    text: `select action->>'appUrl' as url from attempts where trade_no = $1`,
    values: [order.tradeNo],
  })
  const body = new URLSearchParams({ decision: 'approve', amount: sourceAmount })
  assert.equal((await fetch(row?.url ?? '', { method: 'POST', body })).status, 200)
  return order
}

async function inReview(sourceAmount: string, of = account): Promise<Order> {
  const order = await paid(sourceAmount, of)
  await untilState(order, 24, of)
  return order
}

const pdf = Buffer.from('%PDF-1.7 a statement of account')

type Sent = { readonly type?: string; readonly content?: Buffer; readonly sign?: string }

async function upload(of: Account, { type = '.pdf', content = pdf, sign: own }: Sent = {}) {
  const fields = signed(of, '/file/upload', { merNo: of.merNo, type })
  const form = new FormData()
  form.append('merNo', String(of.merNo))
  form.append('type', type)
  form.append('file', new Blob([new Uint8Array(content)]), `statement${type}`)
  form.append('sign', own ?? String(fields.sign))
  const answer = await fetch(`${of.baseUrl}/file/upload`, { method: 'POST', body: form })
  const { code, data = {} } = JSON.parse(await answer.text())
  return { code: String(code), fileId: String(data.fileId) }
}

function submit(order: Order, changes: Record<string, unknown> = {}, of = account) {
  const info = { payerName: 'Example Payer', businessModel: 'Scarves' }
  const body = { merNo: of.merNo, tradeNo: order.tradeNo, version: 'V3.0.0', info, files: [], ...changes }
  return call(of, '/review/submit', body)
}

function notifiedCodes({ tradeNo }: Order): string[] {
  return receiver
    .received()
    .map(({ body }) => new URLSearchParams(body))
    .filter((fields) => fields.get('tradeNo') === tradeNo)
    .map((fields) => fields.get('code') ?? '')
}

async function untilNotified(order: Order, codes: string[]): Promise<void> {
  await eventually(() => notifiedCodes(order).length >= codes.length)
  assert.deepEqual(notifiedCodes(order), codes)
}

describe('a SEPA payment above the threshold', () => {
  it('succeeds once the merchant has submitted information and the operator approves', async () => {
    const of = await newAccount()
    const order = await inReview('250.00', of)
    assert.equal((await query(of, order.merOrderNo)).data.state, 1)
    assert.deepEqual(await balancesOf(database.db, of.merNo), {
      'rail:sepa EUR': -25_000n,
      'transit:review EUR': 25_000n,
    })
    await untilNotified(order, ['3'])
    const { fileId } = await upload(of)
    const files = [{ type: 'payerIdentityDocument', fileId }]
    const { code, data } = await submit(order, { files }, of)
    assert.equal(code, '00000')
    assert.deepEqual(data, { ...order, merNo: String(of.merNo), state: 25 })
    assert.equal(await listed(order, of), 25)
    assert.equal((await submit(order, {}, of)).code, '10102')

    const shown = await operator.run('review', 'show', order.tradeNo)
    assert.deepEqual(shown.info, { payerName: 'Example Payer', businessModel: 'Scarves' })
    const out = join(installation.dataDir, `${fileId}.pdf`)
    await operator.run('review', 'file', fileId, '--out', out)
    assert.deepEqual(readFileSync(out), pdf)
    assert.equal(statSync(out).mode & 0o777, 0o600)
    assert.match(await operator.refused('review', 'file', fileId, '--out', out), /cannot be written/)

    await operator.run('review', 'approve', order.tradeNo)
    assert.equal(await listed(order, of), 5)
    assert.equal((await query(of, order.merOrderNo)).data.state, 3)
    await untilNotified(order, ['3', '0'])
    const balances = await balancesOf(database.db, of.merNo)
    assert.equal(balances['merchant:unsettled EUR'], 24_750n)
    await assertMoneySound(database.db)
  })

  it('needs more information, then is rejected: the money is returned before the order fails', async () => {
    const order = await inReview('40.00')
    await submit(order)
    await operator.run('review', 'ask', order.tradeNo, '--note', 'Whose account is it?')
    await untilNotified(order, ['3', '3'])
    assert.equal((await submit(order, { info: { payeeName: 'Shop' } })).code, '00000')
    await operator.run('review', 'reject', order.tradeNo, '--note', 'No such shipment')
    await untilState(order, 6)
    await untilNotified(order, ['3', '3', '1'])
    assert.match(await operator.refused('review', 'approve', order.tradeNo), /not in review/)
    await assertMoneySound(database.db)
  })

  it('whose money the bank refuses to return stays open for the operator', async () => {
    const order = await inReview('6.66')
    await operator.run('review', 'reject', order.tradeNo, '--note', 'No such shipment')
    const isBack = async () => (await operator.run('review', 'show', order.tradeNo)).state === 'asked'
    assert.ok(await eventually(isBack))
    assert.equal(await listed(order), 24)
    const metrics = await (await fetch(`${account.baseUrl}/metrics`)).text()
    assert.match(metrics, /^tollgate_reviews_open [1-9]/m)
    assert.match(metrics, /^tollgate_alarms_total [1-9]/m)
    await operator.run('review', 'reject', order.tradeNo, '--note', 'Sent back by hand', '--returned')
    assert.equal(await listed(order), 6)
  })

  it('below the threshold is reviewed only if an operator picked it', async () => {
    const order = await paid('0.90')
    await untilState(order, 5)
    assert.match(await operator.refused('review', 'pick', order.tradeNo), /only a processing order/)
    assert.match(await operator.refused('review', 'show', order.tradeNo), /not in review/)
    const picked = await ordered('0.80')
    await operator.run('review', 'pick', picked.tradeNo)
    assert.equal((await operator.run('review', 'show', picked.tradeNo)).state, 'picked')
  })

  it('is returned once, although the gateway is killed repeatedly meanwhile', async () => {
    const order = await inReview('77.00')
    await operator.run('review', 'reject', order.tradeNo, '--note', 'No such shipment')
    for (const afterMs of [100, 700, 1300]) {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      await gateway.kill()
      // The lease of the killed gateway ends at once.
      await database.db.query({ text: 'update reviews set ask_at = now() where ask_at is not null' })
      gateway = await installation.start()
    }
    await untilState(order, 6)
    const steps = await database.db.query<{ step: string }>({
      text: 'select step from ledger_entries where subject = $1 order by step',
      values: [order.tradeNo],
    })
    assert.deepEqual(
      steps.map(({ step }) => step),
      ['review', 'review-returned'],
    )
    await assertMoneySound(database.db)
  })
})

describe('a submission for a review', () => {
  it('may be signed with RSA', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = join(installation.dataDir, 'merchant.pem')
    writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }))
    const of = await newAccount()
    await operator.run('merchant', 'set-rsa', String(of.merNo), '--file', pem)
    const text = canonicalString({ merNo: String(of.merNo), type: '.pdf' })
    const made = sign('sha256', Buffer.from(text), privateKey).toString('base64')
    assert.equal((await upload(of, { sign: made })).code, '00000')
    assert.equal((await upload(of, { sign: `${made.slice(0, -4)}AAAA` })).code, '10015')
  })

  it('must contain small PDF, PNG or JPEG files of the declared type', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const wrong: Sent[] = [
      { type: '.png' },
      { type: '.pdf', content: png },
      { type: '.gif', content: Buffer.from('GIF89a') },
      { content: Buffer.from('<script>alert(1)</script>') },
      { content: Buffer.alloc(0) },
      { content: Buffer.concat([pdf], 2 * 1024 * 1024 + 1) },
    ]
    for (const [at, sent] of wrong.entries())
      assert.equal((await upload(account, sent)).code, '10106', `wrong file ${at}`)
    assert.equal((await upload(account, { content: Buffer.concat([pdf], 2 * 1024 * 1024) })).code, '00000')
    assert.equal((await upload(account, { type: '.png', content: png })).code, '00000')
  })

  it('is checked in this order: field, order, state, files', async () => {
    const order = await inReview('30.00')
    const codes = async (changes: Record<string, unknown>) => (await submit(order, changes)).code
    assert.equal(await codes({ info: { shoeSize: '44' } }), '99997')
    assert.equal(await codes({ info: { payerName: 1 } }), '99996')
    assert.equal(await codes({ info: {}, files: [] }), '10002')
    assert.equal(await codes({ files: [{ type: 'selfie', fileId: 'F1' }] }), '99997')
    assert.equal(
      await codes({ tradeNo: 'T0', files: [{ type: 'transactionDetails', fileId: 'F1' }] }),
      '10026',
    )
    assert.equal(await codes({ files: [{ type: 'transactionDetails', fileId: 'F1' }] }), '10106')
    const others = await Promise.all(Array.from({ length: 7 }, () => upload(account)))
    const files = others.map(({ fileId }) => ({ type: 'transactionDetails', fileId }))
    assert.equal(await codes({ files }), '10106')
    assert.equal(await codes({ files: files.slice(0, 6) }), '00000')
    const next = await inReview('31.00')
    assert.equal((await submit(next, { files: files.slice(5, 6) })).code, '10106')
  })
})
