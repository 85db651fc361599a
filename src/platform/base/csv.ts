// A strict CSV reader and writer (RFC 4180): a cell is quoted entirely or not at all, quotes inside are doubled, and a
// record ends with LF or CRLF. For any other text the reader throws an error with the line number.

export class CsvError extends Error {
  override readonly name = 'CsvError'
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
  }
}

export type CsvRecord = {
  /** The line on which the record begins, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The maximum number of characters of a record, which bounds the memory that a malformed file can take. */
const MAX_RECORD = 10_000
/** Spreadsheets write a byte-order mark at the start of the file. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Yields the records of text that arrives in chunks of any size. Skips empty lines and a byte-order mark. */
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

/** Returns the index of the first line feed outside quotes, or -1 if the record is incomplete or too long. */
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
 * Matches each position at which a spreadsheet may see a cell that begins like a formula. In many countries Excel
 * splits lines at `;`, and quotes in the middle of a line then protect nothing. Therefore the text after a semicolon, a
 * tab or a line break inside a cell counts as the beginning of a cell.
 */
const formulaStart = /(^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠])/g
const numeric = /^-?\d+(\.\d+)?$/

/** Puts an apostrophe before each part that begins like a formula, so that no spreadsheet runs it. Skips numbers. */
function withoutFormulas(cell: string): string {
  return numeric.test(cell) ? cell : cell.replace(formulaStart, "$1'")
}

/** Returns one record with its line ending. */
export function writeCsv(cells: readonly string[]): string {
  const written = cells
    .map(withoutFormulas)
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${written.join(',')}\r\n`
}
