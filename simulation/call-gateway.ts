// A merchant's request to the gateway, through the load balancer. Whatever goes wrong on the way becomes a lost answer.
import { signed } from '../test/client.ts'
import type { Answer, Shop } from './witness.ts'

/** Merchants have more patience than the gateway needs, but not much more. */
const TIMEOUT_MS = 15_000

export async function callGateway(shop: Shop, path: string, body: Record<string, unknown>): Promise<Answer> {
  try {
    const response = await fetch(shop.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', referer: `https://${shop.site}/cart` },
      body: JSON.stringify('sign' in body ? body : signed(shop, path, body)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { code, message, data } = JSON.parse(await response.text())
    return { kind: 'answered', status: response.status, code, message, data: data ?? {} }
  } catch (error) {
    return { kind: 'lost', why: error instanceof Error ? error.message : String(error) }
  }
}
