import type { MoneyValue } from '../../parts/money.tsx'

/** The exact sum. Volumes are never negative, and all have the currency and the decimals of `like`. */
export function sumVolume(of: readonly MoneyValue[], like: MoneyValue): MoneyValue {
  const decimals = like.amount.split('.')[1]?.length ?? 0
  const sum = of.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n)
  const digits = String(sum).padStart(decimals + 1, '0')
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  return { amount: decimals === 0 ? whole : `${whole}.${rest}`, currency: like.currency }
}
