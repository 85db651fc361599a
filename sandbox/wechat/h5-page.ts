// WeChat's page for payers in a phone's browser (H5). Its address contains the return address. As at WeChat, the page
// opens only for payers who come from the merchant's domain, which here is the domain of the return address.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptForms, formOf } from '../../src/platform/pages/form.ts'
import { html, sendPage, symbol, webAddress } from '../../src/platform/pages/page.ts'
import type { Bank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { approvePage, nothingPage } from '../bank/page.ts'
import { sandboxPage, wayBack } from '../sandbox-page.ts'

export const H5_PATH = '/wechat/h5'

type Route = { Params: { id: string }; Querystring: { redirect_url?: string } }

export function registerH5Page(app: FastifyInstance, bank: Bank): void {
  app.register(async (scope) => {
    acceptForms(scope, 16_384)
    scope.get<Route>(`${H5_PATH}/:id`, (request, reply) => {
      const charge = bank.findById(request.params.id)
      const back = webAddress(request.query.redirect_url ?? '')
      const from = webAddress(request.headers.referer ?? '')
      if (back === undefined || from?.origin !== back.origin) return sendPage(reply, 403, strangerPage())
      return show(reply, bank, charge, back)
    })
    scope.post<Route>(`${H5_PATH}/:id`, (request, reply) => {
      const charge = bank.findById(request.params.id)
      const back = webAddress(request.query.redirect_url ?? '')
      const { decision } = formOf(request.body)
      if (charge === undefined || back === undefined || charge.status !== 'open')
        return show(reply, bank, charge, back)
      if (decision === 'approve') bank.pay(charge.id, { amount: charge.amount, payerName: 'Sandbox Payer' })
      if (decision === 'decline') bank.decline(charge.id)
      return reply.redirect(back.href, 303)
    })
  })
}

function strangerPage(): string {
  return sandboxPage({
    title: 'Not opened – Sandbox WeChat Pay',
    step: html`${symbol('failed')}
<h1>This page was not opened from the shop</h1>
<p>WeChat opens it only from a page of the registered domain, which the browser names as the Referer.</p>
${wayBack(undefined)}`,
  })
}

function show(reply: FastifyReply, bank: Bank, charge: BankCharge | undefined, back: URL | undefined) {
  if (charge?.status !== 'open' || back === undefined)
    return sendPage(reply, charge === undefined ? 404 : 410, nothingPage(back?.href))
  // The form posts to its own address.
  const self = `${charge.id}?${new URLSearchParams({ redirect_url: back.href })}`
  const page = approvePage({ bank, method: 'wechat', charge: { ...charge, id: self }, back: back.href })
  return sendPage(reply, 200, page, { formTargets: [back.origin] })
}
