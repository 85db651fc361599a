// Sends a request to the gateway and reads the answer. Only idempotent requests are sent again.
// See docs/decisions/0245-the-sdk-never-resends-payments.md.
import type { Fields } from './canonical.ts'
import { nextStepOf, TollgateError } from './errors.ts'
import { endpoints } from './generated.ts'
import type { CallOptions } from './known-order.ts'
import { type Path, type SigningKey, signRequest } from './sign.ts'
import { sleep } from './sleep.ts'

export type Settings = SigningKey & {
  /** The gateway's address, for example `https://pay.example`. */
  readonly baseUrl: string
  readonly merNo: number
  /** A registered website of the merchant, such as `shop.example`, for the Referer of payments and payouts. */
  readonly site: string
  /** The longest wait for an answer. The default is 60 seconds. */
  readonly timeoutMs?: number | undefined
  /** The number of retries of an idempotent request. The default is two. */
  readonly retries?: number | undefined
  readonly fetch?: typeof fetch | undefined
}

export type Outgoing = {
  readonly path: Path
  readonly fields: Fields
  readonly headers?: Readonly<Record<string, string>>
  readonly file?: Blob
  /** True if the request is idempotent: a query, or a refund with its own number. */
  readonly isRepeatable: boolean
}

type Received = { readonly response: Response; readonly text: string }

const TIMEOUT_MS = 60_000
const RETRIES = 2
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000

/**
 * Resolves to `data` of a successful answer. Rejects with the signal's reason if the signal is aborted before the
 * request is sent, or during a repeatable request. Rejects with a TollgateError in all other cases.
 */
export async function send<Data>(
  settings: Settings,
  outgoing: Outgoing,
  options: CallOptions = {},
): Promise<Data> {
  const { response, text } = await repeated(settings, outgoing, options)
  const answer = parsed<Data>(text)
  if (answer?.code === '00000' && answer.data !== undefined) return answer.data
  throw refusal(outgoing, response, answer)
}

/** Resolves to the page from `/cashier/checkStand`, even if the page shows a refusal. */
export async function sendForPage(
  settings: Settings,
  outgoing: Outgoing,
  options: CallOptions,
): Promise<string> {
  const { response, text } = await repeated(settings, outgoing, options)
  if (response.ok) return text
  throw refusal(outgoing, response, parsed(text))
}

async function repeated(settings: Settings, outgoing: Outgoing, options: CallOptions): Promise<Received> {
  const retries = outgoing.isRepeatable ? (settings.retries ?? RETRIES) : 0
  for (let tried = 0; ; tried++) {
    const attempt = await once(settings, outgoing, options).catch((error: unknown) => {
      if (tried >= retries || !(error instanceof TollgateError)) throw error
      return undefined
    })
    if (attempt !== undefined && (tried >= retries || !isUnavailable(attempt.response))) return attempt
    const asked = attempt && retryAfterMs(attempt.response)
    // If the gateway asks for a longer wait, the caller decides whether to wait.
    if (attempt !== undefined && asked !== undefined && asked > LONGEST_WAIT_MS) return attempt
    await sleep(asked ?? FIRST_WAIT_MS * 2 ** tried * (0.5 + Math.random()), options.signal)
  }
}

/** True if the gateway, or a proxy in front of it, was too busy, or if the proxy could not reach the gateway. */
function isUnavailable({ status }: Response): boolean {
  return [429, 502, 503, 504].includes(status)
}

function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return seconds >= 0 ? seconds * 1000 : undefined
}

async function once(settings: Settings, outgoing: Outgoing, { signal }: CallOptions): Promise<Received> {
  const { baseUrl, fetch: by = fetch, timeoutMs = TIMEOUT_MS } = settings
  const request = await toRequest(settings, outgoing)
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  try {
    // Redirects are not followed, because they could send the payment to another address or send it twice.
    const address = baseUrl.replace(/\/$/, '') + outgoing.path
    const response = await by(address, { ...request, method: 'POST', redirect: 'manual', signal: ended })
    return { response, text: await response.text() }
  } catch (cause) {
    if (outgoing.isRepeatable) signal?.throwIfAborted()
    const why = timeout.aborted ? `no answer within ${timeoutMs} ms` : 'the connection was lost or not made'
    throw new TollgateError(`${outgoing.path}: ${why}`, { next: nextOfSilence(outgoing), cause })
  }
}

/** The next step if no answer came. A payment may have arrived although its answer did not. */
function nextOfSilence({ isRepeatable }: Outgoing): 'retry-later' | 'ask-by-number' {
  return isRepeatable ? 'retry-later' : 'ask-by-number'
}

async function toRequest(settings: Settings, { path, fields, headers, file }: Outgoing) {
  const { site, merNo } = settings
  // All parts of a multipart form are texts.
  const body =
    file === undefined ? { merNo, version: 'V3.0.0', ...fields } : { merNo: String(merNo), ...fields }
  const signed = { ...body, sign: await signRequest(path, body, settings) }
  const referer = endpoints[path].checksReferer
    ? { referer: `https://${site.replace(/^https?:\/\/|\/+$/g, '')}/` }
    : {}
  if (file !== undefined) return { headers: { ...referer }, body: formOf(signed, file) }
  const json = { 'content-type': 'application/json', ...referer, ...headers }
  return { headers: json, body: JSON.stringify(signed) }
}

function formOf(fields: Fields, file: Blob): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', file, 'file')
  return form
}

type Answer<Data> = { readonly code: string; readonly message: string; readonly data?: Data }

/** Returns the gateway's answer. Returns undefined for any other text, for example a proxy's page. */
function parsed<Data>(text: string): Answer<Data> | undefined {
  try {
    const answer = JSON.parse(text)
    return typeof answer?.code === 'string' ? answer : undefined
  } catch {
    return undefined
  }
}

function refusal(outgoing: Outgoing, response: Response, answer: Answer<unknown> | undefined): TollgateError {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const details = { status, requestId, retryAfterMs: retryAfterMs(response) }
  if (answer === undefined) {
    const next = nextOfProxy(status) ?? nextOfSilence(outgoing)
    return new TollgateError(`${outgoing.path}: HTTP ${status} without an answer of the gateway`, {
      ...details,
      next,
    })
  }
  const { code, message, data } = answer
  const next = nextOf(outgoing, status, code)
  return new TollgateError(`${code} ${message}`, { ...details, code, next, tradeNo: tradeNoIn(data) })
}

/** Returns the number of the first order. Returns undefined for a refusal without such a number. */
function tradeNoIn(data: unknown): string | undefined {
  const isNumbered = typeof data === 'object' && data !== null && 'tradeNo' in data
  return isNumbered && typeof data.tradeNo === 'string' ? data.tradeNo : undefined
}

/**
 * Returns the next step if a proxy in front of the gateway redirected or refused the request. Undefined for 408 and 499:
 * the proxy gave up waiting, and the request may have arrived.
 */
function nextOfProxy(status: number) {
  if (status === 429) return 'retry-later'
  return status >= 300 && status < 500 && status !== 408 && status !== 499 ? 'fix-request' : undefined
}

function nextOf(outgoing: Outgoing, status: number, code: string) {
  // The gateway was overloaded and stored nothing.
  if (code === '99999' && status === 503) return 'retry-later'
  const next = nextStepOf(code) ?? 'ask-operator'
  if (next !== 'ask-by-number') return next
  if (code === '99999') return nextOfSilence(outgoing)
  // The refund repeats an earlier refund too soon, or its number belongs to another refund.
  return outgoing.path === '/refund/apply' ? 'fix-request' : next
}
