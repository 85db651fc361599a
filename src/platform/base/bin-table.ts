// Finds a card's brand and issuing country by its first digits (BIN). Card networks assign BINs of six to eight digits
// and reassign them, so operators get the table from their acquirer, and sometimes replace it.
import { readCsv } from './csv.ts'

export type Bin = {
  /** The brand as `brandOf` in card-number.ts names it. Undefined if the table names none. */
  readonly brand: string | undefined
  /** The issuing country as a two-letter code. */
  readonly country: string | undefined
}

export type BinTable = {
  /** Returns the entry with the longest prefix that matches. `number` is a card number, or the first digits of one. */
  find(number: string): Bin | undefined
}

/** The empty table, for an installation without a BIN file. `brandOf` still finds the brand. */
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

/** Reads a table with the columns bin, brand and country. The error for a malformed row contains its line number. */
export async function readBinTable(pieces: AsyncIterable<string>): Promise<ReadonlyMap<string, Bin>> {
  const bins = new Map<string, Bin>()
  let isHeader = true
  for await (const { line, cells } of readCsv(pieces)) {
    if (isHeader) checkHeader(cells)
    else bins.set(...readBin(line, cells))
    isHeader = false
  }
  // An empty file is likely a failed export. An operator who wants no table leaves TOLLGATE_BINS unset.
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
