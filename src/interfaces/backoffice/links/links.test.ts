// Payment links over HTTP: people make links, strangers open and pay them, and a link for one use is paid only once.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import QRCode from 'qrcode'
import { assertMoneySound } from '../../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { eventually, nextMillisecond } from '../../../../test/harness/eventually.ts'
import { operatorAt } from '../../../../test/harness/operator.ts'

let office: BackOffice
let owner: Person
before(async () => {
  office = await openBackOffice()
  owner = await office.person(office.demo.merNo, 'owner')
})
after(async () => {
  await assertMoneySound(office.db)
  await office.close()
})

const content = {
  title: 'Blue lamp',
  currency: 'EUR',
  amount: '24.00',
  uses: 'one',
  language: '',
  reference: 'INV-7',
  notifyUrl: '',
} as const

const make = (changes: object = {}) => owner.call('POST /links', { body: { ...content, ...changes } })
const read = (linkId: string) => owner.call('GET /links/:linkId', { params: { linkId } })

/** Sends a form in the way of a browser without scripts. */
function post(url: string, form: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}

/** Submits the form of a link, and returns the address of the order's page. */
async function begin(url: string, form: Record<string, string> = {}): Promise<string> {
  const response = await post(url, form)
  assert.equal(response.status, 303)
  return new URL(response.headers.get('location') ?? '', url).href
}

const tradeNoOf = (pageUrl: string) => pageUrl.split('/').at(-1)?.split('.')[0] ?? ''

const card = {
  method: 'card',
  attempt: '0',
  cardNo: '4242424242424242',
  cardExpiry: '12/39',
  cardSecurityCode: '123',
  billingFirstName: 'Ada',
  billingLastName: 'Payer',
  billingEmail: 'ada@payer.example',
  billingCountry: 'DE',
  billingZipCode: '10115',
}

const pay = (pageUrl: string) => post(`${pageUrl}/pay`, card)

describe('a link for one use', () => {
  it('is paid once, however many browsers continue and pay at once', async () => {
    const { url, linkId } = await make()
    const pages = await Promise.all(Array.from({ length: 12 }, () => begin(url)))
    assert.equal(new Set(pages.map(tradeNoOf)).size, 1, 'all continue the same order')
    assert.equal((await read(linkId)).link.status, 'claimed')
    await Promise.all(pages.map(pay))
    const { link, results } = await read(linkId)
    assert.deepEqual(
      { status: link.status, orders: results.orders, paid: results.paid },
      { status: 'paid', orders: 1, paid: 1 },
    )
    assert.deepEqual(results.paidSum, { amount: '24.00', currency: 'EUR' })
    for (const answer of [await fetch(url), await post(url)]) {
      assert.equal(answer.status, 410)
      assert.match(await answer.text(), /already paid/)
    }
    assert.equal((await read(linkId)).results.orders, 1)
    const tradeNo = tradeNoOf(pages[0] ?? '')
    const { notifications } = await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })
    assert.deepEqual(notifications, [], 'the link named no address')
  })

  it('makes another order only after the one before ended unpaid', async () => {
    const { url, linkId } = await make()
    const first = await begin(url)
    assert.equal((await post(`${first}/cancel`)).status, 303)
    assert.match(await (await fetch(first)).text(), /Start again/)
    const pages = await Promise.all(Array.from({ length: 6 }, () => begin(url)))
    const [second] = new Set(pages.map(tradeNoOf))
    assert.equal(new Set(pages.map(tradeNoOf)).size, 1)
    assert.notEqual(second, tradeNoOf(first))
    await pay(first)
    assert.equal((await read(linkId)).results.paid, 0, 'the order that ended cannot be paid any more')
    await pay(pages[0] ?? '')
    const { results } = await read(linkId)
    assert.deepEqual(
      { orders: results.orders, open: results.open, paid: results.paid, amount: results.paidSum.amount },
      { orders: 2, open: 0, paid: 1, amount: '24.00' },
    )
  })
})

