// The beneficiary of a CheckOut payout enters an account. It is checked as if the merchant had sent it; a card becomes a token
// before anything is stored. Only the first account counts.

import { type Banks, checkAccount } from '../channels/payout/check-account.ts'
import type { AccountKind, PayoutRail } from '../channels/payout/contract.ts'
import type { PayoutRails } from '../channels/payout/registry.ts'
import type { Refusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { type EnteredAccount, maskAccount, sealAccount } from './account.ts'
import type { FoundPayout } from './found-payout.ts'
import { giveAccount, type PayoutDeps, tokeniseOrFail } from './make-payout.ts'

export type EnterDeps = PayoutDeps & {
  readonly db: Db
  readonly rails: PayoutRails
  readonly reference: Banks
}

export type Entered = EnteredAccount & { readonly bankCode: string }

/** Why the account was refused; undefined when it was accepted or is no longer needed. */
export type EnterResult = { readonly refusal?: Refusal; readonly unreachable?: boolean }

export async function enterAccount(
  deps: EnterDeps,
  payout: FoundPayout,
  entered: Entered,
): Promise<EnterResult> {
  const refusal = checkAccount(deps.reference, entered)
  if (refusal !== undefined) return { refusal }
  const { kind, account } = entered
  const rail = railFor(deps, payout, kind)
  if (rail === undefined) return { unreachable: true }
  const complete = { ...entered, details: { ...payout.beneficiary, ...entered.details } }
  const masked = maskAccount(kind, account)
  const tokenised =
    kind === 'card' ? await tokeniseOrFail(rail, account) : ({ kind: 'token', token: account } as const)
  if (tokenised.kind === 'failed') return { unreachable: true }
  const safe = { ...complete, account: tokenised.token }
  await giveAccount(deps, rail, payout, sealAccount(deps.vault, payout.tradeNo, safe, masked))
  return {}
}

/** The payout's rail if it can pay to such an account, else one that can. */
function railFor({ rails }: EnterDeps, payout: FoundPayout, kind: AccountKind): PayoutRail | undefined {
  const own = rails.named(payout.rail)
  return own?.kinds.includes(kind) === true ? own : rails.pick(kind, payout.money.currency)
}
