// A strict reader and writer of CSV (RFC 4180). A cell is quoted entirely or not at all. Quotes inside a cell are
// doubled. A record ends with LF, CRLF or the end of the text. The reader skips empty lines, and refuses any other text
// and records that are too long. The writer puts an apostrophe before possible formulas.

export class CsvError extends Error {
  override readonly name = 'CsvError'
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
  }
}

export type CsvRecord = {
  /** The line, from 1, on which the record begins. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The maximum number of characters of a record: a malformed file must not fill the memory. */
const MAX_RECORD = 10_000
/** The mark that spreadsheets write at the start of a file. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Reads the records of a text that arrives in pieces of any size. Skips empty lines. */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let [buffer, line, isStart] = ['', 1, true]
  for await (const piece of pieces) {
    buffer += isStart && piece.startsWith(BYTE_ORDER_MARK) ? piece.slice(1) : piece
    isStart &&= piece === ''
    for (let end = recordEnd(buffer); end >= 0; end = recordEnd(buffer)) {
      const text = buffer.slice(0, end)
      buffer = buffer.slice(end + 1)
      const record = toRecord(text.endsWith('\r') ? text.slice(0, -1) : text, line)
      line += text.split('\n').length
      if (record !== undefined) yield record
    }
    if (buffer.length > MAX_RECORD)
      throw new CsvError(line, `a record is longer than ${MAX_RECORD} characters`)
  }
  const last = toRecord(buffer, line)
  if (last !== undefined) yield last
}

/** Returns the position of the first line feed outside quotes, or -1 if the record is incomplete or too long. */
function recordEnd(text: string): number {
  let quoted = false
  for (let at = 0; at < text.length && at <= MAX_RECORD; at++) {
    if (text[at] === '"') quoted = !quoted
    else if (text[at] === '\n' && !quoted) return at
  }
  return -1
}

function toRecord(text: string, line: number): CsvRecord | undefined {
  if (text === '') return undefined
  const cells: string[] = []
  let rest = text
  for (;;) {
    const [whole = '', quoted, bare = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? []
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    rest = rest.slice(whole.length)
    if (rest === '') return { line, cells }
    if (!rest.startsWith(',')) throw new CsvError(line, `cell ${cells.length} is only partly quoted`)
    rest = rest.slice(1)
  }
}

/**
 * The positions at which a spreadsheet may see a formula: at the start of a cell, or after a semicolon, tab or line
 * break in a cell. In many countries Excel splits lines at `;`, and reads quotes in the middle of a line as text.
 */
const formulaStart = /(^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠])/g
const numeric = /^-?\d+(\.\d+)?$/

/** Puts an apostrophe before each possible formula, so that no spreadsheet runs it. */
function withoutFormulas(cell: string): string {
  return numeric.test(cell) ? cell : cell.replace(formulaStart, "$1'")
}

export function writeCsv(cells: readonly string[]): string {
  const written = cells
    .map(withoutFormulas)
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${written.join(',')}\r\n`
}
