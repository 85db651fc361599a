// The shop of a payer in tests: a page on loopback to return to, and a check of the returned parameters.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { signFields } from '../../src/money/merchants/sign-fields.ts'
import type { Account } from '../harness/client.ts'

export type Shop = {
  readonly origin: string
  /** The address that payers return to. */
  readonly returnUrl: string
  close(): Promise<void>
}

/** The shop's own query, which must come back byte for byte, even if it uses one of our names. */
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

/** Checks that the address contains the result of this order with a valid signature. */
export async function assertReturn(
  address: string,
  { key }: Account,
  expected: { readonly tradeNo: unknown; readonly merOrderNo: unknown; readonly payCode: string },
): Promise<void> {
  const { search } = new URL(address)
  assert.ok(search.startsWith(`${QUERY}&`), `the shop's own query is unchanged: ${search}`)
  const { sign, ...fields } = Object.fromEntries(new URLSearchParams(search.slice(QUERY.length)))
  assert.deepEqual(fields, { ...expected })
  assert.equal(sign, await signFields('return', fields, { kind: 'md5', key }))
}
