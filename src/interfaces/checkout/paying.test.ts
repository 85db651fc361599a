// Payments on our pages through a real gateway, including double clicks, old tabs and retries.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { formOn, linkOn, openPage, type Page, submit } from '../../../test/harness/browser.ts'
import { type Account, call, cardBody, query } from '../../../test/harness/client.ts'
import { assertSound } from '../../../test/harness/database-checks.ts'
import {
  type GatewayProcess,
  type Installation,
  openInstallation,
} from '../../../test/harness/gateway-process.ts'
import { useDatabase } from '../../../test/harness/harness.ts'

const GOOD = '4242424242424242'
const DECLINED = '4000000000000002'
const CHALLENGED = '4000000000003220'

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

type Order = { readonly payUrl: string; readonly tradeNo: string; readonly merOrderNo: string }

async function order(changes: Record<string, unknown> = {}): Promise<Order> {
  const { cardNo, cardExpireMonth, cardExpireYear, cardSecurityCode, ...body } = cardBody(account, changes)
  const { code, message, data } = await call(account, '/cashier/checkStandPay', body)
  assert.equal(code, '00000', message)
  return { payUrl: String(data.payUrl), tradeNo: String(data.tradeNo), merOrderNo: String(data.merOrderNo) }
}

const card = (cardNo: string, attempt: number, more: Record<string, string> = {}) => ({
  method: 'card',
  attempt: String(attempt),
  cardNo,
  cardExpiry: '12 / 30',
  cardSecurityCode: '123',
  ...more,
})

const press = ({ payUrl }: Order, form: Record<string, string>) => openPage(`${payUrl}/pay`, form)

async function attemptsOf({ tradeNo }: Order): Promise<string[]> {
  const rows = await database.db.query<{ state: string }>({
    text: 'select state from attempts where mer_no = $1 and trade_no = $2 order by attempt_no',
    values: [account.merNo, tradeNo],
  })
  return rows.map(({ state }) => state)
}

async function stateOf({ merOrderNo }: Order): Promise<unknown> {
  return (await query(account, merOrderNo)).data.state
}

/** Enters the right code at the bank, which sends the payer back to our page. */
async function confirmAt(bank: Page): Promise<Page> {
  return submit(await submit(bank, { code: '123456' }))
}

/** Returns the address of the link to the shop on the result page. Checks the signature of the address. */
function returnOn(page: Page): URL {
  const url = linkOn(page)
  const fields = ['merOrderNo', 'payCode', 'tradeNo'].map((name) => `${name}=${url.searchParams.get(name)}`)
  const text = `event=return&${fields.join('&')}${account.key}`
  const sign = createHash('md5').update(text).digest('hex').toUpperCase()
  assert.equal(url.searchParams.get('sign'), sign)
  return url
}

describe('a form', () => {
  it('sent twenty times concurrently pays once', async () => {
    const one = await order()
    const pages = await Promise.all(Array.from({ length: 20 }, () => press(one, card(GOOD, 0))))
    for (const { status, redirections } of pages)
      assert.deepEqual({ status, redirections }, { status: 200, redirections: [303] })
    assert.deepEqual(await attemptsOf(one), ['succeeded'])
    assert.equal(await stateOf(one), 3)
    await assertSound(database.db)
  })

  it('sent from twenty tabs with twenty different cards starts one attempt', async () => {
    const one = await order()
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => press(one, card(n % 2 === 0 ? DECLINED : GOOD, 0))),
    )
    assert.equal((await attemptsOf(one)).length, 1)
  })

  it('made before a decline is stale, and the page says so', async () => {
    const one = await order()
    const declined = await press(one, card(DECLINED, 0))
    assert.match(declined.html, /did not go through/)
    const old = await press(one, card(GOOD, 0))
    assert.match(old.html, /another tab or window/)
    assert.deepEqual(await attemptsOf(one), ['failed'])
  })

  it('sent again after success, by reloading or going back, shows the result and does not pay again', async () => {
    const one = await order()
    const first = await press(one, card(GOOD, 0))
    const again = await press(one, card(GOOD, 0))
    const later = await press(one, card(GOOD, 1))
    for (const page of [first, again, later, await openPage(one.payUrl)])
      assert.equal(returnOn(page).searchParams.get('payCode'), '0')
    assert.deepEqual(await attemptsOf(one), ['succeeded'])
  })

  it('with errors starts no attempt and keeps the typed values except the card', async () => {
    const one = await order({ billingLastName: '', billingEmail: '' })
    const page = await openPage(one.payUrl)
    assert.match(page.html, /name="billingLastName"/)
    assert.doesNotMatch(page.html, /name="billingFirstName"/)
    const typed = { billingLastName: 'Quispe', billingEmail: 'nobody' }
    const wrong = await press(one, card('4242424242424241', 0, typed))
    assert.equal(wrong.status, 422)
    assert.match(wrong.html, /value="Quispe"/)
    assert.doesNotMatch(wrong.html, /424242|value="123"/)
    assert.deepEqual(await attemptsOf(one), [])
    await press(one, card(GOOD, 0, { ...typed, billingEmail: 'payer@shop.example' }))
    assert.deepEqual(await attemptsOf(one), ['succeeded'])
    const [row] = await database.db.query<{ details: Record<string, string> }>({
      text: 'select details from attempts where trade_no = $1',
      values: [one.tradeNo],
    })
    assert.equal(row?.details.billingLastName, 'Quispe')
  })
})

const unsent = Object.keys(cardBody({ baseUrl: '', merNo: 0, key: '', site: '' })).filter((name) =>
  name.startsWith('billing'),
)

