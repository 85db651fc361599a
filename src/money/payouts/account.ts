// Encrypts and decrypts a beneficiary's account. Account and identity numbers are stored encrypted, next to a masked
// account number that may be shown.
import type { Vault } from '../../platform/base/secret.ts'
import type { AccountKind, Beneficiary } from '../../rails/contract/payout-rail.ts'
import type { StoredAccount } from './payout.ts'

export type EnteredAccount = {
  readonly kind: AccountKind
  readonly account: string
  /** The identity numbers, which are encrypted with the account. */
  readonly personal: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>>
}

/** Encrypts an account. For a card, `account` is the rail's token, and `masked` is made from the card number. */
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

/** Decrypts an account and returns it in the format that rails take. */
export function openAccount(vault: Vault, tradeNo: string, stored: StoredAccount): Beneficiary {
  const { account, personal } = JSON.parse(vault.open(stored.sealed, contextOf(tradeNo)))
  return { account: String(account), details: { ...stored.beneficiary, ...personal } }
}

function contextOf(tradeNo: string): string {
  return `payout:${tradeNo}`
}

/**
 * Masks an account number. A card number keeps its first six and last four digits. Any other number keeps its last four
 * characters, but at most half of its characters. A blockchain address is not masked, because it is public, and because
 * attackers create addresses whose ends look like those of another address.
 */
export function maskAccount(kind: AccountKind, account: string): string {
  if (kind === 'coin') return account
  if (kind === 'card') return `${account.slice(0, 6)}…${account.slice(-4)}`
  return `…${account.slice(-Math.min(4, Math.floor(account.length / 2)))}`
}
