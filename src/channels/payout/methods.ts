// Payout kinds as methods of the channels file.
import type { AccountKind } from './contract.ts'

export const payoutMethods: ReadonlyMap<string, AccountKind> = new Map([
  ['payout_card', 'card'],
  ['payout_bank', 'bank_account'],
  ['payout_pix', 'pix'],
  ['payout_per', 'per_transfer'],
  ['payout_spei', 'spei'],
])
