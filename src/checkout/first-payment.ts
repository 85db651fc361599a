// POST /sandbox/first-payment: one click on the home page pays as the demo merchant, whose key stays on the server. Sandbox
// only. There is no session to abuse, but posts of other sites are refused anyway.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptForms, formOf } from '../pages/form.ts'
import { type Html, html, renderPage, sendPage, symbol } from '../pages/page.ts'
import { isForeignPost } from './page-scope.ts'

export type FirstPayments = {
  /** Undefined if demo.json is missing. */
  merchant(): Promise<{ readonly merNo: number; readonly site: string } | undefined>
  /** Sends a signed request; undefined without a demo merchant. */
  pay(by: 'card' | 'checkout'): Promise<FirstPayment | undefined>
}

export type FirstPayment = {
  readonly path: string
  readonly request: Readonly<Record<string, unknown>>
  /** The string whose MD5 is the signature, without the key. */
  readonly signedText: string
  readonly answer: { readonly code?: unknown; readonly message?: unknown; readonly data?: object }
  /** Where the payer continues, relative to our address. */
  readonly payPath: string | undefined
}

const MAX_FORM_BYTES = 1_024
/** Nobody needs a key for these, so there are never many. */
const MOST_AT_A_TIME = 4

export function registerFirstPayments(app: FastifyInstance, payments: FirstPayments): void {
  let underWay = 0
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.get('/sandbox/first-payment', (_request, reply) => reply.redirect('../', 303))
    scope.post('/sandbox/first-payment', async (request, reply) => {
      if (isForeignPost(request)) return sendPage(reply, 403, failed('Press the button on the home page.'))
      if (underWay >= MOST_AT_A_TIME) return sendPage(reply, 429, failed('Try again in a moment.'))
      underWay++
      try {
        return await payFirst(payments, request, reply)
      } finally {
        underWay--
      }
    })
  })
}

async function payFirst(payments: FirstPayments, request: FastifyRequest, reply: FastifyReply) {
  const by = formOf(request.body).by === 'checkout' ? 'checkout' : 'card'
  const paid = await payments.pay(by).catch((error: unknown) => {
    request.log.error({ err: error }, 'the first payment of the home page failed')
  })
  if (paid === undefined)
    return sendPage(reply, 503, failed('Run the command "doctor", and see whether demo.json is there.'))
  // Relative, because the browser may know this gateway under another name than TOLLGATE_BASE_URL.
  return paid.payPath === undefined
    ? sendPage(reply, 200, resultPage(paid))
    : reply.redirect(`../${paid.payPath}`, 303)
}

function resultPage({ path, request, signedText, answer }: FirstPayment): string {
  const { tradeNo } = { tradeNo: undefined, ...answer.data }
  const isPaid = answer.code === '00000'
  return page(
    isPaid ? 'Paid' : 'Refused',
    html`${symbol(isPaid ? 'done' : 'failed')}
<h1>${isPaid ? 'Your first payment' : 'The payment was refused'}</h1>
${!isPaid && html`<p>${String(answer.message)}</p>`}
<h2>The request</h2>
<p>By POST to <code>${path}</code>, from the website of the demo merchant:</p>
<pre>${JSON.stringify(request, undefined, 2)}</pre>
<h2>The signature</h2>
<p><code>sign</code> is the MD5 of this text, with the merchant's key in the place of <code>&lt;KEY&gt;</code>:</p>
<pre>${signedText}&lt;KEY&gt;</pre>
<h2>The response</h2>
<pre>${JSON.stringify(answer, undefined, 2)}</pre>
${
  typeof tradeNo === 'string' &&
  html`<h2>What happened</h2>
<p>The order is in the <a href="../backoffice/orders/${tradeNo}">back office</a>, and on the command line:</p>
<pre>npm run --silent tollgate -- explain ${tradeNo}</pre>`
}`,
  )
}

function failed(advice: string): string {
  return page('No payment', html`${symbol('failed')}<h1>The payment was not made</h1><p>${advice}</p>`)
}

function page(title: string, content: Html): string {
  return renderPage({
    title: `${title} · Tollgate sandbox`,
    sandbox: true,
    assets: '../assets',
    moreStyle: 'home.css',
    step: html`<div class="home">${content}
<p><a class="button quiet" href="../">Back to the start</a></p></div>`,
  })
}