describe('a link for many uses', () => {
  it('asks for the amount within its bounds, and keeps what was typed', async () => {
    const notifyUrl = `${office.baseUrl}/nowhere`
    const open = { amount: undefined, least: '5', most: '50.00' }
    const { url, linkId } = await make({ ...open, uses: 'many', notifyUrl })
    const page = await (await fetch(url)).text()
    assert.match(page, /From €5\.00 to €50\.00/)
    const wrong = await post(url, { amount: '50.01' })
    assert.equal(wrong.status, 422)
    assert.match(await wrong.text(), /value="50\.01"/)
    const [one, two] = await Promise.all([begin(url, { amount: '5' }), begin(url, { amount: '7,50' })])
    assert.notEqual(tradeNoOf(one), tradeNoOf(two))
    await Promise.all([pay(one), pay(two)])
    const { link, results } = await read(linkId)
    assert.deepEqual(
      { status: link.status, paid: results.paid, amount: results.paidSum.amount },
      { status: 'active', paid: 2, amount: '12.50' },
    )
    const { rows } = await owner.call('GET /links/:linkId/orders', { params: { linkId } })
    assert.deepEqual(
      rows.map(({ state, method }) => [state, method]),
      [
        [5, 'card'],
        [5, 'card'],
      ],
    )
    const tradeNo = tradeNoOf(one)
    const { details, notifications } = await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })
    assert.equal(notifications.length, 1, 'the link named an address')
    assert.ok(details.some(({ name, value }) => name === 'reference' && value === 'INV-7'))
  })

  it('stops when it is switched off, and goes on when it is switched on', async () => {
    const { url, linkId } = await make({ uses: 'many' })
    const support = await office.person(office.demo.merNo, 'support')
    const change = (state: 'active' | 'off') =>
      support.call('PUT /links/:linkId/state', { params: { linkId }, body: { state } })
    assert.equal((await change('off')).status, 'off')
    assert.equal((await post(url)).status, 410)
    await change('active')
    assert.ok(await begin(url))
    const { rows } = await owner.call('GET /audit', { query: { subject: linkId } })
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['link.switch-on', 'link.switch-off', 'link.create'],
    )
  })
})

describe('a link that an operator stops', () => {
  it('cannot be paid, nor be switched on by the merchant, until an operator lets it go on', async () => {
    const { url, linkId } = await make({ uses: 'many' })
    const params = { linkId }
    const risk = await office.operator('risk')
    const stop = (isStopped: boolean, by: Person = risk) =>
      by.attempt('PUT /links/:linkId/stop', { params, body: { isStopped, reason: 'Sells stolen goods' } })
    assert.equal((await stop(true, owner)).problem?.code, 'not-allowed')
    assert.equal((await stop(true, await office.operator('support'))).problem?.code, 'not-allowed')
    assert.equal((await stop(true)).reply?.status, 'stopped')
    assert.equal((await stop(true)).problem?.code, 'refused')
    assert.equal((await post(url)).status, 410)
    const on = { params, body: { state: 'active' } } as const
    assert.match((await owner.attempt('PUT /links/:linkId/state', on)).problem?.message ?? '', /stopped by/)

    const { databaseUrl, dataDir } = office
    const operator = operatorAt({ databaseUrl, dataDir })
    await operator.run('link', 'resume', linkId, '--why', 'A mistake')
    assert.ok(await begin(url))
    await operator.run('link', 'stop', linkId)
    const { links } = await operator.run('link', 'list', '--mer-no', String(office.demo.merNo))
    assert.ok(Array.isArray(links) && links.some((one) => one.linkId === linkId && one.status === 'stopped'))
    const { rows } = await owner.call('GET /audit', { query: { subject: linkId } })
    assert.deepEqual(
      rows.map(({ action, reason }) => [action, reason]),
      [
        ['link.stop', null],
        ['link.resume', 'A mistake'],
        ['link.stop', 'Sells stolen goods'],
        ['link.create', null],
      ],
    )
  })
})

