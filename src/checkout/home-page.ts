// The page at /: what runs here and where to go next. It shows no secrets and no figures.
import type { FastifyInstance } from 'fastify'
import { loadAsset } from '../pages/asset.ts'
import { type Html, html, renderPage, sendPage } from '../pages/page.ts'

export type Home = { readonly sandbox: boolean; readonly baseUrl: string }

export function registerHome(app: FastifyInstance, home: Home): void {
  const page = homePage(home)
  const style = loadAsset('home', 'css')
  app.get('/', (_request, reply) => sendPage(reply, 200, page))
  app.get('/assets/home.css', (_request, reply) => style(reply))
}

export function homePage({ sandbox, baseUrl }: Home): string {
  return renderPage({
    title: sandbox ? 'Tollgate sandbox' : 'Tollgate',
    sandbox,
    assets: 'assets',
    moreStyle: 'home.css',
    step: html`<div class="home">
<h1>A Tollgate payment gateway</h1>
<p>Tollgate connects shops to banks, cards and wallets. Shops send it signed requests, payers pay on its pages, and it
keeps the books.</p>
${sandbox ? forDevelopers(baseUrl) : forVisitors(baseUrl)}
<h2>Back office, status and keys</h2>
<ul>
${links.filter(({ isPublic }) => sandbox || isPublic).map(toItem)}
</ul>
</div>`,
  })
}

function forDevelopers(baseUrl: string): Html {
  return html`<p>This one is a <strong>sandbox</strong>: its banks and wallets are simulated.</p>
<h2>Make a first payment</h2>
<p>In a second shell, in the folder that Tollgate was started from:</p>
<pre>npm run --silent tollgate -- pay --card 4242424242424242</pre>
<p>With card <code>4000000000003220</code> the bank asks for a code. Open the <code>payUrl</code> in the response and
enter <code>123456</code>.</p>
<h2>Send your own request</h2>
<p>Send merchant requests by POST to this address:</p>
<pre>${baseUrl}</pre>
<p>There is a demo merchant. Its number, key and website are in <code>demo.json</code> in the data folder,
<code>data/</code> by default, and so are the logins of the back office. <code>README.md</code> shows how to sign a
request with them.</p>
<h2>Run it</h2>
<p>Use the command line to manage merchants, rates and refunds, and to find problems:</p>
<pre>npm run --silent tollgate -- --help
npm run --silent tollgate -- doctor</pre>
<p>Settings and operation are described in <code>docs/operations.md</code>.</p>`
}

function forVisitors(baseUrl: string): Html {
  return html`<p>This one is <strong>live</strong>: payments here move real money.</p>
<h2>Here to pay?</h2>
<p>Open the link from your shop again. You cannot pay at this address.</p>
<h2>Connecting a shop?</h2>
<p>Send merchant requests by POST to this address, with the number and key that your operator gave you:</p>
<pre>${baseUrl}</pre>`
}

type Link = { readonly path: string; readonly shows: string; readonly isPublic: boolean }

const links: readonly Link[] = [
  { path: 'backoffice', shows: 'the back office for merchants and operators', isPublic: true },
  { path: 'sandbox/mail', shows: 'the mails that this sandbox would send', isPublic: false },
  { path: 'healthz', shows: 'responds while the process is alive', isPublic: true },
  { path: 'readyz', shows: 'whether it can serve requests now', isPublic: true },
  { path: 'metrics', shows: 'metrics for Prometheus', isPublic: false },
  { path: 'keys/platform.pem', shows: 'the public key that verifies our signatures', isPublic: true },
]

function toItem({ path, shows }: Link): Html {
  return html`<li><a href="${path}">/${path}</a><span class="soft">${shows}</span></li>`
}
