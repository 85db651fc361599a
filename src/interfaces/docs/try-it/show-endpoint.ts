// The page of an endpoint with the form "Try it", before and after a request.
import { type Form, formOf } from '../../../platform/pages/form.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { rootFrom, type Values } from '../article.ts'
import { codeBlock, jsonBlock } from '../highlight.ts'
import type { Site } from '../site.ts'
import type { DemoMerchant } from '../values.ts'
import { FIELD, type Filled, type FormState, isMadeNumber, type Target, targetOf, tryForm } from './form.ts'
import { type Sender, sendRequest, type Tried } from './send-request.ts'

const fillable: readonly string[] = ['merOrderNo', 'tradeNo', 'refundNo', 'merRefundNo']
const LONGEST_FILLED = 64

export function showEndpoint(site: Site, path: string, query: unknown, values: Values): string | undefined {
  const asked = formOf(query)
  const target = targetOf(path.replace(/^reference/, ''), asked.example)
  if (target === undefined) return undefined
  const filled = Object.entries(asked).filter(([name]) => fillable.includes(name))
  const state = {
    filled: Object.fromEntries(filled.map(([name, value]) => [name, value.slice(0, LONGEST_FILLED)])),
    isOpen: asked.example !== undefined || filled.length > 0,
  }
  return pageWith(site, target, values, state)
}

export type Try = { readonly form: Form; readonly merchant: DemoMerchant; readonly send: Sender }

/** Sends the request and returns the page with its result. Undefined if the endpoint is unknown. */
export async function showTry(
  site: Site,
  path: string,
  values: Values,
  { form, merchant, send }: Try,
): Promise<string | undefined> {
  const target = targetOf(path, form.example)
  if (target === undefined) return undefined
  const tried = await sendRequest(target, form, merchant, send)
  const result = resultOf(tried, rootFrom(`try${path}`), values.baseUrl)
  return pageWith(site, target, values, { filled: enteredIn(form), result, isOpen: true })
}

function pageWith(site: Site, target: Target, values: Values, state: FormState): string | undefined {
  const path = `reference${target.path}`
  return site.withForm(path, values, tryForm(target, values, rootFrom(path), state))
}

/**
 * Returns the entered values without the numbers that the form generated, because each number is accepted only once.
 */
function enteredIn(form: Form): Filled {
  const fields = Object.entries(form).filter(
    ([name, value]) => name.startsWith(FIELD) && !isMadeNumber(value),
  )
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(FIELD.length), value]))
}

const MOST_SHOWN = 20_000

type Envelope = {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: { readonly tradeNo?: unknown; readonly merOrderNo?: unknown; readonly payUrl?: unknown }
}

/**
 * Shows a request, its response, and links to the next requests. `baseUrl` is the beginning of our addresses in
 * responses.
 */
function resultOf({ path, sent, signedText, answer }: Tried, root: string, baseUrl: string): Html {
  const envelope = envelopeIn(answer.text)
  const lines = [`POST ${path}`, ...Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`)]
  return html`<h3>${titleOf(answer.status, envelope)}</h3>
<h4>Text to sign</h4>
${codeBlock(signedText, '')}
<h4>Signature</h4>
${codeBlock(String(sent.body.sign ?? ''), '')}
<h4>Request</h4>
${jsonBlock(sent.body, `${lines.join('\n')}\n\n`)}
<h4>Response, HTTP ${answer.status}</h4>
${envelope === undefined ? codeBlock(answer.text.slice(0, MOST_SHOWN), '') : jsonBlock(envelope)}
${envelope?.data && next(envelope.data, root, baseUrl)}
`
}

function titleOf(status: number, envelope: Envelope | undefined): string {
  if (envelope === undefined) return status === 200 ? 'Answered with a page' : 'Not answered'
  return envelope.code === '00000' ? 'Accepted' : `Refused: ${String(envelope.message)}`
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // the response is a page
  }
}

function next(
  { tradeNo, merOrderNo, payUrl }: NonNullable<Envelope['data']>,
  root: string,
  baseUrl: string,
): Html {
  const page =
    typeof payUrl === 'string' && payUrl.startsWith(`${baseUrl}/`) && payUrl.slice(baseUrl.length + 1)
  const order = typeof tradeNo === 'string' && typeof merOrderNo === 'string' && { tradeNo, merOrderNo }
  return html`<ul class="next">
${page && html`<li><a href="${root}${page}">Open the payer's page</a></li>`}
${
  order &&
  html`<li><a href="${root}docs/reference/order/query?${asQuery(order)}#try">Query this order</a></li>
<li><a href="${root}docs/reference/refund/apply?${asQuery(order)}#try">Refund this order</a></li>
<li><a href="${root}backoffice/orders/${order.tradeNo}">See it in the back office</a></li>`
}
</ul>`
}

function asQuery(order: Readonly<Record<string, string>>): string {
  return new URLSearchParams(order).toString()
}
