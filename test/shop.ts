// The shop that a payer comes from and is led back to, in tests: a page on loopback, and what its address brings.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { signFields } from '../src/merchants/sign-fields.ts'
import type { Account } from './client.ts'

export type Shop = {
  readonly origin: string
  /** Where payers come back to. */
  readonly returnUrl: string
  close(): Promise<void>
}

/** Of the shop's own: it comes back byte for byte, also where a name is one of ours. */
const QUERY = '?cart=7&note=a+b%2bc&tradeNo=own'

const page = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<h1>Back in the shop</h1></html>`

export async function openShop(): Promise<Shop> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    origin,
    returnUrl: `${origin}/back${QUERY}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The address brings the result of this order, with a signature that the shop can check. */
export async function assertReturn(
  address: string,
  { key }: Account,
  expected: { readonly tradeNo: unknown; readonly merOrderNo: unknown; readonly payCode: string },
): Promise<void> {
  const { search } = new URL(address)
  assert.ok(search.startsWith(`${QUERY}&`), `what the shop had in its address is still there: ${search}`)
  const { sign, ...fields } = Object.fromEntries(new URLSearchParams(search.slice(QUERY.length)))
  assert.deepEqual(fields, { ...expected })
  assert.equal(sign, await signFields('return', fields, { kind: 'md5', key }))
}
