// GET /shop, in sandbox only: leads to the demo shop, which is a program of its own, or says how to start it.
import type { FastifyInstance } from 'fastify'
import { html, renderPage, sendPage, symbol } from '../pages/page.ts'

/** The address of the running shop; undefined if none runs. */
export type FindShop = () => Promise<string | undefined>

export function registerShopDoor(app: FastifyInstance, findShop: FindShop): void {
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
