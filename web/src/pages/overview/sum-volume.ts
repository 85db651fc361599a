import type { MoneyValue } from '../../parts/money.tsx'

/** Exact. Volumes are never negative, and those of one currency have the same decimals; `like` has them, too. */
export function sumVolume(of: readonly MoneyValue[], like: MoneyValue): MoneyValue {
  const decimals = like.amount.split('.')[1]?.length ?? 0
  const sum = of.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n)
  const digits = String(sum).padStart(decimals + 1, '0')
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  return { amount: decimals === 0 ? whole : `${whole}.${rest}`, currency: like.currency }
}
