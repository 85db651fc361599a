// A shop whose pages, script and policy are the samples of docs/guides/drop-in.md.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { blocksOf, filled, guideNamed } from '../harness/guides.ts'

export type GuideShop = {
  readonly origin: string
  /** The address to which the shop's script sends payers who have a result. */
  readonly orderPage: string
  /** Returns a page with the guide's two links: to a payment link, and to an order. */
  linksTo(pays: { readonly payUrl: string; readonly linkId: string }): string
  close(): Promise<void>
}

/** Opens the shop. Its server makes an order by `newOrder`, which returns the payUrl. */
export async function openGuideShop(baseUrl: string, newOrder: () => Promise<string>): Promise<GuideShop> {
  const blocks = blocksOf(guideNamed('drop-in')).map(({ code }) => filled(code, { baseUrl }))
  const [button = '', script = '', orderLink = '', paymentLink = '', policy = ''] = blocks
  // The policy allows the guide's two sources, and the calls of the shop's own script.
  const policies = `default-src 'none'; img-src data:; connect-src 'self'; ${policy.replaceAll('\n', ' ')}`
  const pageOf = (body: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${body}</html>`

  const contentOf = async ({
    pathname,
    searchParams,
  }: URL): Promise<readonly [type: string, text: string]> => {
    if (pathname === '/checkout.js') return ['text/javascript', script]
    if (pathname === '/orders')
      return ['application/json', JSON.stringify({ payUrl: await newOrder(), orderPage: '/order' })]
    if (pathname === '/order') return ['text/html', pageOf('<h1>Your order</h1>')]
    if (pathname === '/') return ['text/html', pageOf(button)]
    const { payUrl = '', linkId = '' } = Object.fromEntries(searchParams)
    const links = `${paymentLink.replace('LINK_ID', linkId)}${orderLink.replace('PAY_URL', payUrl)}`
    return ['text/html', pageOf(links)]
  }
  const server = createServer(async (request, response) => {
    const [type, text] = await contentOf(new URL(request.url ?? '', 'http://shop'))
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policies }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const origin = `http://localhost:${address.port}`
  return {
    origin,
    orderPage: `${origin}/order`,
    linksTo: (pays) => `${origin}/links?${new URLSearchParams(pays)}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
