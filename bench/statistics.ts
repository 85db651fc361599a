// Quantiles, medians and ratios.

/** The quantile of values in ascending order; NaN if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}

/** Returns null if a side was not measured or the divisor is 0. */
export function ratio(value: number | null, to: number | null): number | null {
  return value === null || to === null || to === 0 ? null : round(value / to, 2)
}

export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}
