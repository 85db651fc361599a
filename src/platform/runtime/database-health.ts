// Watches whether this node can use the database. All callers share one probe. The failures of all workers and requests
// count as one outage, with a line in the log at its beginning and at its end.
//
// After a newer version has migrated the database, rows may have another meaning. This node must not touch them until
// it is restarted.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { firstOf, whyOf } from '../base/thrown.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { SCHEMA_CHANNEL, schemaDifference } from '../postgres/migrate.ts'
import { hasNoSpace } from '../postgres/outages.ts'
import { requireSpace, requireWrites } from './sql.ts'

export type DatabaseChecks = {
  readonly database: boolean
  readonly writes: boolean
  /** True if the database's schema is that of this program. */
  readonly schema: boolean
}

export type DatabaseHealth = {
  /** Returns the result of a probe that is at most a second old. If a probe takes too long, all checks are false. */
  check(): Promise<DatabaseChecks>
  isOutdated(): boolean
  close(): void
}

export type HealthDeps = {
  readonly db: Db
  readonly log: Logger
  /** Called when a newer version has migrated the database. */
  readonly outdated?: () => void
}

const PROBE_EVERY_MS = 1_000
const PROBE_WITHIN_MS = 2_000
/** The time without failures after which a successful probe ends an outage. */
const QUIET_MS = 3_000
/**
 * The interval of probes while the database works and nobody requests /readyz. These probes are needed because the
 * announcement of a schema change may get lost.
 */
const LOOK_EVERY_MS = 30_000

const NOTHING_WORKS: DatabaseChecks = { database: false, writes: false, schema: false }

export async function watchDatabase({ db, log, outdated = () => {} }: HealthDeps): Promise<DatabaseHealth> {
  let last = NOTHING_WORKS
  let lastAtMs = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined
  let outage: { readonly beganMs: number; failedMs: number } | undefined
  /** The time of the last failure for lack of space, until a probe has found space. */
  let fullAtMs: number | undefined
  let isOutdated = false

  function failed(error: unknown): void {
    const nowMs = performance.now()
    if (hasNoSpace(error)) fullAtMs = nowMs
    if (outage === undefined) {
      log.error({ why: whyOf(firstOf(error)) }, 'the database fails; requests that need it get 503')
      outage = { beganMs: nowMs, failedMs: nowMs }
    }
    outage.failedMs = nowMs
  }

  function endOutage(): void {
    const nowMs = performance.now()
    if (outage === undefined || nowMs - outage.failedMs < QUIET_MS) return
    log.info({ seconds: Math.round((nowMs - outage.beganMs) / 1000) }, 'the database works again')
    outage = undefined
  }

  async function probe(): Promise<void> {
    const writes = (await writeProblem(db)) === undefined && (await hasSpace())
    const difference = await schemaDifference(db).catch(() => undefined)
    if (difference !== undefined && difference.newer.length > 0) retire(difference.newer)
    const schema = difference?.newer.length === 0 && difference.pending.length === 0 && !isOutdated
    last = { database: difference !== undefined, writes, schema }
    lastAtMs = performance.now()
    if (writes) endOutage()
  }

  /**
   * True unless the disk is full. The usual probe succeeds on a full disk, so after a failure for lack of space another
   * probe must find space.
   */
  async function hasSpace(): Promise<boolean> {
    if (fullAtMs === undefined) return true
    const failedMs = fullAtMs
    if (performance.now() - failedMs < QUIET_MS || !(await findsSpace(db))) return false
    if (fullAtMs === failedMs) fullAtMs = undefined
    return fullAtMs === undefined
  }

  function retire(newer: readonly string[]): void {
    if (isOutdated) return
    isOutdated = true
    log.error({ newer }, 'a newer version has migrated the database: this node does no more work')
    outdated()
  }

  function probeOnce(): Promise<void> {
    probing ??= probe().finally(() => {
      probing = undefined
    })
    return probing
  }

  async function check(): Promise<DatabaseChecks> {
    const isFresh = () => performance.now() - lastAtMs < PROBE_EVERY_MS
    if (!isFresh()) await Promise.race([probeOnce(), sleep(PROBE_WITHIN_MS, undefined, { ref: false })])
    // The probe has timed out, perhaps because it waits for a connection. Requests would wait as well.
    if (!isFresh()) return NOTHING_WORKS
    return { ...last, writes: last.writes && fullAtMs === undefined }
  }

  const unwatch = db.onOutage(failed)
  const lookAgain = () => void probeOnce()
  await db.listen(SCHEMA_CHANNEL, lookAgain)
  const timer = setInterval(() => {
    const isDue = performance.now() - lastAtMs >= LOOK_EVERY_MS
    if (outage !== undefined || isDue) lookAgain()
  }, PROBE_EVERY_MS)
  timer.unref()
  return {
    check,
    isOutdated: () => isOutdated,
    close() {
      unwatch()
      clearInterval(timer)
    },
  }
}

/** Returns why the database refuses writes. Undefined if it accepts them. */
export async function writeProblem(db: Queryable): Promise<unknown> {
  try {
    await requireWrites(db)
    return undefined
  } catch (error) {
    return error
  }
}

/** False if the disk has no space. True if the probe fails for another reason, which says nothing about the disk. */
function findsSpace(db: Queryable): Promise<boolean> {
  return requireSpace(db).then(
    () => true,
    (error: unknown) => !hasNoSpace(error),
  )
}
