// The functions of the page on which the beneficiary of a CheckOut payout enters an account.
import type { KeyObject } from 'node:crypto'
import { findLogo } from '../../../money/merchants/logo.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import type { LinkMaker } from '../../../money/orders/page-link.ts'
import { type EnterDeps, enterAccount } from '../../../money/payouts/enter-account.ts'
import { findPayout } from '../../../money/payouts/find-payout.ts'
import { type FoundPayout, hasMoneyBack, kindsFor, type PayoutState } from '../../../money/payouts/payout.ts'
import type { RefusalCode } from '../../../platform/errors/catalogue.ts'
import type { Form } from '../../../platform/pages/form.ts'
import type { InterfaceAccount } from '../../../rails/contract/payout-rail.ts'
import { type Banks, checkAccount } from '../../../rails/toolkit/check-account.ts'
import type { EntryLimits, LinkLimits } from '../limits.ts'
import { signedReturn } from '../signed-return.ts'
import type { Problems } from '../view.ts'
import { payoutForms, readPayoutForm } from './payout-form.ts'
import type { PayoutView } from './payout-page.ts'
import type { Entered, PayoutPageDeps } from './payout-routes.ts'

export type OpenPayoutPageDeps = EnterDeps & {
  readonly sandbox: boolean
  readonly links: LinkMaker
  readonly linkLimits: LinkLimits
  readonly platformKey: KeyObject
  readonly entries: EntryLimits
}

export function openPayoutPage(deps: OpenPayoutPageDeps): PayoutPageDeps {
  const keyOf = (token: string) => deps.links.read(token, deps.clock.now())
  const find = async (token: string) => {
    const key = keyOf(token)
    const payout = key && (await findPayout(deps.db, key))
    return payout?.kind === 'checkout' ? payout : undefined
  }
  return {
    sandbox: deps.sandbox,
    limit(token, cost) {
      const key = keyOf(token)
      return key && deps.linkLimits.take(key.tradeNo, cost)
    },
    async open(token) {
      const payout = await find(token)
      const merchant = payout && (await deps.findMerchant(payout.merNo))
      return payout && merchant && view(deps, payout, merchant)
    },
    check(token, kind, form) {
      const { tradeNo = '' } = keyOf(token) ?? {}
      return deps.entries.mayCheck(tradeNo) ? problemsSoFar(deps.reference, kind, form) : undefined
    },
    async enter(token, kind, values, address) {
      const payout = await find(token)
      if (payout === undefined) return { problems: {} }
      if (!deps.entries.mayEnter(payout.tradeNo, address)) return { problems: {}, notice: 'tooManyAttempts' }
      return enter(deps, payout, kind, values)
    },
    async logo(token) {
      const payout = await find(token)
      return payout && findLogo(deps.db, payout.merNo)
    },
  }
}

async function enter(
  deps: OpenPayoutPageDeps,
  payout: FoundPayout,
  kind: InterfaceAccount,
  values: Form,
): Promise<Entered> {
  const { account = '', bankCode = '' } = values
  const entered = { kind, account, bankCode, ...splitByPrivacy(kind, values) }
  const { refusal, unreachable } = await enterAccount(deps, payout, entered)
  if (unreachable === true) return { problems: {}, notice: 'unreachable' }
  return { problems: refusal === undefined ? {} : problemsOf(kind, refusal.code) }
}

/** Returns the problems of a form that is still being filled in. A field that is still empty has no problem. */
function problemsSoFar(banks: Banks, kind: InterfaceAccount, form: Form): Problems {
  const { values, problems } = readPayoutForm(kind, form)
  const { account = '', bankCode = '' } = values
  const refusal = account === '' ? undefined : checkAccount(banks, { kind, account, bankCode })
  const typed = Object.entries(problems).filter(([, problem]) => problem !== 'missing')
  return { ...Object.fromEntries(typed), ...(refusal && problemsOf(kind, refusal.code)) }
}

function splitByPrivacy(kind: InterfaceAccount, { account: _account, ...rest }: Form) {
  const isPersonal = new Set(
    payoutForms[kind].fields.filter((field) => field.personal === true).map((field) => field.name),
  )
  const filled = Object.entries(rest).filter(([, value]) => value !== '')
  return {
    personal: Object.fromEntries(filled.filter(([name]) => isPersonal.has(name))),
    details: Object.fromEntries(filled.filter(([name]) => !isPersonal.has(name))),
  }
}

function problemsOf(kind: InterfaceAccount, code: RefusalCode): Problems {
  const asksBank = payoutForms[kind].fields.some((field) => field.name === 'bankCode')
  if (code === '10002') return { bankCode: 'bankCodeMissing' }
  if (code === '10013' && asksBank) return { bankCode: 'bankCode' }
  return { account: kind === 'card' ? 'cardNumber' : 'account' }
}

const statuses: Readonly<Record<PayoutState, PayoutView['status']>> = {
  tokenising: 'processing',
  awaiting_account: 'asks-account',
  awaiting_approval: 'processing',
  sending: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  returned: 'failed',
}

async function view(deps: OpenPayoutPageDeps, payout: FoundPayout, merchant: Merchant): Promise<PayoutView> {
  const { money, beneficiary, tradeNo, merOrderNo, state } = payout
  const { name, accent, hasLogo } = merchant
  const payCode = state === 'succeeded' ? '0' : hasMoneyBack(state) ? '1' : '2'
  const returned = { tradeNo, merOrderNo, payCode } as const
  return {
    merchant: { name, accent, hasLogo },
    tradeNo,
    merOrderNo,
    beneficiary: `${beneficiary.benFirstName} ${beneficiary.benLastName}`,
    money,
    status: statuses[state],
    message: payout.message,
    accountMasked: payout.accountMasked,
    kinds: kindsTo(deps, payout, merchant),
    returnUrl: await signedReturn(deps.platformKey, merchant, payout.returnUrl, returned),
    // Payouts have no language field, so the browser's language is used.
    language: '',
  }
}

/**
 * Returns the kinds of account that a rail can pay to without an expiry date, because the page asks for no date. If
 * there is no such kind, returns all kinds. The page then reports the problem after the account is entered.
 */
function kindsTo(
  { payoutRouting }: OpenPayoutPageDeps,
  { money }: FoundPayout,
  { routes }: Merchant,
): InterfaceAccount[] {
  const all = kindsFor(money.currency)
  const served = all.filter((kind) =>
    payoutRouting.canServe({ kinds: [kind], ...money, hasExpiry: false }, routes),
  )
  return served.length > 0 ? served : all
}
