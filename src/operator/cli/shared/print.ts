import { formatAmount, type Money } from '../../../platform/base/money.ts'

/** Pads the cells so that columns align. Without rows, returns `ifNone`. */
export function columns(rows: readonly (readonly string[])[], ifNone = ''): string {
  if (rows.length === 0) return ifNone
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length)
    })
  }
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

export function section(heading: string, rows: readonly (readonly string[])[]): string {
  const indented = rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest])
  return `${heading}\n${columns(indented, '  none')}`
}

export function sumOf({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}

/** The fields of money in a command's JSON. */
export function moneyFields({ amount, currency }: Money): { amount: string; currency: string } {
  return { amount: formatAmount(amount, currency), currency }
}

/** Replaces control characters: text from merchants and channels must not control the operator's terminal. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD')
}
