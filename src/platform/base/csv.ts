// A strict CSV reader and writer (RFC 4180): a cell is quoted entirely or not at all, quotes inside are doubled, a record
// ends with LF or CRLF. Anything else throws an error with its line number: the reader never guesses.

export class CsvError extends Error {
  override readonly name = 'CsvError'
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
  }
}

export type CsvRecord = {
  /** The line on which it begins, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Maximum characters of a record: bounds the memory that a malformed file can take. */
const MAX_RECORD = 10_000
/** Spreadsheets write one at the start of the file. */
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

/** Index of the first line feed outside quotes; -1 when the record is incomplete. */
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

/** A cell that a spreadsheet shows as text. Without the apostrophe it would run a text that begins like a formula. */
export function textCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}

/** One record, with its line ending. */
export function writeCsv(cells: readonly string[]): string {
  const written = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${written.join(',')}\r\n`
}
