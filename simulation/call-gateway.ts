// A merchant's request to the gateway, through the load balancer. Every failure of the request or of its answer counts
// as a lost answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { signed } from '../test/harness/client.ts'
import type { Answer, Shop } from './witness.ts'

/**
 * The time that merchants wait for a response: a little longer than the gateway needs, and short enough that an
 * operation with several requests ends within about 20 seconds.
 */
const TIMEOUT_MS = 7_000
const PAUSE_MS = 200

/** Signs the body and sends it. A body that already has a `sign` is sent unchanged. */
export function callGateway(
  shop: Shop,
  path: string,
  body: Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const text = JSON.stringify('sign' in body ? body : signed(shop, path, body))
  return send(shop, path, text, { 'content-type': 'application/json', ...headers }, readEnvelope)
}

/** Calls `/file/upload`, the only endpoint with a multipart body. */
export function uploadToGateway(shop: Shop, path: string, form: FormData): Promise<Answer> {
  return send(shop, path, form, {}, readEnvelope)
}

/**
 * Calls `/cashier/checkStand`, which answers with a page. The page leads to the payment, or shows the code of a
 * refusal.
 */
export function askForPage(shop: Shop, path: string, body: Record<string, unknown>): Promise<Answer> {
  const text = JSON.stringify(signed(shop, path, body))
  return send(shop, path, text, { 'content-type': 'application/json' }, readPage)
}

type Read = (status: number, text: string) => Answer

async function send(
  shop: Shop,
  path: string,
  body: string | FormData,
  headers: Readonly<Record<string, string>>,
  read: Read,
): Promise<Answer> {
  try {
    const response = await fetch(shop.baseUrl + path, {
      method: 'POST',
      headers: { referer: `https://${shop.site}/cart`, ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return read(response.status, await response.text())
  } catch (error) {
    // While no gateway runs, requests fail immediately. Without this pause, most requests of a run would be such
    // requests.
    await sleep(PAUSE_MS)
    return { kind: 'lost', why: error instanceof Error ? error.message : String(error) }
  }
}

function readEnvelope(status: number, text: string): Answer {
  const { code, message, data } = JSON.parse(text)
  return { kind: 'answered', status, code, message, data: data ?? {} }
}

function readPage(status: number, html: string): Answer {
  const [, payUrl] = /href="(https?:[^"]*\/pay\/[^"]*)"/.exec(html) ?? []
  const [code = ''] = /\b[19]\d{4}\b/.exec(html) ?? []
  if (payUrl !== undefined) return { kind: 'answered', status, code: '00000', message: '', data: { payUrl } }
  return code === '' ? { kind: 'lost', why: html } : { kind: 'answered', status, code, message: '', data: {} }
}