describe('a payer without details from the merchant', () => {
  const sentNothing = () => order(Object.fromEntries(unsent.map((name) => [name, ''])))
  const person = { billingFirstName: 'Test', billingLastName: 'Payer', billingEmail: 'payer@shop.example' }

  it('is asked for name, e-mail, country and postal code, and pays with them', async () => {
    const one = await sentNothing()
    const { html } = await openPage(one.payUrl)
    const asked = [...html.matchAll(/<(?:input|select)[^>]* name="(billing\w+)"/g)].map(([, name]) => name)
    assert.deepEqual(asked, [...Object.keys(person), 'billingCountry', 'billingZipCode'])
    await press(one, card(GOOD, 0, { ...person, billingCountry: 'US', billingZipCode: '78701' }))
    assert.deepEqual(await attemptsOf(one), ['succeeded'])
  })

  it('can pass a 3-D Secure challenge without an address', async () => {
    const one = await sentNothing()
    const challenge = await press(one, card(CHALLENGED, 0, { ...person, billingCountry: 'HK' }))
    await confirmAt(await submit(challenge))
    assert.deepEqual(await attemptsOf(one), ['succeeded'])
  })

  it('needs a postal code if the country has them, and sees the error at the field', async () => {
    const one = await sentNothing()
    const wrong = await press(one, card(GOOD, 0, { ...person, billingCountry: 'US' }))
    assert.equal(wrong.status, 422)
    assert.match(wrong.html, /id="card-billingZipCode-problem">Fill this in</)
    assert.deepEqual(await attemptsOf(one), [])
  })

  it('sees nothing of these details in the page after a decline, because others may have its link', async () => {
    const one = await sentNothing()
    const details = { ...person, billingCountry: 'US', billingZipCode: '78701' }
    const declined = await press(one, card(DECLINED, 0, details))
    assert.match(declined.html, /did not go through/)
    assert.doesNotMatch(declined.html, /value="(Test|Payer|payer@shop\.example|78701)"|value="US" selected/)
  })
})

describe('a payer', () => {
  it('has five attempts', async () => {
    const one = await order()
    for (let n = 0; n < 5; n++) {
      assert.equal(await stateOf(one), 1)
      await press(one, card(DECLINED, n))
    }
    assert.deepEqual(await attemptsOf(one), Array(5).fill('failed'))
    assert.equal(await stateOf(one), 2)
    const page = await press(one, card(GOOD, 5))
    assert.equal(returnOn(page).searchParams.get('payCode'), '1')
    assert.equal((await attemptsOf(one)).length, 5)
  })

  it('can pay with a challenge at the bank', async () => {
    const one = await order()
    const asked = await press(one, card(CHALLENGED, 0))
    assert.equal(new URL(formOn(asked).action).origin === new URL(one.payUrl).origin, false)
    const done = await confirmAt(await submit(asked))
    assert.equal(returnOn(done).searchParams.get('payCode'), '0')
  })

  it('can switch methods while an attempt waits, and the first attempt can no longer be paid', async () => {
    const one = await order()
    const asked = await press(one, card(CHALLENGED, 0))
    const bank = await submit(asked)
    const page = await openPage(`${one.payUrl}/switch`, { attempt: '1' })
    assert.match(page.html, /name="attempt" value="1"/)
    assert.deepEqual(await attemptsOf(one), ['failed'])
    await confirmAt(bank)
    assert.deepEqual(await attemptsOf(one), ['failed'])
    await press(one, card(GOOD, 1))
    assert.deepEqual(await attemptsOf(one), ['failed', 'succeeded'])
    await assertSound(database.db)
  })

  it('can cancel the order', async () => {
    const one = await order()
    const page = await openPage(`${one.payUrl}/cancel`, { attempt: '0' })
    assert.equal(returnOn(page).searchParams.get('payCode'), '1')
    assert.equal(await stateOf(one), 2)
    await press(one, card(GOOD, 0))
    assert.deepEqual(await attemptsOf(one), [])
  })

  it('sees no order behind a changed link, or one combined from two', async () => {
    const [one, other] = await Promise.all([order(), order()])
    const [trade = '', expiry = '', mac = ''] =
      new URL(one.payUrl).pathname.split('/').at(-1)?.split('.') ?? []
    const links = [
      `${other.tradeNo}.${expiry}.${mac}`,
      `${trade}.${expiry}z.${mac}`,
      `${trade}.${expiry}.${mac.slice(1)}`,
      `${trade}..${mac}`,
      trade,
    ]
    for (const link of links)
      for (const path of ['', '/events', '/status', '/logo'])
        assert.equal((await openPage(`${account.baseUrl}/pay/${link}${path}`)).status, 404, link)
    const page = await openPage(`${account.baseUrl}/pay/${links[0]}/pay`, card(GOOD, 0))
    assert.equal(page.status, 404)
    assert.deepEqual(await attemptsOf(other), [])
  })
})

describe('an open page', () => {
  it('is updated when another tab continues, and does not delay a shutdown', async () => {
    const one = await order()
    const events = await fetch(`${one.payUrl}/events`)
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    const next = async () => (await reader?.read())?.value
    const before = await next()
    assert.match(String(before), /^id: 1\ndata: \{"mark":"choosing\.0/)
    await press(one, card(GOOD, 0))
    // On a busy machine, other updates may arrive before the expected one.
    let update = before
    while (update !== undefined && !update.includes('"mark":"succeeded.1')) update = await next()
    assert.notEqual(update, undefined)
    assert.match(await (await fetch(`${one.payUrl}/status`)).text(), /^\{"mark":"succeeded\.1/)
    assert.equal(await gateway.stop(), 0, 'it was forced: it waited for the page')
    assert.equal(await next(), undefined)
  })
})