describe('the page of a link', () => {
  it('has the language of the link, and is guarded as other pages for payers', async () => {
    const { url } = await make({ language: 'de', title: '<b>Lampe</b>' })
    const answer = await fetch(url, { headers: { 'accept-language': 'fr' } })
    const text = await answer.text()
    assert.match(text, /lang="de"/)
    assert.ok(!text.includes('<b>Lampe'))
    assert.match(answer.headers.get('content-security-policy') ?? '', /form-action 'self'/)
    const foreign = await fetch(url, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })
    assert.equal(foreign.status, 403)
  })

  it('says what to do if there is no such link', async () => {
    const { url, linkId } = await make()
    const other = `${linkId.slice(0, -1)}${linkId.endsWith('0') ? '1' : '0'}`
    for (const address of [url.replace(linkId, other), url.replace(linkId, 'x'), `${url}/x`]) {
      const answer = await fetch(address)
      assert.equal(answer.status, 404)
      assert.match(await answer.text(), /does not exist/)
    }
  })

  it('says so if the order is refused', async () => {
    const { url } = await make({ amount: '9999999.00' })
    const answer = await post(url)
    assert.equal(answer.status, 503)
    assert.match(await answer.text(), /cannot be paid right now/)
  })
})

describe('what a person enters', () => {
  const wrong: readonly (readonly [field: string, changes: object])[] = [
    ['amount', { amount: '12.345' }],
    ['amount', { amount: '' }],
    ['most', { amount: undefined, least: '10', most: '5' }],
    ['currency', { currency: 'XXX' }],
    ['method', { method: 'pix' }],
    ['lastDay', { lastDay: '2020-01-31' }],
    ['language', { language: 'tlh' }],
    ['notifyUrl', { notifyUrl: 'http://10.0.0.1/notify' }],
    ['title', { title: ' ' }],
  ]
  for (const [field, changes] of wrong)
    it(`is refused at ${field} for ${JSON.stringify(changes)}`, async () => {
      const { problem } = await owner.attempt('POST /links', { body: { ...content, ...changes } })
      assert.deepEqual(
        { code: problem?.code, fields: Object.keys(problem?.fields ?? {}) },
        { code: 'invalid', fields: [field] },
      )
    })

  it('is the last day, in the time zone of the merchant', async () => {
    const { expiresAt } = await make({ lastDay: '2999-12-31' })
    assert.match(expiresAt ?? '', /^(2999-12-31|3000-01-01)T/)
  })
})

it('staff of another merchant find nothing, and a viewer makes nothing', async () => {
  await nextMillisecond()
  const { linkId } = await make()
  const stranger = await office.person(office.demo.merNo + 1, 'owner')
  const seen = await stranger.attempt('GET /links/:linkId', { params: { linkId } })
  assert.equal(seen.problem?.code, 'not-found')
  const viewer = await office.person(office.demo.merNo, 'viewer')
  assert.equal((await viewer.attempt('POST /links', { body: content })).problem?.code, 'not-allowed')
  const { rows } = await viewer.call('GET /links', {})
  assert.equal(rows[0]?.linkId, linkId, 'the newest comes first')
})

it('a link is sent by mail, and its code leads to it', async () => {
  const { linkId, url } = await make()
  const mail = { params: { linkId }, body: { to: 'ada@payer.example', language: 'en' } } as const
  await owner.call('POST /links/:linkId/mails', mail)
  const mails = await (await fetch(`${office.baseUrl}/sandbox/mail`)).text()
  assert.ok(mails.includes('ada@payer.example') && mails.includes(url))
  const wrong = { ...mail, body: { ...mail.body, to: 'nobody' } }
  const { problem } = await owner.attempt('POST /links/:linkId/mails', wrong)
  assert.deepEqual(Object.keys(problem?.fields ?? {}), ['to'])
  const png = await owner.attempt('GET /links/:linkId/qr.png', { params: { linkId } })
  assert.equal(png.headers.get('content-type'), 'image/png')
  const svg = await owner.attempt('GET /links/:linkId/qr.svg', { params: { linkId } })
  const drawn = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
  assert.equal(svg.reply, drawn)
})

