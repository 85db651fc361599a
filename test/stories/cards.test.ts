// Every sandbox card through a real gateway: the response, later queries, and the ledger entries.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { formOn, linkOn, openPage, type Page, submit } from '../harness/browser.ts'
import { type Account, pay, query, type Reply } from '../harness/client.ts'
import {
  assertSound,
  CANCELLED,
  DECLINED,
  type OrderSnapshot,
  orderSnapshot,
  PAID,
  WAITING,
} from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'

const SUCCEEDED = 'Payment succeeded'
const AMEX = '378282246310005'
const decided: readonly [card: string, payCode: number, message: string][] = [
  ['4242424242424242', 0, SUCCEEDED],
  ['5555555555554444', 0, SUCCEEDED],
  ['378282246310005', 0, SUCCEEDED],
  ['6205500000000000004', 0, SUCCEEDED],
  ['4000000000000259', 0, SUCCEEDED],
  ['4000000000000002', 1, 'The bank declined the payment'],
  ['4000000000009995', 1, 'Insufficient funds'],
  ['4000000000000069', 1, 'The card has expired'],
  ['4000000000000127', 1, 'The security code is wrong'],
  ['4000000000009979', 1, 'The card was reported stolen'],
]

let installation: Installation
let gateway: GatewayProcess
let account: Account

const database = useDatabase({
  async before({ url }) {
    installation = await openInstallation({ DATABASE_URL: url })
    gateway = await installation.start()
    account = gateway.account
  },
  after: () => installation.remove(),
})

describe('a sandbox card', { concurrency: true }, () => {
  for (const [card, payCode, message] of decided) {
    it(`${card} is ${payCode === 0 ? 'paid' : `declined: ${message}`}`, async () => {
      const cardSecurityCode = card === AMEX ? '1234' : '123'
      const reply = await pay(account, { cardNo: card, cardSecurityCode })
      assert.equal(reply.code, '00000')
      assert.equal(reply.data.payCode, payCode)
      assert.equal(reply.data.message, message)
      assert.equal('payUrl' in reply.data, false)
      await assertStands(reply, payCode === 0 ? PAID : DECLINED, payCode === 0 ? 3 : 2)
    })
  }

  it('needs a security code of its brand: four digits for American Express, three for all others', async () => {
    for (const [cardNo, cardSecurityCode, rule] of [
      [AMEX, '123', 'must be four digits for American Express'],
      ['4242424242424242', '1234', 'must be three digits'],
      ['6205500000000000004', '1234', 'must be three digits'],
    ] as const) {
      const { code, message } = await pay(account, { cardNo, cardSecurityCode })
      assert.deepEqual(
        { code, isNamed: message.includes(`cardSecurityCode ${rule}`) },
        { code: '99997', isNamed: true },
      )
    }
    assert.equal((await pay(account, { cardNo: '42424242424242424242' })).code, '99997')
  })

  it('4000000000000119 is pending while the bank does not respond, and paid after a status query', async () => {
    await assertFoundOut('4000000000000119', PAID, 3)
  })

  it('4000000000006975 is pending while the bank does not respond, and failed after a status query', async () => {
    await assertFoundOut('4000000000006975', CANCELLED, 2)
  })
})

