// The page at /, which says what runs here and where to go next. The page shows no secrets and no figures.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadAsset, sendStored, storeText } from '../../platform/pages/asset.ts'
import { acceptForms, formOf } from '../../platform/pages/form.ts'
import {
  HTML_TYPE,
  type Html,
  html,
  pageHeaders,
  renderPage,
  sendPage,
  symbol,
} from '../../platform/pages/page.ts'
import { isForeignPost } from './page-scope.ts'

export type Home = {
  readonly sandbox: boolean
  readonly baseUrl: string
  readonly version: string
  /** Makes a visitor's first payments. Set only in sandbox. */
  readonly demo?: FirstPayments
  /** Finds the address of the demo shop. Set only in sandbox. */
  readonly findShop?: FindShop
}

export function registerHome(app: FastifyInstance, home: Home): void {
  const style = loadAsset('home', 'css')
  const isServed = (path: string) => app.hasRoute({ method: 'GET', url: path })
  let stored = storeText(HTML_TYPE, '')
  app.get('/', async (_request, reply) => {
    const page = Buffer.from(await homePage(home, isServed))
    // The page is the same for everybody and seldom changes. Therefore it is compressed once and stored.
    if (!page.equals(stored.text)) stored = storeText(HTML_TYPE, page)
    return sendStored(reply, stored, pageHeaders())
  })
  app.get('/assets/home.css', (_request, reply) => style(reply))
  if (home.sandbox && home.demo !== undefined) registerFirstPayments(app, home.demo)
  if (home.sandbox && home.findShop !== undefined) registerShopDoor(app, home.findShop)
}

type IsServed = (path: string) => boolean

async function homePage(home: Home, isServed: IsServed): Promise<string> {
  const { sandbox, baseUrl, version } = home
  return renderPage({
    title: sandbox ? 'Tollgate sandbox' : 'Tollgate',
    sandbox,
    assets: 'assets',
    moreStyle: 'home.css',
    step: html`<div class="home">
<h1>A Tollgate payment gateway</h1>
<p>Tollgate connects shops to banks, cards and wallets. Shops send it signed requests, payers pay on its pages, and it
keeps the books.</p>
${
  sandbox
    ? html`<p>This one is a <strong>sandbox</strong>: its banks and wallets are simulated. Version ${version}.</p>`
    : html`<p>This one is <strong>live</strong>: payments here move real money. Version ${version}.</p>`
}
<nav class="doors" aria-label="Where to go">${doors.filter(({ path }) => isServed(`/${path}`)).map(toDoor)}</nav>
${sandbox ? await forDevelopers(home, isServed) : forVisitors(baseUrl)}
<h2>Interface, status and keys</h2>
<ul>
${links.filter(({ path, isPublic }) => (sandbox || isPublic) && isServed(`/${path}`)).map(toItem)}
</ul>
</div>`,
  })
}

async function forDevelopers({ baseUrl, demo }: Home, isServed: IsServed): Promise<Html> {
  const merchant = await demo?.merchant()
  return html`<h2>Make a first payment</h2>
${
  merchant &&
  html`<p>The gateway signs a request with the demo merchant's key and sends it to itself.</p>
<form class="doors" method="post" action="sandbox/first-payment">
<button class="button" name="by" value="card">Pay 10.00 USD by card</button>
<button class="button quiet" name="by" value="checkout">Open a checkout page</button>
</form>
<p>Or in a second shell, in the folder that Tollgate was started from:</p>`
}
${!merchant && html`<p>In a second shell, in the folder that Tollgate was started from:</p>`}
<pre>npm run --silent tollgate -- pay --card 4242424242424242</pre>
<p>With card <code>4000000000003220</code> the bank asks for a code. Open the <code>payUrl</code> in the response and
enter <code>123456</code>.</p>
<h2>Send your own request</h2>
<dl>
<dt>Address, by POST</dt><dd><code>${baseUrl}</code></dd>
${
  merchant &&
  html`<dt>Merchant number</dt><dd><code>${merchant.merNo}</code></dd>
<dt>Referer</dt><dd><code>http://${merchant.site}/</code></dd>`
}
<dt>Key</dt><dd>in <code>demo.json</code> in the data folder, <code>data/</code> by default, with the logins of the
back office</dd>
</dl>
${
  isServed('/docs') &&
  html`<p>The <a href="docs/quick-start">quick start</a> uses them, and <a href="docs/signing">signing</a> has samples in six
languages.</p>`
}
<h2>Run it</h2>
<p>Use the command line to manage merchants, rates and refunds, and to find problems:</p>
<pre>npm run --silent tollgate -- --help
npm run --silent tollgate -- doctor</pre>
<p>Settings and operation are described in <code>docs/operations/</code>.</p>`
}

function forVisitors(baseUrl: string): Html {
  return html`<h2>Here to pay?</h2>
