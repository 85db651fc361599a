// The page at /: what runs here and where to go next. It shows no secrets and no figures.
import type { FastifyInstance } from 'fastify'
import { loadAsset } from '../pages/asset.ts'
import { type Html, html, renderPage, sendPage } from '../pages/page.ts'
import { type FirstPayments, registerFirstPayments } from './first-payment.ts'
import { type FindShop, registerShopDoor } from './shop-door.ts'

export type Home = {
  readonly sandbox: boolean
  readonly baseUrl: string
  readonly version: string
  /** In sandbox: the demo merchant, if it is known. */
  readonly demo?: FirstPayments
  /** In sandbox: finds the demo shop. */
  readonly findShop?: FindShop
}

export function registerHome(app: FastifyInstance, home: Home): void {
  const style = loadAsset('home', 'css')
  const isServed = (path: string) => app.hasRoute({ method: 'GET', url: path })
  app.get('/', async (_request, reply) => sendPage(reply, 200, await homePage(home, isServed)))
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
<p>Settings and operation are described in <code>docs/operations.md</code>.</p>`
}

function forVisitors(baseUrl: string): Html {
  return html`<h2>Here to pay?</h2>
<p>Open the link from your shop again. You cannot pay at this address.</p>
<h2>Connecting a shop?</h2>
<p>Send merchant requests by POST to this address, with the number and key that your operator gave you:</p>
<pre>${baseUrl}</pre>`
}

/** Shown as buttons, where this gateway serves them. */
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
