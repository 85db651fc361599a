// Reads the table of BINs from the file of TOLLGATE_BINS. A changed file is read again once two consecutive checks find
// the same version of the file. A wrong file never replaces a table that works.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type BinTable, createBinTable, noBins, readBinTable } from '../base/bin-table.ts'
import { repeat } from '../concurrency/repeat.ts'
import { SettingError } from '../errors/catalogue.ts'

export type BinsOptions = {
  readonly file: string | undefined
  readonly log: Logger
  readonly everyMs?: number
}

/**
 * The interval of checks. A changed file takes effect at the second check after the change, so within half a minute.
 */
const EVERY_MS = 15_000

export type OpenBins = BinTable & { close(): Promise<void> }

/**
 * Reads the table once. Throws a SettingError if the file cannot be read or is malformed. Without a file the table is
 * empty.
 */
export async function readBins(file: string | undefined): Promise<BinTable> {
  return file === undefined ? noBins : read(file)
}

/**
 * Reads the table, now and after each change of the file. Throws a SettingError if the file cannot be read now or is
 * malformed.
 */
export async function openBins({ file, log, everyMs = EVERY_MS }: BinsOptions): Promise<OpenBins> {
  if (file === undefined) return { ...noBins, close: async () => {} }
  let used = await mark(file)
  let seen = used
  let table = await read(file)
  const watching = repeat({
    everyMs,
    async work() {
      const now = await mark(file)
      const isSettled = now === seen
      seen = now
      if (!isSettled || now === used) return
      used = now
      table = await read(file)
      log.info('the table of BINs has changed')
    },
    failed: (err) => log.error({ why: String(err) }, 'the table of BINs is wrong; the old one stays in use'),
  })
  return { find: (number) => table.find(number), close: () => watching.stop() }
}

/**
 * A text that changes with the file. The modification time alone may stay the same when a file is replaced or becomes
 * readable.
 */
async function mark(file: string): Promise<string> {
  const { ino, ctimeMs, size } = await stat(file).catch(refuse)
  return `${ino} ${ctimeMs} ${size}`
}

async function read(file: string): Promise<BinTable> {
  return createBinTable(await readBinTable(createReadStream(file, 'utf8')).catch(refuse))
}

function refuse(error: unknown): never {
  throw new SettingError(`TOLLGATE_BINS cannot be used: ${error instanceof Error ? error.message : error}`)
}