<p>Open the link from your shop again. You cannot pay at this address.</p>
<h2>Connecting a shop?</h2>
<p>Send merchant requests by POST to this address, with the number and key that your operator gave you:</p>
<pre>${baseUrl}</pre>`
}

const doors: readonly { readonly path: string; readonly name: string }[] = [
  { path: 'docs', name: 'Documentation' },
  { path: 'shop', name: 'Demo shop' },
  { path: 'backoffice', name: 'Back office' },
]

function toDoor({ path, name }: (typeof doors)[number]): Html {
  return html`<a class="button quiet" href="${path}">${name}</a>`
}

type Link = { readonly path: string; readonly shows: string; readonly isPublic: boolean }

const links: readonly Link[] = [
  { path: 'openapi.json', shows: 'the interface for merchants, as OpenAPI 3.1', isPublic: true },
  { path: 'openapi.yaml', shows: 'the same as YAML', isPublic: true },
  { path: 'reference', shows: 'countries, currencies, error codes, banks', isPublic: true },
  { path: 'sandbox/mail', shows: 'the mails that this sandbox would send', isPublic: false },
  { path: 'healthz', shows: 'responds while the process is alive', isPublic: true },
  { path: 'readyz', shows: 'whether it can serve requests now', isPublic: true },
  { path: 'metrics', shows: 'metrics for Prometheus', isPublic: false },
  { path: 'keys/platform.pem', shows: 'the public key that verifies our signatures', isPublic: true },
]

function toItem({ path, shows }: Link): Html {
  return html`<li><a href="${path}">/${path}</a><span class="soft">${shows}</span></li>`
}

// POST /sandbox/first-payment, in sandbox only: one click pays as the demo merchant, whose key stays on the server.
// Posts of other sites are refused, although there is no session that they could abuse.

export type FirstPayments = {
  /** The demo merchant. Undefined if demo.json is missing. */
  merchant(): Promise<{ readonly merNo: number; readonly site: string } | undefined>
  pay(by: 'card' | 'checkout'): Promise<FirstPayment | undefined>
}

export type FirstPayment = {
  readonly path: string
  readonly request: Readonly<Record<string, unknown>>
  readonly signedText: string
  readonly answer: { readonly code?: unknown; readonly message?: unknown; readonly data?: object }
  /**
   * The path of the page on which the payer continues, relative to our address. Undefined if the payer has nothing to
   * do.
   */
  readonly payPath: string | undefined
}

const MAX_FORM_BYTES = 1_024
/**
 * The maximum number of concurrent payments. The limit is low, because anybody can make these payments without a key.
 */
const MOST_AT_A_TIME = 4

function registerFirstPayments(app: FastifyInstance, payments: FirstPayments): void {
  let underWay = 0
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.get('/sandbox/first-payment', (_request, reply) => reply.redirect('../', 303))
    scope.post('/sandbox/first-payment', async (request, reply) => {
      if (isForeignPost(request)) return sendPage(reply, 403, failed('Press the button on the home page.'))
      if (underWay >= MOST_AT_A_TIME) return sendPage(reply, 429, failed('Try again in a moment.'))
      underWay++
      try {
        return await payFirst(payments, request, reply)
      } finally {
        underWay--
      }
    })
  })
}

async function payFirst(payments: FirstPayments, request: FastifyRequest, reply: FastifyReply) {
  const by = formOf(request.body).by === 'checkout' ? 'checkout' : 'card'
  const paid = await payments.pay(by).catch((error: unknown) => {
    request.log.error({ err: error }, 'the first payment of the home page failed')
  })
  if (paid === undefined)
    return sendPage(reply, 503, failed('Run the command "doctor", and see whether demo.json is there.'))
  // The address is relative, because the browser may use another host name for the gateway than TOLLGATE_BASE_URL.
  return paid.payPath === undefined
    ? sendPage(reply, 200, resultPage(paid))
    : reply.redirect(`../${paid.payPath}`, 303)
}

function resultPage({ path, request, signedText, answer }: FirstPayment): string {
  const { tradeNo } = { tradeNo: undefined, ...answer.data }
  const isPaid = answer.code === '00000'
  return page(
    isPaid ? 'Paid' : 'Refused',
    html`${symbol(isPaid ? 'done' : 'failed')}
