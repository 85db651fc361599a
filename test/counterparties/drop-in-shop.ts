// A shop whose page includes drop-in.js, with the strictest policy that the guide asks for. The page shows the results
// that it receives.
import { once } from 'node:events'
import { createServer } from 'node:http'

export type DropInShop = {
  readonly port: number
  /** Returns the shop's page for this payment, at `localhost` or at another name of this machine. */
  pageFor(pays: { readonly payUrl?: string; readonly link?: string }, host?: string): string
  close(): Promise<void>
}

const style = `:root { color-scheme: light dark }
body { margin: 24px; min-height: 150vh; font: 16px/1.5 system-ui, sans-serif }
a, button { display: inline-block; margin: 8px 16px 8px 0; padding: 8px 12px; font: inherit }
a { color: inherit }
pre { white-space: pre-wrap; overflow-wrap: anywhere }`

const script = `const { payUrl } = document.body.dataset
const log = document.querySelector('output')
const write = (name) => (result) => log.append(name + ' ' + JSON.stringify(result) + '\\n')
document.querySelector('#open').addEventListener('click', () =>
  Tollgate.open(payUrl, { onResult: write('result'), onClose: write('close') }))`

function htmlOf(gateway: string, asked: URLSearchParams): string {
  const escaped = (name: string) => (asked.get(name) ?? '').replace(/[&<"]/g, (c) => `&#${c.charCodeAt(0)};`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lamp shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css"><script src="${gateway}/drop-in.js" defer></script><script src="/shop.js" defer></script></head>
<body data-pay-url="${escaped('payUrl')}"><main><h1>Lamp shop</h1><p>A reading lamp, 24.00 dollars.</p>
<button id="open">Pay here</button> <a data-tollgate href="${escaped('payUrl')}">Pay by link</a>
<button data-tollgate-link="${escaped('link')}">Give</button><pre><output></output></pre></main></body></html>`
}

export async function openDropInShop(gateway: string): Promise<DropInShop> {
  const policy = `default-src 'none'; img-src data:; style-src 'self'; script-src 'self' ${gateway}; frame-src ${gateway}`
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop')
    const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
      '/shop.css': ['text/css', style],
      '/shop.js': ['text/javascript', script],
    }
    const [type, text] = files[pathname] ?? ['text/html; charset=utf-8', htmlOf(gateway, searchParams)]
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const { port } = address
  return {
    port,
    pageFor: (pays, host = 'localhost') => `http://${host}:${port}/?${new URLSearchParams(pays)}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
