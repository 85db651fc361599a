// The payer pages: the card bank's 3-D Secure page, the wallet's page, and a page in place of the banking app for QR
// codes and transfers.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptForms, type Form, formOf } from '../../src/platform/pages/form.ts'
import { html, sendPage, symbol, webAddress } from '../../src/platform/pages/page.ts'
import { minorAmount, sandboxPage, wayBack } from '../sandbox-page.ts'
import type { Book, Payment } from './book.ts'
import { isByCard } from './methods.ts'
import { writeRedirectResult } from './redirect-result.ts'

export type PayerPageOptions = { readonly book: Book; readonly secret: string }

const PAYER_PATH = '/adyen/payer/:id'

export function registerPayerPage(app: FastifyInstance, options: PayerPageOptions): void {
  app.register(async (scope) => {
    acceptForms(scope, 16_384)
    scope.get<{ Params: { id: string } }>(PAYER_PATH, (request, reply) =>
      sendApprove(reply, findPayment(options.book, request.params.id)),
    )
    scope.post<{ Params: { id: string } }>(PAYER_PATH, (request, reply) => {
      const payment = findPayment(options.book, request.params.id)
      const form = formOf(request.body)
      // A redirect by form (POST) has no `decision`. The payer decides with the form of this page.
      if (payment === undefined || form.decision === undefined)
        return sendApprove(reply, form.MD === payment?.id ? payment : undefined)
      const back = act(options, payment, form)
      return back === undefined
        ? sendPage(reply, 200, donePage(form.decision === 'approve', backTo(payment)))
        : reply.redirect(back, 303)
    })
  })
}

/** Finds a payment by its id, or by its pspReference, which the payer of a transfer sees. */
function findPayment(book: Book, id: string): Payment | undefined {
  return book.findById(id) ?? book.findByPsp(id)
}

function sendApprove(reply: FastifyReply, payment: Payment | undefined) {
  if (payment === undefined) return sendPage(reply, 404, nothingPage())
  const target = webAddress(payment.returnUrl)?.origin
  return sendPage(reply, 200, approvePage(payment), { formTargets: target === undefined ? [] : [target] })
}

/**
 * Applies the payer's decision. Returns the address to which the browser goes back, or undefined if the payer stays
 * here.
 */
function act({ book, secret }: PayerPageOptions, payment: Payment, form: Form): string | undefined {
  const isApproved = form.decision === 'approve'
  const { value } = payment.amount
  if (payment.type === 'bankTransfer_IBAN') {
    if (isApproved) book.receive(payment, Number(form.value ?? value))
    else if (payment.status === 'open') book.refuse(payment, CANCELLED)
    return undefined
  }
  // A card payment is decided later, when the merchant asks for the details.
  if (!isByCard(payment) && payment.status === 'open') {
    if (isApproved) book.authorise(payment)
    else book.refuse(payment, CANCELLED)
  }
  if (payment.type === 'pix' || payment.type === 'wechatpayQR') return undefined
  const back = new URL(payment.returnUrl)
  back.searchParams.set('redirectResult', writeRedirectResult({ id: payment.id, isApproved, value }, secret))
  return back.href
}

const CANCELLED = { refusalReason: 'Cancelled', refusalReasonCode: '15' }

const unlikeIso = { CLP: 2, ISK: 2, CVE: 0, IDR: 0 }

function approvePage(payment: Payment): string {
  const { id, amount, type } = payment
  return sandboxPage({
    title: 'Approve a payment – Sandbox Adyen',
    order: html`<p class="merchant">Sandbox Adyen, ${type}</p><p class="total">${minorAmount(amount.value, amount.currency, unlikeIso)}</p>`,
    step: html`<h1>Approve the payment?</h1>
<form method="post" action="${id}" class="fields" autocomplete="off">
<input type="hidden" name="value" value="${String(amount.value)}">
<button class="button" name="decision" value="approve">Approve payment</button>
<button class="button quiet" name="decision" value="decline">Decline payment</button>
</form>
${wayBack(backTo(payment), 'link')}`,
  })
}

function donePage(isApproved: boolean, back: string | undefined): string {
  const heading = isApproved ? 'Done' : 'Declined'
  return sandboxPage({
    title: `${heading} – Sandbox Adyen`,
    step: html`${symbol(isApproved ? 'done' : 'failed')}
<h1>${heading}</h1>
<p>${isApproved ? 'The money is on its way to the shop.' : 'Nothing was sent.'}</p>
${wayBack(back)}`,
  })
}

function nothingPage(): string {
  return sandboxPage({
    title: 'Nothing to pay – Sandbox Adyen',
    step: html`${symbol('failed')}
<h1>There is nothing to pay here</h1>
<p>The payment was cancelled or never existed. Go back to the shop to see its status.</p>
${wayBack(undefined)}`,
  })
}

/**
 * Returns the merchant's return address without a result from Adyen: for a payer who has not decided, or whose payment
 * arrives later.
 */
function backTo({ returnUrl }: Payment): string | undefined {
  return webAddress(returnUrl)?.href
}
