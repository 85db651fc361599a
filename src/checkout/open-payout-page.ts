// The page's view of a CheckOut payout: found by its link, told in the beneficiary's words.
import type { KeyObject } from 'node:crypto'
import type { Refusal } from '../base/error.ts'
import { formatAmount } from '../base/money.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import type { Form } from '../pages/form.ts'
import { type EnterDeps, enterAccount } from '../payouts/enter-account.ts'
import { type FoundPayout, findPayout } from '../payouts/find-payout.ts'
import { kindsFor, type PayoutState } from '../payouts/payout.ts'
import type { LinkMaker } from './link.ts'
import { payoutForms } from './payout-form.ts'
import type { PayoutView } from './payout-page.ts'
import type { PayoutPageDeps } from './payout-routes.ts'

export type OpenPayoutPageDeps = EnterDeps & {
  readonly sandbox: boolean
  readonly links: LinkMaker
  readonly platformKey: KeyObject
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function openPayoutPage(deps: OpenPayoutPageDeps): PayoutPageDeps {
  const find = async (token: string) => {
    const key = deps.links.read(token, deps.clock.now())
    const payout = key && (await findPayout(deps.db, key))
    return payout?.kind === 'checkout' ? payout : undefined
  }
  return {
    sandbox: deps.sandbox,
    async open(token) {
      const payout = await find(token)
      const merchant = payout && (await deps.findMerchant(payout.merNo))
      return payout && merchant && view(deps, payout, merchant)
    },
    async enter(token, kind, values) {
      const payout = await find(token)
      return payout === undefined ? {} : enter(deps, payout, kind, values)
    },
  }
}

async function enter(deps: OpenPayoutPageDeps, payout: FoundPayout, kind: AccountKind, values: Form) {
  const { account = '', bankCode = '' } = values
  const { personal, details } = divide(kind, values)
  const { refusal, unreachable } = await enterAccount(deps, payout, {
    kind,
    account,
    bankCode,
    personal,
    details,
  })
  if (unreachable === true) return { '': 'The bank cannot be reached just now. Try again in a moment.' }
  return refusal === undefined ? {} : problemsOf(kind, refusal)
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

function problemsOf(kind: AccountKind, { code }: Refusal): Record<string, string> {
  const { account, fields } = payoutForms[kind]
  const asksBank = fields.some((field) => field.name === 'bankCode')
  if (code === '10002') return { bankCode: 'An account number needs the BIC of its bank' }
  if (code === '10013' && asksBank) return { bankCode: 'This is not a BIC' }
  return { account: `This is not a valid ${account}. Check it digit by digit.` }
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
  const { money, beneficiary } = payout
  return {
    merchantName: merchant.name,
    tradeNo: payout.tradeNo,
    merOrderNo: payout.merOrderNo,
    beneficiary: `${beneficiary.benFirstName} ${beneficiary.benLastName}`,
    amount: formatAmount(money.amount, money.currency),
    currency: money.currency,
    status: statuses[payout.state],
    message: payout.message,
    accountMasked: payout.accountMasked,
    kinds: kindsFor(money.currency),
    returnUrl: await signedReturn(deps, merchant, payout),
  }
}

async function signedReturn(
  { platformKey }: OpenPayoutPageDeps,
  merchant: Merchant,
  { returnUrl, tradeNo, merOrderNo, state }: FoundPayout,
): Promise<string> {
  if (returnUrl === '') return ''
  const payCode = state === 'succeeded' ? '0' : state === 'failed' ? '1' : '2'
  const fields = { tradeNo, merOrderNo, payCode }
  const sign = await signFields('return', fields, signerFor(merchant, platformKey))
  const url = new URL(returnUrl)
  for (const [name, value] of Object.entries({ ...fields, sign })) url.searchParams.set(name, value)
  return url.href
}
