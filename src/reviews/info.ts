// The information that a merchant sends about payer and business is personal, so it is stored encrypted and bound to its order.
import { isObject } from '../base/object.ts'
import type { Vault } from '../base/secret.ts'
import type { Review } from './review.ts'

export type Info = Readonly<Record<string, string>>

function contextOf({ merNo, tradeNo }: Pick<Review, 'merNo' | 'tradeNo'>): string {
  return `review:${merNo}:${tradeNo}`
}

export function sealInfo(vault: Vault, review: Pick<Review, 'merNo' | 'tradeNo'>, info: Info): Buffer {
  return vault.seal(JSON.stringify(info), contextOf(review))
}

export function openInfo(vault: Vault, review: Pick<Review, 'merNo' | 'tradeNo' | 'sealed'>): Info {
  if (review.sealed === undefined) return {}
  const info: unknown = JSON.parse(vault.open(review.sealed, contextOf(review)))
  if (!isObject(info)) throw new Error('the information of a review must be an object')
  return Object.fromEntries(Object.entries(info).map(([type, text]) => [type, String(text)]))
}
