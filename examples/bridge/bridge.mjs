// A starter bridge: one file, plain Node, no packages. It connects Tollgate to a rail over the bridge protocol
// (docs/bridge-protocol.md). The rail here is a fake; replace the part named "The rail" with calls to a real one.
//
//   BRIDGE_SECRET=… node bridge.mjs
//
// Settings: BRIDGE_SECRET (shared with the gateway), BRIDGE_PORT (7070), BRIDGE_HOST (127.0.0.1), BRIDGE_URL (the address that
// payers use), BRIDGE_BOOK (bridge-book.jsonl), BRIDGE_SIMULATE (`off` in production), BRIDGE_DECIDES_MS (500).
//
// What keeps the money right:
// - a reference is one payment, refund or payout for good: the first request wins, and repeating it returns the same
// - a change is in the book, on disk, before it is answered or reported
// - a reference that was cancelled before it arrived stays cancelled
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'

const env = process.env
const secret = env.BRIDGE_SECRET ?? ''
const host = env.BRIDGE_HOST ?? '127.0.0.1'
const bookFile = env.BRIDGE_BOOK ?? 'bridge-book.jsonl'
const decidesMs = Number(env.BRIDGE_DECIDES_MS ?? 500)
const simulates = env.BRIDGE_SIMULATE !== 'off'
if (secret.length < 16) {
  console.error(
    'Set BRIDGE_SECRET to a random text of at least 16 characters, the same as "secret" in the channels file.',
  )
  process.exit(2)
}

// ---- The book: one JSON document per line, written and flushed before the gateway gets an answer or a callback.

const book = new Map() // 'charge:REF', 'refund:REF', 'payout:REF', 'dispute:REF' → its current state, with a version
const told = new Map() // the last version that the gateway has acknowledged

for (const line of existsSync(bookFile) ? readFileSync(bookFile, 'utf8').split('\n') : []) {
  const entry = parse(line)
  if (entry?.key !== undefined) book.set(entry.key, entry.value)
  if (entry?.told !== undefined) told.set(entry.told, entry.version)
}

/** A crash may leave half a line: it was never answered, so it does not count. */
function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const bookHandle = openSync(bookFile, 'a', 0o600)
// A new file is on disk only once its folder is.
const folder = openSync(dirname(bookFile), 'r')
fsyncSync(folder)
closeSync(folder)

function write(entry) {
  appendFileSync(bookHandle, `\n${JSON.stringify(entry)}`)
  fsyncSync(bookHandle)
}

/** Stores a state, and reports it to the gateway if there is an address. */
function put(key, state, { tell = true } = {}) {
  const value = { ...state, tell, version: (book.get(key)?.version ?? 0) + 1 }
  write({ key, value })
  book.set(key, value)
  if (tell) report(key)
  return value
}

const all = (kind) => [...book].flatMap(([key, value]) => (key.startsWith(`${kind}:`) ? [value] : []))

// ---- The rail. This one is fake: payers approve on a page, cards are charged at once, refunds and payouts are decided after
// half a second. It dislikes the amount 666.

const currencies = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'PHP', 'CNY', 'PEN', 'VND']
const later = (work) => setTimeout(work, decidesMs).unref()

/** Returns the payer's next step, by method: a page, a code, or parameters for the wallet's SDK in the merchant's own app. */
function openAtRail({ id, method, extra, ...charge }) {
  const isInApp = extra.terminal === 'APP' || extra.terminal === 'MINI_APP'
  const payerUrl = `${publicUrl}/pay/${id}`
  if (method === 'pix') return { payerUrl, qrCode: brCode(id, charge) }
  return isInApp ? { payerUrl, sdkParams: JSON.stringify({ payment: id }) } : { payerUrl }
}

/** Pass the card, or the wallet's token, on to the acquirer with the reference as its idempotency key. Never store either. */
function chargeAtRail({ amount, currency }, _card) {
  if (amount === '666') return { status: 'declined', reason: 'The bank declined the payment' }
  const at = new Date().toISOString()
  return { status: 'paid', deposits: [{ id: randomUUID(), amount, currency, at }] }
}

