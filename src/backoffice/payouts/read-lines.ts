// Lines of payouts from a form or from a CSV file whose columns are the fields of `/payout`.
import { CsvError, readCsv } from '../../base/csv.ts'
import { Problem } from '../problem.ts'

export type Line = { readonly no: number; readonly fields: Readonly<Record<string, string>> }

const MOST_LINES = 1_000

export async function readLines(entered: {
  readonly lines?: readonly Readonly<Record<string, string>>[]
  readonly csv?: string
}): Promise<Line[]> {
  const lines =
    entered.csv === undefined
      ? (entered.lines ?? []).map((fields, at) => ({ no: at + 1, fields }))
      : await fromCsv(entered.csv)
  if (lines.length === 0) throw new Problem('invalid', 'There is no payout in it.', { csv: 'Add a payout.' })
  return lines
}

async function fromCsv(text: string): Promise<Line[]> {
  try {
    return await parse(text)
  } catch (error) {
    if (error instanceof CsvError) throw broken(error.message)
    throw error
  }
}

async function parse(text: string): Promise<Line[]> {
  let names: readonly string[] | undefined
  const lines: Line[] = []
  for await (const { line, cells } of readCsv(piecesOf(text))) {
    if (names === undefined) names = readHead(cells)
    else if (cells.length !== names.length)
      throw new CsvError(line, `it has ${cells.length} cells, the first line has ${names.length}`)
    else lines.push({ no: line, fields: fieldsOf(names, cells) })
    if (lines.length > MOST_LINES) throw broken(`a file has at most ${MOST_LINES} payouts: divide it`)
  }
  return lines
}

function readHead(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  if (!names.includes('sourceAmount') || !names.includes('currencyCode'))
    throw broken('the first line names the columns, among them currencyCode and sourceAmount')
  return names
}

function fieldsOf(names: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, at) => [name, (cells[at] ?? '').trim()]))
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text
}

function broken(why: string): Problem {
  return new Problem('invalid', `The file cannot be read: ${why}.`, { csv: { domain: why } })
}
