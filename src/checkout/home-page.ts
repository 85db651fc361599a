// The page at /, for people who come to look: what runs here, and where to go next. It tells no secret and no figure.
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
<p>Tollgate stands between shops and the rails that money moves on. Shops send it signed requests, payers pay on its
pages, and it keeps the books.</p>
${sandbox ? forDevelopers(baseUrl) : forVisitors(baseUrl)}
<h2>Status and keys</h2>
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
<p>With card <code>4000000000003220</code> the bank asks for a code. Open the <code>payUrl</code> that it answers, and
enter <code>123456</code>.</p>
<h2>Send a request of your own</h2>
<p>Merchant endpoints are called by POST below this address:</p>
<pre>${baseUrl}</pre>
<p>A demo merchant is set up. Its number, key and website are in <code>demo.json</code> in the data folder,
<code>data/</code> unless you moved it. <code>README.md</code> shows how to sign a request with them.</p>
<h2>Run it</h2>
<p>The command line looks after merchants, rates and refunds, and finds what is wrong:</p>
<pre>npm run --silent tollgate -- --help
npm run --silent tollgate -- doctor</pre>
<p>Settings and operation are described in <code>docs/operations.md</code>.</p>`
}

function forVisitors(baseUrl: string): Html {
  return html`<p>This one is <strong>live</strong>: payments here move real money.</p>
<h2>Here to pay?</h2>
<p>Open the link that your shop gave you again. There is nothing to pay at this address.</p>
<h2>Connecting a shop?</h2>
<p>Merchant endpoints are called by POST below this address, with the number and the key that your operator gave you:</p>
<pre>${baseUrl}</pre>`
}

type Link = { readonly path: string; readonly tells: string; readonly isPublic: boolean }

const links: readonly Link[] = [
  { path: 'healthz', tells: 'answers as long as the process lives', isPublic: true },
  { path: 'readyz', tells: 'whether it can serve requests now', isPublic: true },
  { path: 'metrics', tells: 'figures for Prometheus', isPublic: false },
  { path: 'keys/platform.pem', tells: 'the public key that answers are signed with', isPublic: true },
]

function toItem({ path, tells }: Link): Html {
  return html`<li><a href="${path}">/${path}</a><span class="soft">${tells}</span></li>`
}
