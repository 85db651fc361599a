// A beneficiary's account as it is stored: a masked number to show, and the rest encrypted.
import type { Vault } from '../base/secret.ts'
import type { AccountKind, Beneficiary } from '../channels/payout/contract.ts'
import type { StoredAccount } from './payout.ts'

export type EnteredAccount = {
  readonly kind: AccountKind
  readonly account: string
  /** Identity numbers, encrypted with the account. */
  readonly personal: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>>
}

/** For a card, `account` is the rail's token and `masked` comes from the card number. */
export function sealAccount(
  vault: Vault,
  tradeNo: string,
  entered: EnteredAccount,
  masked = maskAccount(entered.kind, entered.account),
): StoredAccount {
  const { kind, account, personal, details } = entered
  const sealed = vault.seal(JSON.stringify({ account, personal }), contextOf(tradeNo))
  return { kind, masked, sealed, beneficiary: details }
}

/** In the form that the rail expects. */
export function openAccount(vault: Vault, tradeNo: string, stored: StoredAccount): Beneficiary {
  const { account, personal } = JSON.parse(vault.open(stored.sealed, contextOf(tradeNo)))
  return { account: String(account), details: { ...stored.beneficiary, ...personal } }
}

function contextOf(tradeNo: string): string {
  return `payout:${tradeNo}`
}

/**
 * First six and last four digits of a card, otherwise only the end; at least half of a short number stays hidden. An address of
 * a chain is public and shown in full: thieves make addresses whose ends look alike.
 */
export function maskAccount(kind: AccountKind, account: string): string {
  if (kind === 'coin') return account
  if (kind === 'card') return `${account.slice(0, 6)}…${account.slice(-4)}`
  return `…${account.slice(-Math.min(4, Math.floor(account.length / 2)))}`
}
