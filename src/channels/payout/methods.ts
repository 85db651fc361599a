// Payout kinds as methods of the channels file and of routes.
import { type AccountKind, accountKinds } from './contract.ts'

const names = {
  card: 'payout_card',
  bank_account: 'payout_bank',
  pix: 'payout_pix',
  per_transfer: 'payout_per',
  spei: 'payout_spei',
  coin: 'payout_coin',
} as const satisfies Record<AccountKind, string>

export type PayoutMethod = (typeof names)[AccountKind]

export function payoutMethodOf(kind: AccountKind): PayoutMethod {
  return names[kind]
}

const kinds: readonly AccountKind[] = [...accountKinds, 'coin']

export const payoutMethodNames: readonly PayoutMethod[] = kinds.map(payoutMethodOf)

export const payoutMethods: ReadonlyMap<string, AccountKind> = new Map(
  kinds.map((kind) => [names[kind], kind]),
)
