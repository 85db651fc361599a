// What the beneficiary's page of a CheckOut payout may do, behind its link: see the payout, and say once where it goes.
import type { KeyObject } from 'node:crypto'
import { checkAccount } from '../channels/payout/check-account.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { RefusalCode } from '../errors/catalogue.ts'
import { findLogo } from '../merchants/logo.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Form } from '../pages/form.ts'
import { type EnterDeps, enterAccount } from '../payouts/enter-account.ts'
import { findPayout } from '../payouts/find-payout.ts'
import type { FoundPayout } from '../payouts/found-payout.ts'
import { kindsFor, type PayoutState } from '../payouts/payout.ts'
import type { Problems } from './filling.ts'
import type { LinkMaker } from './link.ts'
import type { LinkLimits } from './link-limits.ts'
import { payoutForms, readPayoutForm } from './payout-form.ts'
import type { Entered, PayoutPageDeps } from './payout-routes.ts'
import type { PayoutView } from './payout-view.ts'
import { signedReturn } from './signed-return.ts'
import type { EntryLimits } from './try-limits.ts'

export type OpenPayoutPageDeps = EnterDeps & {
  readonly sandbox: boolean
  readonly links: LinkMaker
  readonly linkLimits: LinkLimits
  readonly platformKey: KeyObject
  readonly entries: EntryLimits
  findMerchant(merNo: number): Promise<Merchant | undefined>
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
      return deps.entries.mayCheck(tradeNo) ? problemsSoFar(kind, form) : undefined
    },
    async enter(token, kind, values, address) {
      const payout = await find(token)
      if (payout === undefined) return { problems: {} }
      if (!deps.entries.mayEnter(payout.tradeNo, address)) return { problems: {}, notice: 'tooManyTries' }
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
  kind: AccountKind,
  values: Form,
): Promise<Entered> {
  const { account = '', bankCode = '' } = values
  const entered = { kind, account, bankCode, ...divide(kind, values) }
  const { refusal, unreachable } = await enterAccount(deps, payout, entered)
  if (unreachable === true) return { problems: {}, notice: 'unreachable' }
  return { problems: refusal === undefined ? {} : problemsOf(kind, refusal.code) }
}

/** While it is being typed, what is still empty is no problem. */
function problemsSoFar(kind: AccountKind, form: Form): Problems {
  const { values, problems } = readPayoutForm(kind, form)
  const { account = '', bankCode = '' } = values
  const refusal = account === '' ? undefined : checkAccount({ kind, account, bankCode })
  const typed = Object.entries(problems).filter(([, problem]) => problem !== 'missing')
  return { ...Object.fromEntries(typed), ...(refusal && problemsOf(kind, refusal.code)) }
}

function divide(kind: AccountKind, { account: _account, ...rest }: Form) {
  const isPersonal = new Set(
    payoutForms[kind].fields.filter((field) => field.personal === true).map((field) => field.name),
  )
  const filled = Object.entries(rest).filter(([, value]) => value !== '')
  return {
    personal: Object.fromEntries(filled.filter(([name]) => isPersonal.has(name))),
    details: Object.fromEntries(filled.filter(([name]) => !isPersonal.has(name))),
  }
}

function problemsOf(kind: AccountKind, code: RefusalCode): Problems {
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
}

async function view(deps: OpenPayoutPageDeps, payout: FoundPayout, merchant: Merchant): Promise<PayoutView> {
  const { money, beneficiary, tradeNo, merOrderNo, state } = payout
  const { name, accent, hasLogo } = merchant
  const payCode = state === 'succeeded' ? '0' : state === 'failed' ? '1' : '2'
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
    kinds: kindsFor(money.currency),
    returnUrl: await signedReturn(deps.platformKey, merchant, payout.returnUrl, returned),
    // The order of a payout names no language: the browser does.
    language: '',
  }
}