<h1>${isPaid ? 'Your first payment' : 'The payment was refused'}</h1>
${!isPaid && html`<p>${String(answer.message)}</p>`}
<h2>The request</h2>
<p>By POST to <code>${path}</code>, from the website of the demo merchant:</p>
<pre>${JSON.stringify(request, undefined, 2)}</pre>
<h2>The signature</h2>
<p><code>sign</code> is the MD5 of this text, with the merchant's key in the place of <code>&lt;KEY&gt;</code>:</p>
<pre>${signedText}&lt;KEY&gt;</pre>
<h2>The response</h2>
<pre>${JSON.stringify(answer, undefined, 2)}</pre>
${
  typeof tradeNo === 'string' &&
  html`<h2>What happened</h2>
<p>The order is in the <a href="../backoffice/orders/${tradeNo}">back office</a>, and on the command line:</p>
<pre>npm run --silent tollgate -- explain ${tradeNo}</pre>`
}`,
  )
}

function failed(advice: string): string {
  return page('No payment', html`${symbol('failed')}<h1>The payment was not made</h1><p>${advice}</p>`)
}

function page(title: string, content: Html): string {
  return renderPage({
    title: `${title} · Tollgate sandbox`,
    sandbox: true,
    assets: '../assets',
    moreStyle: 'home.css',
    step: html`<div class="home">${content}
<p><a class="button quiet" href="../">Back to the start</a></p></div>`,
  })
}

// GET /shop, in sandbox only, redirects to the demo shop. If this separate program does not run, GET /shop sends a page
// that says how to start it.

type FindShop = () => Promise<string | undefined>

function registerShopDoor(app: FastifyInstance, findShop: FindShop): void {
  app.get('/shop', async (_request, reply) => {
    const address = await findShop()
    return address === undefined
      ? sendPage(reply, 503, closedPage())
      : reply.header('cache-control', 'no-store').redirect(address, 303)
  })
}

function closedPage(): string {
  return renderPage({
    title: 'Demo shop · Tollgate sandbox',
    sandbox: true,
    assets: 'assets',
    moreStyle: 'home.css',
    step: html`<div class="home">${symbol('notice')}<h1>The demo shop is not running</h1>
<p>Start it in a second shell, in the folder that Tollgate was started from. It uses this gateway:</p>
<pre>npm run demo</pre>
<p>Then open this page again.</p>
<p><a class="button" href="shop">Open the demo shop</a></p>
<p><a class="button quiet" href="./">Back to the start</a></p></div>`,
  })
}
