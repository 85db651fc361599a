// Brand and issuing country of cards by their first digits. Networks assign BINs of six to eight digits, and move them: operators
// get a table from their acquirer and replace it.
import { readCsv } from './csv.ts'

export type Bin = {
  /** As in card-number.ts; undefined: the table does not say. */
  readonly brand: string | undefined
  /** Where the card was issued: two letters. */
  readonly country: string | undefined
}

export type BinTable = {
  /** The entry with the longest prefix of the card number, or of its first digits. */
  find(number: string): Bin | undefined
}

/** Without a table the first digits still tell the brand. */
export const noBins: BinTable = { find: () => undefined }

const LONGEST = 8
const SHORTEST = 6

export function createBinTable(bins: ReadonlyMap<string, Bin>): BinTable {
  return {
    find(number) {
      for (let length = LONGEST; length >= SHORTEST; length--) {
        const found = bins.get(number.slice(0, length))
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

/** Reads CSV with a header: bin, brand, country. Throws with the number of a wrong line. */
export async function readBinTable(pieces: AsyncIterable<string>): Promise<ReadonlyMap<string, Bin>> {
  const bins = new Map<string, Bin>()
  let isHeader = true
  for await (const { line, cells } of readCsv(pieces)) {
    if (isHeader) checkHeader(cells)
    else bins.set(...readBin(line, cells))
    isHeader = false
  }
  // An export that broke off, not a wish: without a table, TOLLGATE_BINS is not set.
  if (bins.size === 0) throw new Error('it is empty')
  return bins
}

function checkHeader(cells: readonly string[]): void {
  if (cells.join() !== 'bin,brand,country') throw new Error('its first line must be bin,brand,country')
}

function readBin(line: number, cells: readonly string[]): [string, Bin] {
  const [bin = '', brand = '', country = '', ...others] = cells
  const refuse = (what: string): never => {
    throw new Error(`line ${line}: ${what}`)
  }
  if (others.length > 0) refuse('there are more than three cells')
  if (!/^\d{6,8}$/.test(bin)) refuse('a BIN has six to eight digits')
  if (!/^([a-z][a-z-]{1,29})?$/.test(brand)) refuse('a brand is a word such as visa, or empty')
  if (!/^([A-Z]{2})?$/.test(country)) refuse('a country has two capital letters, or is empty')
  return [bin, { brand: brand || undefined, country: country || undefined }]
}
