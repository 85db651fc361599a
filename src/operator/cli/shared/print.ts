/** Pads the cells so that columns align. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length)
    })
  }
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** Returns a heading above its indented rows. */
export function section(heading: string, rows: readonly (readonly string[])[], ifNone = 'none'): string {
  const body =
    rows.length === 0 ? `  ${ifNone}` : columns(rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]))
  return `${heading}\n${body}`
}

/** Replaces control characters: text from merchants and channels must not control the operator's terminal. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD')
}
