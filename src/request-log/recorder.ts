// Collects requests in memory and writes them with one statement twice a second, so that no response waits for the log.
// The log is the first to go when there is too much to do: what does not fit into its bounded memory, or cannot be written,
// is dropped and counted. A process that is killed loses the requests of the last moment.
import { randomUUIDv7 } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import { networkOf } from '../http/addresses.ts'
import { countEvents } from '../http/server/rate-limit.ts'
import type { Db } from '../postgres/db.ts'
import { packBodies } from './block.ts'
import { type RequestEntry, SUCCESS } from './entry.ts'
import { insertRequests, type RequestRow } from './sql.ts'

export type RequestLog = {
  /** Whether a request without a valid signature from this address is logged; counts it. */
  takesUnsigned(address: string): boolean
  record(entry: RequestEntry): void
  /** Counts a request that is not worth logging while there is too much to do. */
  skip(): void
  /** Requests that were not logged for lack of memory or because of a failure. */
  dropped(): number
  /** Writes what waits. */
  flush(): Promise<void>
  close(): Promise<void>
}

export type RecorderDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly log: { warn(details: object, message: string): void }
  findMerchant(merNo: number): Promise<unknown>
}

/** A flush has a fixed cost of about half a millisecond. */
const EVERY_MS = 500
const MOST_ROWS = 1_000
const MOST_WAITING = 8_192
/** Characters of bodies and responses. */
const MOST_CHARACTERS = 16 * 1024 * 1024
const UNSIGNED_PER_MINUTE = 60
const REASON_LENGTH = 500

export function openRequestLog(deps: RecorderDeps): RequestLog {
  const unsigned = countEvents(60_000, deps.clock)
  let waiting: RequestEntry[] = []
  let characters = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function start(): void {
    timer = undefined
    const taken = waiting
    waiting = []
    characters = 0
    writing = writing.then(() => writeAll(taken))
  }

  async function writeAll(taken: readonly RequestEntry[]): Promise<void> {
    for (let at = 0; at < taken.length; at += MOST_ROWS) {
      const entries = taken.slice(at, at + MOST_ROWS)
      await write(deps, entries).catch((error: unknown) => {
        dropped += entries.length
        deps.log.warn({ err: error, requests: entries.length }, 'requests could not be logged')
      })
    }
  }

  return {
    takesUnsigned: (address) => unsigned.add(networkOf(address)) <= UNSIGNED_PER_MINUTE,
    record(entry) {
      const size = (entry.body?.length ?? 0) + entry.answer.length
      if (waiting.length >= MOST_WAITING || characters + size > MOST_CHARACTERS) {
        dropped++
        return
      }
      waiting.push(entry)
      characters += size
      timer ??= setTimeout(start, EVERY_MS)
    },
    skip() {
      dropped++
    },
    dropped: () => dropped,
    async flush() {
      clearTimeout(timer)
      start()
      await writing
    },
    async close() {
      await this.flush()
    },
  }
}

async function write(deps: RecorderDeps, entries: readonly RequestEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows: RequestRow[] = []
  for (const [place, entry] of entries.entries()) {
    const merNo = entry.isSigned ? entry.merNo : await ownerOf(deps, entry)
    rows.push(rowOf(deps.vault, merNo, place, entry))
  }
  await insertRequests(deps.db, rows, { blockId: randomUUIDv7(), packed: packBodies(entries) })
}

/** A request without a valid signature is in the log of the merchant that it names, if there is such a merchant. */
async function ownerOf({ findMerchant }: RecorderDeps, { merNo, code }: RequestEntry): Promise<number> {
  if (merNo === 0 || code === '10004') return 0
  return (await findMerchant(merNo)) === undefined ? 0 : merNo
}

function rowOf(vault: Vault, merNo: number, place: number, entry: RequestEntry): RequestRow {
  const { requestId, endpoint, code, status, sign } = entry
  return {
    merNo,
    requestId,
    endpoint,
    code,
    status,
    durationMs: Math.round(entry.ms),
    merOrderNo: entry.merOrderNo,
    tradeNo: entry.tradeNo,
    reason: reasonOf(entry)?.slice(0, REASON_LENGTH).replaceAll('\0', ''),
    sealedSign: sign === undefined ? undefined : vault.seal(sign, signContext(requestId)),
    place,
  }
}

function reasonOf({ code, message, note }: RequestEntry): string | undefined {
  return note ?? (code === SUCCESS ? undefined : message)
}

export function signContext(requestId: string): string {
  return `request:${requestId}:sign`
}