it('links are mailed only by a company that may take payments, and 30 an hour', async () => {
  const operator = await office.operator()
  const reason = 'New contract'
  const body = { name: 'Mailer', sites: ['mailer.example'], currencies: 'EUR', reason }
  const { merNo } = await operator.call('POST /merchants', { body })
  const change = (transition: 'approve' | 'suspend') =>
    operator.call('POST /merchants/:merNo/state', { params: { merNo }, body: { transition, reason } })
  const mailer = await office.person(merNo, 'owner')
  const { linkId } = await mailer.call('POST /links', { body: { ...content, uses: 'many' } })
  const mail = { params: { linkId }, body: { to: 'ada@payer.example', language: 'en' } } as const
  const send = () => mailer.attempt('POST /links/:linkId/mails', mail)
  await change('suspend')
  assert.ok(await eventually(async () => (await send()).problem?.code === 'refused'))
  await change('approve')
  assert.ok(await eventually(async () => (await send()).status === 200))
  const [counted] = await office.db.query<{ mails: number }>({
    text: 'select count(*)::int as mails from mails where mer_no = $1',
    values: [merNo],
  })
  for (let sent = counted?.mails ?? 0; sent < 30; sent++) assert.equal((await send()).status, 200)
  const { status, problem, headers } = await send()
  assert.deepEqual({ status, code: problem?.code }, { status: 429, code: 'too-many' })
  assert.ok(Number(headers.get('retry-after')) > 0)
  const { linkId: other } = await make({ uses: 'many' })
  await owner.call('POST /links/:linkId/mails', { ...mail, params: { linkId: other } })
})

it('a paid order has a receipt with the ending of the card, others have none', async () => {
  const { url } = await make({ uses: 'many' })
  const page = await begin(url)
  const tradeNo = tradeNoOf(page)
  const none = await owner.attempt('GET /orders/:tradeNo/receipt', { params: { tradeNo } })
  assert.equal(none.problem?.code, 'not-found')
  await pay(page)
  const [, path = ''] = /href="(\.\.\/receipt\/[^"]+)"/.exec(await (await fetch(page)).text()) ?? []
  const receipt = await owner.call('GET /orders/:tradeNo/receipt', { params: { tradeNo } })
  for (const address of [new URL(path, page).href, receipt.url]) {
    const text = await (await fetch(address)).text()
    for (const shown of ['€24.00', 'Visa', '•••• 4242', tradeNo, 'Blue lamp'])
      assert.ok(text.includes(shown), shown)
    assert.match(text, new RegExp(`${new Date().getUTCFullYear()}</time>|${new Date().getUTCFullYear()} at`))
    assert.ok(!text.includes('424242'))
  }
  const body = { amount: '4.00', reason: 'Scratched', merRefundNo: 'refund-of-receipt' }
  await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  const refunded = async () => /−€4\.00/.test(await (await fetch(receipt.url)).text())
  assert.ok(await eventually(refunded))
  assert.match(await (await fetch(receipt.url)).text(), /€20\.00/)
  assert.equal((await fetch(`${receipt.url}A`)).status, 404)
})

it('the pages of a link and of its order may be framed by approved websites of its merchant alone', async () => {
  const { merNo } = office.demo
  const { url } = await make({ uses: 'many' })
  const page = await begin(url)
  const headers = { 'sec-fetch-dest': 'iframe' }
  const framedBy = async (address: string) => {
    const policy = (await fetch(address, { headers })).headers.get('content-security-policy') ?? ''
    return /frame-ancestors ([^;]*)/.exec(policy)?.[1]
  }
  const operator = await office.operator()
  const reason = 'New contract'
  await operator.call('POST /merchants', { body: { name: 'Other', sites: ['other.example'], reason } })
  await owner.call('POST /websites', { body: { site: 'lamps.example' } })
  for (const address of [url, page]) assert.equal(await framedBy(address), 'http://localhost:*')
  await operator.call('POST /merchants/:merNo/websites', {
    params: { merNo },
    body: { site: 'lamps.example', action: 'approve', reason },
  })
  const both = 'http://localhost:* http://lamps.example:*'
  assert.ok(await eventually(async () => (await framedBy(page)) === both))
  assert.equal(await framedBy(url), both)
  for (const none of [`${url}x`, `${page}x`, `${office.baseUrl}/receipt/x`, `${office.baseUrl}/`])
    assert.equal(await framedBy(none), "'none'", none)
})
