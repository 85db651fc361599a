// Opens the parts on which other parts are built: the vault, metrics, gates, mail, the reference lists and the request
// log.
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../platform/base/clock.ts'
import { openVault } from '../platform/base/secret.ts'
import { FAIR_UP_TO, Gate, MOST_WORKING } from '../platform/concurrency/gate.ts'
import type { Config } from '../platform/config/config.ts'
import { openTransport } from '../platform/mail/transport.ts'
import type { Db } from '../platform/postgres/db.ts'
import { openReference } from '../platform/reference/reference.ts'
import { openRequestLog, type RecorderDeps, type RequestLog } from '../platform/request-log/recorder.ts'
import { createMetrics } from '../platform/runtime/metrics.ts'
import type { Channel } from '../rails/contract/channel.ts'

export type GatewayDeps = {
  readonly config: Config
  readonly db: Db
  readonly log: Logger
  readonly clock?: Clock
  readonly maxUnderWay?: number
  /** Channels that replace those of the settings. */
  readonly channels?: readonly Channel[]
  /** Wraps the request log, for the benchmark that turns logging on and off. */
  readonly wrapRequestLog?: (log: RequestLog) => RequestLog
}

export type OpenPlatform = Awaited<ReturnType<typeof openPlatform>>

/**
 * The maximum number of changing requests in progress. Merchants with few requests may exceed this maximum (see
 * gate.ts).
 */
const MAX_UNDER_WAY = 4_096
/** The maximum number of queries in progress. A query uses a database connection for about a millisecond. */
const MAX_QUERIES = 1_024

export async function openPlatform(deps: GatewayDeps) {
  const { config, db, log, clock = systemClock, maxUnderWay = MAX_UNDER_WAY } = deps
  const metrics = createMetrics()
  return {
    config,
    baseUrl: config.baseUrl,
    db,
    log,
    clock,
    vault: openVault(config.masterKey),
    metrics,
    reference: await openReference({ db, log }),
    maxQueue: FAIR_UP_TO * maxUnderWay,
    gate: new Gate({ most: maxUnderWay, mostWorking: MOST_WORKING, refused: metrics.refused }),
    queryGate: new Gate({ most: MAX_QUERIES, refused: metrics.refused }),
    mail: openTransport(config, config.mode),
    alarm(tradeNo: string, what: string) {
      metrics.alarm()
      log.error({ tradeNo, what }, 'an operator must check an outcome')
    },
  }
}

/** Opens the request log. Undefined if the settings turn the log off, or if the process serves no merchants. */
export function requestLogOf(
  { config, db, vault, clock, log }: OpenPlatform,
  { wrapRequestLog = (log) => log }: Pick<GatewayDeps, 'wrapRequestLog'>,
  findMerchant: RecorderDeps['findMerchant'],
): RequestLog | undefined {
  if (config.requestLogDays === 0 || config.role === 'worker') return undefined
  return wrapRequestLog(openRequestLog({ db, vault, clock, log, findMerchant }))
}
