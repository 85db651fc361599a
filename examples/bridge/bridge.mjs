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
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

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

// ---- The book: one JSON document per line, written and flushed before anybody hears of it.

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

function write(entry) {
  writeSync(bookHandle, `\n${JSON.stringify(entry)}`)
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

// ---- The rail. This one is fake: payers approve on a page, refunds and payouts are decided after half a second.

const currencies = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'PHP', 'CNY', 'PEN', 'VND']
const later = (work) => setTimeout(work, decidesMs).unref()

function openAtRail({ id }) {
  return { payerUrl: `${publicUrl}/pay/${id}` }
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

function money(body) {
  const currency = text(body, 'currency', /^[A-Z]{3}$/)
  if (!currencies.includes(currency)) throw new Refused('the rail does not have this currency')
  return { amount: text(body, 'amount', /^[1-9]\d{0,14}$/), currency }
}

/** What the gateway sees: the whole state, never a change. */
function shown({
  version: _v,
  tell: _tell,
  callbackUrl: _url,
  returnUrl: _return,
  decidedAt: _at,
  ...state
}) {
  return [200, state]
}

const operations = {
  ping: () => [200, { name: 'starter bridge', operations: Object.keys(operations) }],

  open(body) {
    const charge = {
      reference: text(body, 'reference', reference),
      ...money(body),
      payee: text(body, 'payee', /^[^\p{Cc}]{1,255}$/u),
      returnUrl: text(body, 'returnUrl', /^https?:\/\/\S{1,1000}$/),
      callbackUrl: text(body, 'callbackUrl', /^https?:\/\/\S{1,1000}$/),
      extra: body.extra ?? {},
    }
    const found = book.get(`charge:${charge.reference}`)
    if (found !== undefined) return shown(found)
    const opened = { ...charge, id: randomUUID(), status: 'open', reason: '', deposits: [] }
    const state = { ...opened, ...openAtRail(opened) }
    return shown(put(`charge:${charge.reference}`, state, { tell: false }))
  },

  lookup(body) {
    const name = text(body, 'reference', reference)
    const found = book.get(`charge:${name}`) ?? book.get(`payout:${name}`)
    return found === undefined ? notFound : shown(found)
  },

  cancel(body) {
    const name = text(body, 'reference', reference)
    const nothing = { reference: name, amount: '', currency: '', deposits: [], extra: {} }
    const found = book.get(`charge:${name}`) ?? { ...nothing, id: randomUUID(), status: 'open' }
    if (found.status !== 'open') return shown(found)
    const state = { ...found, status: 'cancelled', reason: 'Cancelled by the merchant' }
    return shown(put(`charge:${name}`, state, { tell: false }))
  },

  refund(body) {
    const asked = {
      refundReference: text(body, 'refundReference', reference),
      reference: text(body, 'reference', reference),
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
    const callbackUrl =
      body.callbackUrl === undefined ? '' : text(body, 'callbackUrl', /^https?:\/\/\S{1,1000}$/)
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
    const isOfDay = (at) => new Date(at).toISOString().startsWith(day)
    const line = (type, name, { amount, currency }) => ({ reference: name, type, amount, currency, fee: '0' })
    const final = (one) => one.status === 'succeeded' && isOfDay(one.decidedAt)
    const lines = [
      ...all('charge').flatMap((charge) =>
        charge.deposits.filter(({ at }) => isOfDay(at)).map((one) => line('payment', charge.reference, one)),
      ),
      ...all('refund')
        .filter(final)
        .map((one) => line('refund', one.refundReference, one)),
      ...all('payout')
        .filter(final)
        .map((one) => line('payout', one.reference, one)),
      ...all('dispute')
        .filter(({ stage, disputedAt }) => stage === 'open' && isOfDay(disputedAt))
        .map((one) => line('chargeback', one.merchantReference, one)),
    ]
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
      return shown(put(`payout:${name}`, { ...payout, status: 'returned', reason: 'The account is closed' }))
    }
    if (charge === undefined) return notFound
    if (charge.amount === '') throw new Refused('it was cancelled before it was opened')
    if (event === 'pay')
      receive(charge, body.amount === undefined ? charge.amount : text(body, 'amount', /^[1-9]\d{0,14}$/))
    if (event === 'decline') decline(charge)
    if (event === 'dispute') dispute(charge, body.stage ?? 'open')
    return shown(book.get(`charge:${name}`))
  },
}
if (!simulates) delete operations.simulate

function decline(charge) {
  if (charge.status !== 'open') return
  put(`charge:${charge.reference}`, {
    ...charge,
    status: 'declined',
    reason: 'The payer declined the payment',
  })
}

function dispute({ reference: merchantReference, callbackUrl, deposits: [paid] }, stage) {
  if (paid === undefined) throw new Refused('nothing was paid')
  const { amount, currency } = paid
  const opened = { id: randomUUID(), merchantReference, amount, currency, reasonCode: '4853', callbackUrl }
  const found = book.get(`dispute:${merchantReference}`) ?? {
    ...opened,
    respondBy: Date.now() + 7 * 86_400_000,
  }
  put(`dispute:${merchantReference}`, { ...found, stage, disputedAt: Date.now() })
}

// ---- Callbacks: repeated until the gateway acknowledges the current state with 2xx.

const waitsMs = [1_000, 5_000, 25_000, 125_000, 600_000, 3_600_000]

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
  const isTold = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  })
    .then((response) => response.ok)
    .catch(() => false)
  if (isTold) {
    write({ told: key, version })
    told.set(key, version)
  } else if (tries < waitsMs.length) setTimeout(() => report(key, tries + 1), waitsMs[tries]).unref()
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
  const name = /^\/v1\/([a-z-]+)$/.exec(request.url)?.[1] ?? ''
  if (!Object.hasOwn(operations, name))
    return [404, { error: 'no_such_operation', message: 'no such operation' }]
  try {
    const fields = JSON.parse(body)
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new Refused('not an object')
    return await operations[name](fields)
  } catch (error) {
    const isTheirs = error instanceof Refused || error instanceof SyntaxError
    if (!isTheirs) throw error
    return [400, { error: 'invalid_request', message: error instanceof Refused ? error.message : 'not JSON' }]
  }
}

/** The payer's page. A real rail has its own. */
function page(request, body) {
  const charge = all('charge').find(({ id }) => request.url === `/pay/${id}`)
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
    if (request.url.startsWith('/pay/')) {
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
