// The page on which anybody can transfer pesos to a CLABE, in place of a Mexican bank's app.
import type { FastifyInstance } from 'fastify'
import { formatAmount, parseDecimal } from '../../src/platform/base/money.ts'
import { money } from '../../src/platform/pages/amount.ts'
import { acceptForms, formOf } from '../../src/platform/pages/form.ts'
import { html, sendPage, symbol } from '../../src/platform/pages/page.ts'
import { sandboxPage, wayBack } from '../sandbox-page.ts'
import type { StpAnswer } from './book.ts'

export const PAGE_PATH = '/stp/transfer'

type Deposit = (clabe: string, centavos: bigint) => Promise<StpAnswer>
type Typed = { readonly clabe: string; readonly amount: string }
type Problems = Partial<Typed>

const MAX_FORM_BYTES = 16_384
const MAX_AMOUNT = 10n ** 14n

export function registerStpPage(app: FastifyInstance, deposit: Deposit): void {
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.get(PAGE_PATH, (_request, reply) => sendPage(reply, 200, transferPage({ clabe: '', amount: '' })))
    scope.post(PAGE_PATH, async (request, reply) => {
      const form = formOf(request.body)
      // A copied CLABE may contain blanks, because pages show it in groups.
      const clabe = (form.clabe ?? '').replace(/\s/g, '')
      const amount = (form.amount ?? '').trim()
      const centavos = parseDecimal(amount, 'MXN') ?? 0n
      const problems: Problems = {
        ...(!/^\d{18}$/.test(clabe) && { clabe: 'Enter the 18 digits of the CLABE.' }),
        ...((centavos <= 0n || centavos >= MAX_AMOUNT) && {
          amount: 'Enter an amount above zero, with up to 2 decimals.',
        }),
      }
      if (Object.keys(problems).length > 0)
        return sendPage(reply, 400, transferPage({ clabe: form.clabe ?? '', amount }, problems))
      return sendPage(reply, 200, sentPage(centavos, await deposit(clabe, centavos)))
    })
  })
}

function transferPage(typed: Typed, problems: Problems = {}): string {
  const field = (name: keyof Typed, label: string, hint: string) => html`<div class="cell">
<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" inputmode="decimal" value="${typed[name]}"
 aria-describedby="${name}-hint ${name}-problem"${problems[name] === undefined ? undefined : html` aria-invalid="true"`}>
<p class="hint" id="${name}-hint">${hint}</p>
<p class="problem" id="${name}-problem">${problems[name]}</p>
</div>`
  return sandboxPage({
    title: 'Transfer – Sandbox SPEI',
    step: html`<h1>Transfer by SPEI</h1>
<form method="post" action="${PAGE_PATH}" class="fields" autocomplete="off">
<div class="group">
${field('clabe', 'To the CLABE', 'As the payment page shows it.')}
${field('amount', 'Amount to send (MXN)', 'Send less or more to see what the shop does.')}
</div>
<button class="button">Send</button>
</form>
${wayBack(undefined, 'link')}`,
  })
}

function sentPage(centavos: bigint, answer: StpAnswer): string {
  const amount = money(formatAmount(centavos, 'MXN'), 'MXN')
  const isBack = answer.status === 400 && answer.text.includes('devolver')
  return sandboxPage({
    title: 'Sent – Sandbox SPEI',
    step: html`${symbol(answer.status === 200 ? 'done' : 'failed')}
<h1>${isBack ? 'Sent back' : 'Sent'}</h1>
<p>${isBack ? `No order has this CLABE: the gateway refused ${amount}, and STP sent it back.` : `${amount} has arrived at STP.`}</p>
${answer.status === 200 || isBack ? undefined : html`<p>${noAnswer}</p>`}
<a class="button" href="${PAGE_PATH}">Send more</a>
${wayBack(undefined, 'link')}`,
  })
}

const noAnswer =
  'The gateway did not confirm it: is it running, at the address in TOLLGATE_SANDBOX_REHEARSAL_URL? It finds the money in the list of STP within 15 minutes.'