/** A Pix code: fields of id, length and value, and a checksum at the end. A real bank sends it. */
function brCode(id, { payee, ...charge }) {
  const field = (name, value) => name + String(value.length).padStart(2, '0') + value
  const plain = payee.normalize('NFKD').replace(/[^ -~]/g, '')
  const open = [
    field('00', '01') + field('01', '12'),
    field('26', field('00', 'br.gov.bcb.pix') + field('25', `rail.example/qr/${id}`)),
    field('52', '0000') + field('53', '986') + field('54', decimal(charge)) + field('58', 'BR'),
    field('59', plain.slice(0, 25).trim() || 'Shop') + field('60', 'Recife'),
    field('62', field('05', '***')),
    '6304',
  ].join('')
  let crc = 0xffff
  for (const byte of Buffer.from(open)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return open + crc.toString(16).toUpperCase().padStart(4, '0')
}

/** The payer paid this amount. Money that arrives after the end is kept in the list, too: it is still the payer's money. */
function receive(charge, amount) {
  const deposit = { id: randomUUID(), amount, currency: charge.currency, at: new Date().toISOString() }
  const deposits = [...charge.deposits, deposit]
  const isPaid = charge.status === 'open' && sum(deposits) >= BigInt(charge.amount)
  put(`charge:${charge.reference}`, { ...charge, deposits, status: isPaid ? 'paid' : charge.status })
}

function decideRefund(refund) {
  const isLucky = refund.amount !== '666'
  const end = isLucky ? { status: 'succeeded' } : { status: 'failed', reason: 'The bank refused the refund' }
  put(`refund:${refund.refundReference}`, { ...refund, ...end, decidedAt: Date.now() })
}

function decidePayout(payout) {
  const isLucky = payout.amount !== '666'
  const end = isLucky
    ? { status: 'succeeded' }
    : { status: 'failed', reason: "The beneficiary's bank refused it" }
  put(`payout:${payout.reference}`, { ...payout, ...end, decidedAt: Date.now() })
}

// After a restart, go on with what was undecided.
for (const refund of all('refund')) if (refund.status === 'processing') later(() => decideRefund(refund))
for (const payout of all('payout')) if (payout.status === 'processing') later(() => decidePayout(payout))

// ---- The operations. Each returns [status, body]; a Refused is answered with 400.

class Refused extends Error {}

const reference = /^[A-Za-z0-9_-]{1,64}$/
const sum = (amounts) => amounts.reduce((total, { amount }) => total + BigInt(amount), 0n)
const notFound = [404, { error: 'not_found', message: 'no such reference' }]

function text(body, name, pattern) {
  const value = body[name]
  if (typeof value !== 'string' || !pattern.test(value)) throw new Refused(`${name} is missing or wrong`)
  return value
}

function fields(value, name) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refused(`${name} is not an object`)
  return value
}

const address = (body, name) => text(body, name, /^https?:\/\/[!-~]{1,1000}$/)

/** Messages about cards name the payment differently. */
const nameIn = (body) =>
  text(body, body.merchantReference === undefined ? 'reference' : 'merchantReference', reference)

function money(body) {
  const currency = text(body, 'currency', /^[A-Z]{3}$/)
  if (!currencies.includes(currency)) throw new Refused('the rail does not have this currency')
  return { amount: text(body, 'amount', /^[1-9]\d{0,14}$/), currency }
}

/** Returns the state that the gateway sees: the whole state, never a change. */
function shown({
  version: _v,
  tell: _tell,
  callbackUrl: _url,
  returnUrl: _return,
  decidedAt: _at,
  openedAt: _opened,
  isCard,
  ...state
}) {
  return [200, isCard ? cardOf(state) : state]
}

const cardStatus = { paid: 'captured', declined: 'declined', cancelled: 'voided' }

function cardOf({ id, reference: merchantReference, amount, currency, status, reason }) {
  return { id, merchantReference, amount, currency, status: cardStatus[status], reason }
}