describe('a challenged card', { concurrency: true }, () => {
  it('is paid with the right code, and the payer returns to the shop with the signed result', async () => {
    const { reply, codePage } = await challenge('4000000000003220')
    const answerPage = await submit(codePage, { code: '123456' })
    const result = await submit(answerPage)
    assert.deepEqual(result.redirections, [303])
    assert.equal(result.url, reply.data.payUrl)
    assert.match(result.html, /Your payment went through/)
    assertSignedReturn(linkOn(result), reply, '0')
    await assertStands(reply, PAID, 3)
  })

  it('is paid even if the payer enters the code and closes the browser', async () => {
    const { reply, codePage } = await challenge('4000000000003220')
    await submit(codePage, { code: '123456' })
    const isPaid = async () => (await query(account, reply.data.merOrderNo)).data.state === 3
    assert.ok(await eventually(isPaid), 'the bank calls back, nobody waits for the expiry')
    await assertStands(reply, PAID, 3)
  })

  it('fails with a wrong code, and cannot be paid any more', async () => {
    const { reply, codePage } = await challenge('4000000000003220')
    const result = await submit(await submit(codePage, { code: '654321' }))
    assert.match(result.html, /Your bank could not confirm that it was you/)
    assertSignedReturn(linkOn(result), reply, '1')
    await submit(await submit(codePage, { code: '123456' }))
    await assertStands(reply, DECLINED, 2)
  })

  it('is booked once if the browser returns twice, or many times concurrently', async () => {
    const { reply, codePage } = await challenge('4000000000003220')
    const answerPage = await submit(codePage, { code: '123456' })
    const results = await Promise.all(Array.from({ length: 8 }, () => submit(answerPage)))
    results.push(await submit(answerPage))
    for (const result of results) assert.match(result.html, /Your payment went through/)
    await assertStands(reply, PAID, 3)
  })

  it('4000008400001629 is declined after the challenge with any code', async () => {
    const { reply, codePage } = await challenge('4000008400001629')
    const result = await submit(await submit(codePage, { code: '123456' }))
    assert.match(result.html, /Your bank or wallet declined it/)
    assertSignedReturn(linkOn(result), reply, '1')
    await assertStands(reply, DECLINED, 2)
  })

  it('4000002500003155 is declined at first, and paid after a challenge in a second attempt', async () => {
    const reply = await pay(account, { cardNo: '4000002500003155' })
    assert.deepEqual({ code: reply.code, payCode: reply.data.payCode }, { code: '00000', payCode: 2 })
    const codePage = await submit(await openPage(String(reply.data.payUrl)))
    const result = await submit(await submit(codePage, { code: '123456' }))
    assert.match(result.html, /Your payment went through/)
    const text = 'select state from attempts where trade_no = $1 order by attempt_no'
    const attempts = await database.db.query({ text, values: [reply.data.tradeNo] })
    assert.deepEqual(attempts, [{ state: 'failed' }, { state: 'succeeded' }])
  })

  it('stays pending until the payer enters the code, even if the browser claims success', async () => {
    const { reply, payPage } = await challenge('4000000000003220')
    const { acsTransID } = JSON.parse(Buffer.from(formOn(payPage).fields.creq ?? '', 'base64url').toString())
    const claim = { messageType: 'CRes', acsTransID, challengeCompletionInd: 'Y', transStatus: 'Y' }
    const cres = Buffer.from(JSON.stringify(claim)).toString('base64url')
    for (const form of [{ cres }, { cres: 'nonsense' }, {}]) {
      const page = await openPage(`${reply.data.payUrl}/complete`, form)
      assert.match(page.html, /Continue to your bank/)
    }
    await assertStands(reply, WAITING, 1)
  })
})

it('the ledger is sound, and the gateway exits with status 0', async () => {
  assert.equal(await gateway.stop(), 0)
  await assertSound(database.db)
})

async function assertStands(reply: Reply, standing: OrderSnapshot, state: number): Promise<void> {
  assert.deepEqual(await orderSnapshot(database.db, reply.data.tradeNo), standing)
  const found = await query(account, reply.data.merOrderNo)
  assert.equal(found.data.tradeNo, reply.data.tradeNo)
  assert.equal(found.data.state, state)
}

const asksText = 'select asks > 0 as is_asked from attempts where trade_no = $1'

async function assertFoundOut(card: string, standing: OrderSnapshot, state: number): Promise<void> {
  const reply = await pay(account, { cardNo: card })
  assert.equal(reply.code, '00000')
  assert.equal(reply.data.payCode, 2)
  const isDecided = async () => (await query(account, reply.data.merOrderNo)).data.state !== 1
  assert.ok(await eventually(isDecided), 'still open')
  const asked = await database.db.query({ text: asksText, values: [reply.data.tradeNo] })
  assert.deepEqual(asked, [{ is_asked: true }])
  await assertStands(reply, standing, state)
}

type Challenged = { readonly reply: Reply; readonly payPage: Page; readonly codePage: Page }

/** Pays until the bank's page asks for the code. */
async function challenge(card: string): Promise<Challenged> {
  const reply = await pay(account, { cardNo: card })
  assert.equal(reply.code, '00000')
  assert.equal(reply.data.payCode, 2)
  const payPage = await openPage(String(reply.data.payUrl))
  assert.equal(payPage.status, 200)
  await assertStands(reply, WAITING, 1)
  const codePage = await submit(payPage)
  assert.match(codePage.html, /Enter the code/)
  return { reply, payPage, codePage }
}

function assertSignedReturn(link: URL, { data }: Reply, payCode: string): void {
  assert.equal(`${link.origin}${link.pathname}`, 'https://shop.example/back')
  const { sign, ...fields } = Object.fromEntries(link.searchParams)
  assert.deepEqual(fields, { tradeNo: data.tradeNo, merOrderNo: data.merOrderNo, payCode })
  const text = `event=return&merOrderNo=${data.merOrderNo}&payCode=${payCode}&tradeNo=${data.tradeNo}${account.key}`
  assert.equal(sign, createHash('md5').update(text).digest('hex').toUpperCase())
}
