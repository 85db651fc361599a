// Stores the account that the beneficiary of a CheckOut payout enters. The account passes the same checks as an account
// that the merchant sends, and a card number is exchanged for a token before anything is stored. Only the first account
// is used.

import type { Refusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Banks, checkAccount } from '../../rails/toolkit/check-account.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type EnteredAccount, maskAccount, sealAccount } from './account.ts'
import { giveAccount, type PayoutDeps, tokeniseOrFail } from './make-payout.ts'
import type { FoundPayout } from './payout.ts'
import { isServed } from './prepare-payout.ts'

export type EnterDeps = PayoutDeps & {
  readonly db: Db
  readonly reference: Banks
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export type Entered = EnteredAccount & { readonly bankCode: string }

/**
 * The result of entering an account. `refusal` is the reason why the account was refused. `unreachable` means that no
 * rail can take the account now. An empty result means that the account was accepted or is no longer needed.
 */
export type EnterResult = { readonly refusal?: Refusal; readonly unreachable?: boolean }

export async function enterAccount(
  deps: EnterDeps,
  payout: FoundPayout,
  entered: Entered,
): Promise<EnterResult> {
  const refusal = checkAccount(deps.reference, entered)
  if (refusal !== undefined) return { refusal }
  const { kind, account } = entered
  const needs = { kinds: [kind], ...payout.money, hasExpiry: false }
  const merchant = await deps.findMerchant(payout.merNo)
  const rails = deps.payoutRouting.pick(needs, merchant?.routes)
  if (!isServed(rails)) return { unreachable: true }
  const complete = { ...entered, details: { ...payout.beneficiary, ...entered.details } }
  const seal = (safe: EnteredAccount) =>
    sealAccount(deps.vault, payout.tradeNo, safe, maskAccount(kind, account))
  if (kind !== 'card') {
    await giveAccount(deps, rails, payout, seal(complete))
    return {}
  }
  const { rail, tokenised } = await tokeniseOrFail(deps, rails, { number: account })
  if (tokenised.kind === 'failed') return { unreachable: true }
  await giveAccount(deps, [rail], payout, seal({ ...complete, account: tokenised.token }))
  return {}
}
