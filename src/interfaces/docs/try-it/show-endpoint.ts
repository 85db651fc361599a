// Shows what a try has signed, sent and received, and what can be tried next with the same order.
import { type Html, html } from '../../pages/page.ts'
import { codeBlock, jsonBlock } from '../highlight.ts'
import type { Tried } from './send-request.ts'

const MOST_SHOWN = 20_000

type Envelope = {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: { readonly tradeNo?: unknown; readonly merOrderNo?: unknown; readonly payUrl?: unknown }
}

/** `baseUrl`: what the addresses in answers begin with. */
export function resultOf({ path, sent, signedText, answer }: Tried, root: string, baseUrl: string): Html {
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
    return undefined // a page
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
