// The page on which the payer of a bank or wallet approves or declines. The page needs no sign-in, because in the
// sandbox everyone may act as the payer.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { decimalsOf } from '../../src/platform/base/currency.ts'
import { parseDecimal } from '../../src/platform/base/money.ts'
import { acceptForms, type Form, formOf } from '../../src/platform/pages/form.ts'
import { sendPage, webAddress } from '../../src/platform/pages/page.ts'
import type { Bank } from './bank.ts'
import type { BankCharge } from './charge.ts'
import { approvePage, donePage, nothingPage } from './page.ts'

export type PageOptions = {
  readonly method: string
  readonly bank: Bank
  /** The sandbox's address, which is known only once the sandbox listens. */
  readonly url: () => string
}

const MAX_FORM_BYTES = 16_384
const MAX_AMOUNT = 10n ** 14n

export function payerUrlOf(
  { url, method }: Pick<PageOptions, 'url' | 'method'>,
  { id }: { id: string },
): string {
  return `${url()}/banks/${method}/${id}`
}

export function registerBankPage(app: FastifyInstance, options: PageOptions): void {
  const { bank, method } = options
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    const path = `/banks/${method}/:id`
    scope.get<{ Params: { id: string } }>(path, (request, reply) => {
      const charge = bank.findById(request.params.id)
      return charge !== undefined && isPayable(bank, charge)
        ? sendPage(reply, 200, approvePage({ bank, method, charge, back: backTo(charge)?.href }), {
            formTargets: originsOf(charge),
          })
        : sendNothing(reply, charge)
    })
    scope.post<{ Params: { id: string } }>(path, (request, reply) => {
      const charge = bank.findById(request.params.id)
      return charge !== undefined && isPayable(bank, charge)
        ? act(options, reply, charge, formOf(request.body))
        : sendNothing(reply, charge)
    })
  })
}

/** True if the charge is open. A transfer to an account is possible even after its charge was closed. */
function isPayable(bank: Bank, charge: BankCharge): boolean {
  return charge.amount !== '' && (charge.status === 'open' || bank.takes === 'deposits')
}

function act(options: PageOptions, reply: FastifyReply, charge: BankCharge, form: Form): FastifyReply {
  const { bank, method } = options
  if (form.decision === 'decline') {
    const declined = bank.decline(charge.id)
    return declined === undefined ? sendNothing(reply, charge) : finish(bank, reply, declined)
  }
  const amount = amountIn(form, charge)
  if (form.decision !== 'approve' || amount === undefined) {
    const wrong = { problem: problemOf(charge), typed: form.amount ?? '' }
    const page = approvePage({ bank, method, charge, back: backTo(charge)?.href, ...wrong })
    return sendPage(reply, 400, page, { formTargets: originsOf(charge) })
  }
  const payer = { payerName: 'Sandbox Payer', payerAccount: 'SANDBOX0001' }
  const paid = bank.pay(charge.id, { amount: amount.toString(), id: form.transfer || undefined, ...payer })
  return paid === undefined ? sendNothing(reply, charge) : finish(bank, reply, paid)
}

/**
 * The amount that the payer sends: the charge's amount if the field is empty or missing, as on a wallet's page.
 * Undefined if the field is not valid.
 */
function amountIn({ amount: text = '' }: Form, { amount, currency }: BankCharge): bigint | undefined {
  const typed = text.trim()
  if (typed === '') return BigInt(amount)
  const sent = parseDecimal(typed, currency)
  return sent !== undefined && sent > 0n && sent < MAX_AMOUNT ? sent : undefined
}

function problemOf({ currency }: BankCharge): string {
  const decimals = decimalsOf(currency)
  const rule = decimals === 0 ? 'without decimals' : `with up to ${decimals} decimals`
  return `Enter an amount above zero, ${rule}.`
}

/** Sends the payer of a wallet back to the shop. The payer of a transfer may stay and send more. */
function finish(bank: Bank, reply: FastifyReply, charge: BankCharge): FastifyReply {
  const back = backTo(charge)
  if (bank.takes === 'exact' && back !== undefined) return reply.redirect(back.href, 303)
  return sendPage(reply, 200, donePage(charge, back?.href))
}

function sendNothing(reply: FastifyReply, charge: BankCharge | undefined): FastifyReply {
  return sendPage(reply, charge === undefined ? 404 : 410, nothingPage(charge && backTo(charge)?.href))
}

function backTo({ returnUrl, id }: BankCharge): URL | undefined {
  const url = webAddress(returnUrl)
  url?.searchParams.set('id', id)
  return url
}

/**
 * The origins that form-action must allow. In the content security policy, form-action also applies to redirects after
 * a form.
 */
function originsOf(charge: BankCharge): string[] {
  const back = backTo(charge)
  return back === undefined ? [] : [back.origin]
}
