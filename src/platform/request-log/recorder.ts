// Collects requests in bounded memory and writes batches at most twice a second, so that no response waits for the log.
// Requests that do not fit or cannot be written are dropped and counted. A killed process loses its unwritten requests.
import { randomUUIDv7 } from 'node:crypto'
import { beginningOf } from '../base/card-number.ts'
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import { networkOf } from '../http/addresses.ts'
import { countEvents } from '../http/server/rate-limit.ts'
import type { Db } from '../postgres/db.ts'
import { openBlock } from './block.ts'
import { type RequestEntry, type RequestRow, SUCCESS } from './entry.ts'
import { isPayment } from './payments.ts'
import { insertRequests } from './sql.ts'

export type RequestLog = {
  /** False while the memory is full. In that case the caller need not prepare the body. */
  hasSpace(): boolean
  /** Counts a request without a valid signature. Returns true if the request should be logged. */
  takesUnsigned(address: string): boolean
  record(entry: RequestEntry): void
  /** Counts a request that is not logged because of overload. */
  skip(): void
  /** The number of requests that were not logged because of overload or a failure. */
  dropped(): number
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

/** The delay before a flush. Each flush has a fixed cost of about half a millisecond. */
const EVERY_MS = 500
const MOST_WAITING = 8_192
const UNSIGNED_PER_MINUTE = 60
const REASON_LENGTH = 500

/**
 * A request that waits to be written. The merchant of an unsigned request may not exist. The recorder looks for the
 * merchant before the write.
 */
type WaitingRow = RequestRow & { readonly isSigned: boolean }

export function openRequestLog(deps: RecorderDeps): RequestLog {
  const unsigned = countEvents(60_000, deps.clock)
  const block = openBlock()
  let waiting: WaitingRow[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** Schedules a write, unless a write is running. While the database is slow, requests wait in memory. */
  function writeSoon(): void {
    if (writing === undefined && waiting.length > 0) timer ??= setTimeout(start, EVERY_MS)
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    const taken = waiting
    waiting = []
    writing = write(deps, taken, block.pack())
      .catch((error: unknown) => {
        dropped += taken.length
        deps.log.warn({ err: error, requests: taken.length }, 'requests could not be logged')
      })
      .finally(() => {
        writing = undefined
        writeSoon()
      })
  }

  return {
    hasSpace: () => waiting.length < MOST_WAITING,
    takesUnsigned: (address) => unsigned.add(networkOf(address)) <= UNSIGNED_PER_MINUTE,
    record(entry) {
      if (!this.hasSpace() || !block.add(entry)) {
        dropped++
        return
      }
      waiting.push(rowOf(deps.vault, waiting.length, entry))
      writeSoon()
    },
    skip() {
      dropped++
    },
    dropped: () => dropped,
    async flush() {
      await writing
      if (waiting.length > 0) start()
      await writing
    },
    async close() {
      await this.flush()
      clearTimeout(timer)
    },
  }
}

async function write(deps: RecorderDeps, waiting: readonly WaitingRow[], packed: Buffer): Promise<void> {
  const { payments = [], others = [] } = Object.groupBy(waiting, (row) =>
    isPayment(row) ? 'payments' : 'others',
  )
  const rows: RequestRow[] = []
  for (const row of others) rows.push(row.isSigned ? row : { ...row, merNo: await ownerOf(deps, row) })
  await insertRequests(deps.db, { payments, others: rows }, { blockId: randomUUIDv7(), packed })
}

/** The merchant to which the request is logged, or 0 if the merchant does not exist. */
async function ownerOf({ findMerchant }: RecorderDeps, { merNo, code }: RequestRow): Promise<number> {
  if (merNo === 0 || code === '10004') return 0
  return (await findMerchant(merNo)) === undefined ? 0 : merNo
}

function rowOf(vault: Vault, place: number, entry: RequestEntry): WaitingRow {
  const { merNo, isSigned, requestId, endpoint, code, status, merOrderNo, tradeNo, sign } = entry
  const durationMs = Math.round(entry.ms)
  const sealedSign = sign === undefined ? undefined : vault.seal(sign, signContext(requestId))
  const listed = { merNo, requestId, endpoint, code, status, durationMs, merOrderNo, tradeNo }
  return { ...listed, isSigned, reason: reasonOf(entry), sealedSign, place }
}

function reasonOf({ code, message, note }: RequestEntry): string | undefined {
  const reason = note ?? (code === SUCCESS ? undefined : message)
  return reason && beginningOf(reason.replaceAll('\0', ''), REASON_LENGTH)
}

export function signContext(requestId: string): string {
  return `request:${requestId}:sign`
}
