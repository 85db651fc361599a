// Recognizes failures of the database server or of the connection, and records what they mean for stored data. `nothing
// stored` is recorded only if it is certain.
import pg from 'pg'

/** True if the connection or the server failed, and not the statement. A commit in progress may have succeeded. */
export function isConnectionError(error: unknown): boolean {
  // 25P03: a transaction was idle for too long.
  if (error instanceof pg.DatabaseError) return /^(08|53|57P|25P03)/.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  // Codes such as ERR_OUT_OF_RANGE are Node's own. They concern a value, and not the connection.
  if ('code' in error && typeof error.code === 'string') return /^E(?!RR_)/.test(error.code)
  return /^(Connection terminated|timeout exceeded|Client has encountered)/.test(error.message)
}

/** True if the server cannot be used now. 25006: it is read-only. 58030: it cannot read or write its files. */
export function isUnusable(error: unknown): boolean {
  return (
    isConnectionError(error) ||
    (error instanceof pg.DatabaseError && /^(25006|58030)$/.test(error.code ?? ''))
  )
}

/** The seconds after which a request that failed in an outage may be tried again. */
export const OUTAGE_SECONDS = 5

/** True if the disk of the server is full. */
export function hasNoSpace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '53100'
}

/**
 * `nothing stored`: the failure came before the commit, or the server rolled the transaction back. `unknown`: the
 * connection was lost after the commit was sent.
 */
export type Outage = 'nothing stored' | 'unknown'

/**
 * The outage of each error. The key is the error itself and not its code, because a call to a channel may fail with the
 * same code.
 */
const outages = new WeakMap<WeakKey, Outage>()

/** Returns the outage that caused this error. Undefined if the error has another cause. */
export function outageOf(error: unknown): Outage | undefined {
  return error instanceof Error ? outages.get(error) : undefined
}

/** Runs work that follows a commit. An outage then counts as `unknown`, because the commit has stored something. */
export async function afterCommit<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (outageOf(error) !== undefined) noteOutage(error, 'unknown')
    throw error
  }
}

/**
 * Records an outage. Only this file and `db.ts`, which knows how far a transaction has come, may call this function.
 */
export function noteOutage(error: unknown, outage: Outage): void {
  if (error instanceof Error) outages.set(error, outage)
}

export function noteFailure(error: unknown, isCommitSent: boolean): void {
  if (!isUnusable(error) || outageOf(error) !== undefined) return
  // An error of severity ERROR rolls the transaction back. After a worse error, such as a shutdown, the commit may have
  // succeeded.
  const isUndone = error instanceof pg.DatabaseError && error.severity === 'ERROR'
  noteOutage(error, isUndone || !isCommitSent ? 'nothing stored' : 'unknown')
}
