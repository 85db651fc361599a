// Comma-separated values after RFC 4180, read strictly: a cell is quoted whole or not at all, quotes in it are doubled, a
// record ends with LF or CRLF. Whatever else is a mistake of the file, and is told with its line instead of guessed at.

export class CsvError extends Error {
  override readonly name = 'CsvError'
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
  }
}

export type CsvRecord = {
  /** The line that it begins on; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** No record is held beyond this many characters. */
const MAX_RECORD = 10_000
/** Spreadsheets put one before the first cell, quoted or not. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Records in order, from text that comes in pieces of any size. An empty line is no record, nor is a byte-order mark. */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let [held, line, isStart] = ['', 1, true]
  for await (const piece of pieces) {
    held += isStart && piece.startsWith(BYTE_ORDER_MARK) ? piece.slice(1) : piece
    isStart &&= piece === ''
    for (let end = recordEnd(held); end >= 0; end = recordEnd(held)) {
      const text = held.slice(0, end)
      held = held.slice(end + 1)
      const record = toRecord(text.endsWith('\r') ? text.slice(0, -1) : text, line)
      line += text.split('\n').length
      if (record !== undefined) yield record
    }
    if (held.length > MAX_RECORD) throw new CsvError(line, `a record is longer than ${MAX_RECORD} characters`)
  }
  const last = toRecord(held, line)
  if (last !== undefined) yield last
}

/** The first line feed that does not stand in quotes; -1 when the record goes on. */
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
    if (!rest.startsWith(',')) throw new CsvError(line, `cell ${cells.length} is not quoted as a whole`)
    rest = rest.slice(1)
  }
}

/** One record with its line end. */
export function writeCsv(cells: readonly string[]): string {
  const written = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${written.join(',')}\r\n`
}