const operations = {
  ping: () => [200, { name: 'starter bridge', operations: Object.keys(operations) }],

  open(body) {
    const charge = {
      reference: text(body, 'reference', reference),
      method: text({ method: '', ...body }, 'method', /^[a-z_]{0,32}$/),
      ...money(body),
      payee: text(body, 'payee', /^[^\p{Cc}]{1,255}$/u),
      returnUrl: address(body, 'returnUrl'),
      callbackUrl: address(body, 'callbackUrl'),
      extra: fields(body.extra ?? {}, 'extra'),
    }
    const found = book.get(`charge:${charge.reference}`)
    if (found !== undefined) return shown(found)
    const opened = { ...charge, id: randomUUID(), status: 'open', reason: '', deposits: [] }
    const state = { ...opened, ...openAtRail(opened) }
    return shown(put(`charge:${charge.reference}`, state, { tell: false }))
  },

  authorise(body) {
    const charge = {
      reference: text(body, 'merchantReference', reference),
      ...money(body),
      callbackUrl: body.callbackUrl === undefined ? '' : address(body, 'callbackUrl'),
    }
    const card = fields(body.card, 'card')
    if (card.token === undefined) text(card, 'number', /^\d{12,19}$/)
    else text(card, 'token', /^\{.{1,20000}$/s)
    const key = `charge:${charge.reference}`
    const found = book.get(key)
    if (found !== undefined) return shown(found)
    const opened = { ...charge, isCard: true, id: randomUUID(), status: 'open', reason: '', deposits: [] }
    return shown(put(key, { ...opened, ...chargeAtRail(opened, card) }, { tell: false }))
  },

  /** This rail never asks for a challenge, so there is nothing to complete. */
  complete: (body) => operations.lookup(body),

  void: (body) => close(text(body, 'merchantReference', reference), true),

  cancel: (body) => close(text(body, 'reference', reference), false),

  lookup(body) {
    const name = nameIn(body)
    const found = book.get(`charge:${name}`) ?? book.get(`payout:${name}`)
    return found === undefined ? notFound : shown(found)
  },

  refund(body) {
    const asked = {
      refundReference: text(body, 'refundReference', reference),
      reference: nameIn(body),
      ...money(body),
    }
    const key = `refund:${asked.refundReference}`
    const found = book.get(key)
    if (found !== undefined) return shown(found)
    const refund = { ...asked, id: randomUUID(), status: 'processing', reason: '' }
    const paid = book.get(`charge:${asked.reference}`)?.deposits ?? []
    const made = all('refund').filter((one) => one.reference === asked.reference && one.status !== 'failed')
    const isPaid = paid.length > 0 && paid[0].currency === asked.currency
    if (!isPaid || sum([...made, asked]) > sum(paid)) {
      const reason = 'There is not so much to refund'
      return shown(put(key, { ...refund, status: 'failed', reason, decidedAt: Date.now() }))
    }
    later(() => decideRefund(book.get(key)))
    return shown(put(key, refund, { tell: false }))
  },

  send(body) {
    const payout = {
      reference: text(body, 'reference', reference),
      kind: text(body, 'kind', /^(bank_account|pix|per_transfer|spei)$/),
      ...money(body),
    }
    text(body, 'account', /^.{1,255}$/)
    const callbackUrl = body.callbackUrl === undefined ? '' : address(body, 'callbackUrl')
    const key = `payout:${payout.reference}`
    const found = book.get(key)
    if (found !== undefined) return shown(found)
    later(() => decidePayout(book.get(key)))
    const state = { ...payout, callbackUrl, id: randomUUID(), status: 'processing', reason: '' }
    return shown(put(key, state, { tell: false }))
  },

  chargebacks(body) {
    const since = Number(text(body, 'since', /^\d{1,15}$/))
    const found = all('dispute').filter(({ disputedAt }) => disputedAt >= since)
    const list = found.toSorted((one, other) => one.disputedAt - other.disputedAt).slice(0, 200)
    return [200, { list: list.map((dispute) => shown(dispute)[1]) }]
  },

  statement(body) {
    const day = text(body, 'day', /^\d{4}-\d\d-\d\d$/)
    if (Number.isNaN(Date.parse(day))) throw new Refused('day is no day')
    const after = body.after === undefined ? 0 : Number(text(body, 'after', /^\d{1,9}$/))
    const line = (type, name, { amount, currency }, at) => {
      return { at: new Date(at).toISOString(), line: { reference: name, type, amount, currency, fee: '0' } }
    }
    // What came back later was final on its day all the same, so that a day's statement never changes.
    const isFinal = ({ status }) => status === 'succeeded' || status === 'returned'
    const found = [
      ...all('charge').flatMap((charge) =>
        charge.deposits.map((one) => line('payment', charge.reference, one, one.at)),
      ),
      ...all('refund')
        .filter(isFinal)
        .map((one) => line('refund', one.refundReference, one, one.decidedAt)),
      ...all('payout')
        .filter(isFinal)
        .map((one) => line('payout', one.reference, one, one.decidedAt)),
      ...all('dispute')
        .filter(({ openedAt }) => openedAt !== undefined)
        .map((one) => line('chargeback', one.merchantReference, one, one.openedAt)),
    ]
    // By time, so that what happens between two pages is on a later one.
    const lines = found
      .filter(({ at }) => at.startsWith(day))
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .map((one) => one.line)
    const page = lines.slice(after, after + 200)
    const next = after + page.length
    return [200, { day, lines: page, ...(next < lines.length && { next: String(next) }) }]
  },

  /** Plays the payer and the banks in tests. Switch it off in production: it makes money up. */
  simulate(body) {
    const name = text(body, 'reference', reference)
    const event = text(body, 'event', /^(pay|decline|dispute|return)$/)
    const [charge, payout] = [book.get(`charge:${name}`), book.get(`payout:${name}`)]
    if (event === 'return') {
      if (payout?.status !== 'succeeded') throw new Refused('only a paid payout comes back')
      const back = body.amount === undefined ? payout.amount : text(body, 'amount', /^[1-9]\d{0,14}$/)
      const returned = { returnedAmount: back, returnedCurrency: payout.currency }
      const end = { status: 'returned', reason: 'The account is closed', ...returned }
      return shown(put(`payout:${name}`, { ...payout, ...end }))
    }
    if (charge === undefined) return notFound
    if (charge.amount === '') throw new Refused('it was cancelled before it was opened')
    if (charge.isCard && event !== 'dispute') throw new Refused('a card is charged at once')
    if (event === 'pay')
      receive(charge, body.amount === undefined ? charge.amount : text(body, 'amount', /^[1-9]\d{0,14}$/))
    if (event === 'decline') decline(charge)
    if (event === 'dispute') dispute(charge, body.stage ?? 'open')
    return shown(book.get(`charge:${name}`))
  },
}
if (!simulates) delete operations.simulate

/** Closes a charge, even one that never came: the request that opens it may be on its way. */
function close(name, isCard) {
  const nothing = { reference: name, amount: '', currency: '', deposits: [], extra: {}, isCard }
  const found = book.get(`charge:${name}`) ?? { ...nothing, id: randomUUID(), status: 'open' }
  if (found.status !== 'open') return shown(found)
  const state = { ...found, status: 'cancelled', reason: 'Cancelled by the merchant' }
  return shown(put(`charge:${name}`, state, { tell: false }))
}

function decline(charge) {
  if (charge.status !== 'open') return
  const end = { status: 'declined', reason: 'The payer declined the payment' }
  put(`charge:${charge.reference}`, { ...charge, ...end })
}

function dispute({ reference: merchantReference, callbackUrl, deposits: [paid] }, stage) {
  if (paid === undefined) throw new Refused('nothing was paid')
  const { amount, currency } = paid
  const disputedAt = Date.now()
  const respondBy = disputedAt + 7 * 86_400_000
  const opened = { id: randomUUID(), merchantReference, amount, currency, reasonCode: '4853', callbackUrl }
  const found = book.get(`dispute:${merchantReference}`) ?? { ...opened, respondBy }
  const openedAt = found.openedAt ?? (stage === 'open' ? disputedAt : undefined)
  put(`dispute:${merchantReference}`, { ...found, stage, disputedAt, openedAt })
}

// ---- Callbacks: repeated until the gateway acknowledges the current state with 2xx, for more than a day.

const waitsMs = [1_000, 5_000, 25_000, 125_000, 600_000, ...Array(30).fill(3_600_000)]

function addressOf(state) {
  return state.callbackUrl ?? book.get(`charge:${state.reference}`)?.callbackUrl
}

async function report(key, tries = 0) {
  const state = book.get(key)
  const { version } = state
  const url = addressOf(state)
  if (!url || told.get(key) >= version) return
  const [kind] = key.split(':')
  const body = JSON.stringify({ ...(kind !== 'charge' && { type: kind }), ...shown(state)[1] })
  const headers = { 'content-type': 'application/json', ...signed('POST', new URL(url).pathname, body) }
  try {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the gateway answered ${response.status}`)
    write({ told: key, version })
    told.set(key, Math.max(version, told.get(key) ?? 0))
  } catch (error) {
    console.error(`callback about ${key} failed: ${error.message}`)
    if (tries < waitsMs.length) setTimeout(() => report(key, tries + 1), waitsMs[tries]).unref()
  }
}

// ---- HTTP: the signature first, over the raw bytes; then the operation.

function signatureOf(method, path, timestamp, body) {
  return createHmac('sha256', secret)
    .update(`${method}\n${path}\n${timestamp}\n`)
    .update(body)
    .digest('base64url')
}

function signed(method, path, body) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf(method, path, timestamp, body)
  return { 'x-tollgate-timestamp': timestamp, 'x-tollgate-signature': signature }
}

function isSigned({ method, url, headers }, body) {
  const timestamp = headers['x-tollgate-timestamp'] ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const right = Buffer.from(signatureOf(method, url, timestamp, body))
  const given = Buffer.from(headers['x-tollgate-signature'] ?? '')
  return right.length === given.length && timingSafeEqual(right, given)
}

async function answer(request, body) {
  if (!isSigned(request, body))
    return [401, { error: 'unauthorised', message: 'the signature is wrong or too old' }]
  // Behind a proxy that serves several programs, the address has a path of its own before this.
  const name = /\/v1\/([a-z-]+)$/.exec(request.url)?.[1] ?? ''
  if (!Object.hasOwn(operations, name))
    return [404, { error: 'no_such_operation', message: 'no such operation' }]
  try {
    return await operations[name](fields(JSON.parse(body), 'the body'))
  } catch (error) {
    const isTheirs = error instanceof Refused || error instanceof SyntaxError
    if (!isTheirs) throw error
    return [400, { error: 'invalid_request', message: error instanceof Refused ? error.message : 'not JSON' }]
  }
}

/** The payer's page. A real rail has its own. */
function page(request, body) {
  const charge = all('charge').find(({ id, isCard }) => !isCard && request.url.endsWith(`/pay/${id}`))
  if (charge === undefined || !simulates) return [404, 'There is no such payment.']
  if (request.method === 'POST') {
    if (charge.status === 'open' && body.includes('approve')) receive(charge, charge.amount)
    else decline(charge)
    return [303, '', { location: charge.returnUrl }]
  }
  const button = (value, label) => `<button name="decision" value="${value}">${label}</button>`
  const buttons = button('approve', 'Approve payment') + button('decline', 'Decline payment')
  const asked = `${decimal(charge)} ${charge.currency}`
  return [200, `<!doctype html><title>Pay</title><form method="post"><p>${asked}</p>${buttons}</form>`]
}

/** Minor units as people write them, without going through a floating-point number. */
function decimal({ amount, currency }) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits
  const digits = amount.padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const MAX_BYTES = 65_536

const server = createServer(async (request, response) => {
  try {
    const chunks = []
    let bytes = 0
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return response.writeHead(413).end()
      chunks.push(chunk)
    }
    const body = Buffer.concat(chunks)
    if (request.url.includes('/pay/')) {
      const [status, html, headers = {}] = page(request, body.toString())
      return response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
    }
    const [status, content] = await answer(request, body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  } catch (error) {
    // Never a guess: after a 500 the gateway asks again.
    console.error(error)
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
    response.end('{"error":"internal"}')
  }
})

let publicUrl = ''
server.listen(Number(env.BRIDGE_PORT ?? 7070), host, () => {
  publicUrl = env.BRIDGE_URL ?? `http://${host}:${server.address().port}`
  console.log(`bridge at ${publicUrl}`)
  // What was not acknowledged before the restart is reported again.
  for (const [key, { tell }] of book) if (tell) report(key)
})
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  closeSync(bookHandle)
  process.exit(0)
})
