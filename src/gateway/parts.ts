// The dependencies of handlers, pages and workers: created once and passed to each of them.
import type { Logger } from 'pino'
import { startAudit } from '../audit/worker.ts'
import { startBulkRefunds } from '../backoffice/bulk-refunds/worker.ts'
import { startExports } from '../backoffice/exports/worker.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { openVault } from '../base/secret.ts'
import { alarmsOf } from '../channels/alarms.ts'
import { certificateWarnings } from '../channels/client-certificate.ts'
import type { Channel } from '../channels/contract.ts'
import { type ChannelHealth, type HealthOutcome, kindOf, openHealth } from '../channels/health.ts'
import { checkNumberOwners } from '../channels/number-owners.ts'
import { openStore } from '../channels/open-store.ts'
import { openPauses } from '../channels/pauses.ts'
import { createPayoutRouting } from '../channels/payout/payout-routing.ts'
import { createRouting } from '../channels/routing.ts'
import { ignoredSettings } from '../channels/setting-names.ts'
import type { ChannelSettings, ChannelTools } from '../channels/settings.ts'
import { linkLimits } from '../checkout/links/link-limits.ts'
import { FAIR_UP_TO, Gate, MOST_WORKING } from '../concurrency/gate.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { Config } from '../config.ts'
import { openConnections } from '../connections/connections.ts'
import { readEntries } from '../connections/counterparties.ts'
import { watchChannelsFile } from '../connections/watch-file.ts'
import { makeDemo } from '../demo/create-demo.ts'
import { openTransport } from '../mail/transport.ts'
import { openMerchantCache } from '../merchants/merchant-cache.ts'
import { openPlatformKey } from '../merchants/platform-key.ts'
import { openSender } from '../notifications/open-sender.ts'
import { startWatchdog } from '../notifications/watchdog.ts'
import { startDelivery } from '../notifications/worker.ts'
import { findAccount } from '../order-queries/find-account.ts'
import type { FoundPayment } from '../order-queries/find-payment.ts'
import { isPaid } from '../orders/open-attempts.ts'
import { createLinks } from '../orders/page-link.ts'
import { openPlatformLimits } from '../orders/platform-limits.ts'
import { openBatches } from '../payments/batches.ts'
import { createForbidCard } from '../payments/forbid-card.ts'
import { createUseToken } from '../payments/use-token.ts'
import { openPayoutBatches } from '../payouts/batches.ts'
import type { Db } from '../postgres/db.ts'
import { openRates, type Rates } from '../rates/rates.ts'
import { openReference, type Reference } from '../reference/reference.ts'
import { openRefundBatches } from '../refunds/batches.ts'
import { startRefundWorker } from '../refunds/worker.ts'
import { openRequestLog, type RequestLog } from '../request-log/recorder.ts'
import { openRisk } from '../risk/risk.ts'
import { openBins } from '../runtime/bins-file.ts'
import { type CallKind, createMetrics, type Metrics } from '../runtime/metrics.ts'

export type GatewayDeps = {
  readonly config: Config
  readonly db: Db
  readonly log: Logger
  readonly clock?: Clock
  readonly maxUnderWay?: number
  /** Replaces the channels of the settings, for programs that create their own. */
  readonly channels?: readonly Channel[]
  /** Stands between the gateway and its request log, for the benchmark that switches it. */
  readonly wrapRequestLog?: (log: RequestLog) => RequestLog
}

/** Requests that change something, between signature and response. Merchants with few of them may exceed it (Gate). */
const MAX_UNDER_WAY = 4_096
/** They wait for a connection to the database, each for a millisecond or so. */
const MAX_QUERIES = 1_024

export type Parts = Awaited<ReturnType<typeof openParts>>

function requestLogOf(
  { config, wrapRequestLog = (log) => log }: GatewayDeps,
  open: () => RequestLog,
): RequestLog | undefined {
  return config.requestLogDays === 0 || config.role === 'worker' ? undefined : wrapRequestLog(open())
}

/** The dependencies of handlers, pages and workers. */
export async function openParts(deps: GatewayDeps) {
  const { config, db, log, clock = systemClock, maxUnderWay = MAX_UNDER_WAY } = deps
  const vault = openVault(config.masterKey)
  const platformKey = await openPlatformKey(db, vault, clock.now())
  const wantsDemo = config.mode === 'sandbox' && config.role !== 'worker'
  const madeDemo = wantsDemo && (await makeDemo({ db, vault, config, clock, log }))
  const metrics = createMetrics()
  const merchants = await openMerchantCache({ db, vault, clock, log })
  const rates = await openRates({ db, clock, log })
  const reference = await openReference({ db, log })
  const alarm = (tradeNo: string, what: string) => {
    metrics.alarm()
    log.error({ tradeNo, what }, 'an operator must check an outcome')
  }
  const tools = { ...toolsOf(deps, reference, rates), alarm }
  const pauses = await openPauses({ db, log })
  const entries = deps.channels === undefined ? await readEntries(config) : []
  const checkEntries = async (read: readonly ChannelSettings[]) => {
    await checkNumberOwners({ db, clock, accountOf: (reference) => findAccount(db, reference) }, read)
  }
  const warnOf = (read: readonly ChannelSettings[]) => {
    for (const what of ignoredSettings(read)) log.warn({ what }, 'a setting of a channel has no effect')
    for (const what of certificateWarnings(read, clock.now()))
      log.warn({ what }, 'a certificate of a channel must be replaced')
  }
  await checkEntries(entries)
  const connections = openConnections(entries, {
    tools,
    ...(deps.channels && { own: deps.channels }),
  })
  warnOf(entries)
  const { channels, rails } = connections
  const channelsFile =
    config.channelsFile === undefined || deps.channels !== undefined
      ? undefined
      : watchChannelsFile({ config, connections, checkEntries, replaced: warnOf, log })
  const channelHealth = openHealth({ db, clock, log })
  const { isPaused } = pauses
  const countPayment = counting(channelHealth, metrics, 'payment')
  const findMerchant = merchants.find
  const maxQueue = FAIR_UP_TO * maxUnderWay
  // Whatever may fail comes before the workers: they would use a database that is closed.
  const risk = await openRisk({ db, clock, log, maxQueue })
  const bins = await openBins({ file: config.binsFile, log })
  const delivery =
    config.role === 'api'
      ? undefined
      : startDelivery({
          db,
          clock,
          log,
          findMerchant,
          platformKey: platformKey.privateKey,
          sender: openSender(config),
          minuteMs: config.minuteMs,
          observe: metrics.delivery,
        })
  const requestLog = requestLogOf(deps, () => openRequestLog({ db, vault, clock, log, findMerchant }))
  const gate = new Gate({ most: maxUnderWay, mostWorking: MOST_WORKING, refused: metrics.refused })
  const batches = openBatches({ db, rates, delivery }, maxQueue, metrics.batch)
  const refundBatches = openRefundBatches({ db, rates }, maxQueue, metrics.batch)
  const refundDeps = { db, clock, log, channels, refundBatches, alarm }
  const refundWorker = config.role === 'api' ? undefined : startRefundWorker(refundDeps)
  const jobs = {
    db,
    vault,
    clock,
    log,
    channels,
    refundBatches,
    findMerchant,
    poke: () => refundWorker?.poke(),
  }
  const audit = config.role === 'api' ? undefined : startAudit({ db, clock, log, alarm: metrics.alarm })
  return {
    config,
    db,
    log,
    clock,
    vault,
    platformKey,
    madeDemo,
    metrics,
    merchants,
    findMerchant,
    rates,
    reference,
    bins,
    channels,
    pauses,
    channelHealth,
    routing: createRouting({
      channels,
      clock,
      log,
      isPaused,
      count: (channel, outcome, ms) => countPayment(channel, kindOf(outcome), ms),
    }),
    payoutRouting: createPayoutRouting({
      rails,
      clock,
      log,
      isPaused,
      count: counting(channelHealth, metrics, 'payout'),
    }),
    baseUrl: config.baseUrl,
    mail: openTransport(config, config.mode),
    delivery,
    pokeDelivery: () => delivery?.poke(),
    watchdog: startWatchdog({ db, clock, log }),
    refundBatches,
    refundWorker,
    exportWorker: config.role === 'api' ? undefined : startExports(jobs),
    bulkRefundWorker: config.role === 'api' ? undefined : startBulkRefunds(jobs),
    batches,
    risk,
    gate,
    queryGate: new Gate({ most: MAX_QUERIES, refused: metrics.refused }),
    payerCalls: createSingleFlight<FoundPayment | undefined>(),
    links: createLinks(vault, config.baseUrl),
    linkLimits: linkLimits(config.mode, clock),
    payoutLinks: createLinks(vault, config.baseUrl, 'payout'),
    receiptLinks: createLinks(vault, config.baseUrl, 'receipt'),
    payoutBatches: openPayoutBatches({ db, rates }, () => delivery?.poke()),
    connections,
    channelsFile,
    rails,
    platformLimits: openPlatformLimits(db, clock),
    alarm,
    alarmsOf: (channel: string) => alarmsOf(channel, tools),
    forbidCard: createForbidCard({ db, clock, log }),
    audit,
    requestLog,
  }
}

function toolsOf(
  { config, db, log, clock = systemClock }: GatewayDeps,
  reference: Reference,
  rates: Rates,
): Omit<ChannelTools, 'alarm'> {
  return {
    clock,
    timeoutMs: config.channelTimeoutMs,
    isLive: config.mode === 'live',
    useToken: createUseToken({ db, clock }),
    isPaid: (attempt) => isPaid(db, attempt),
    reference,
    rateOf: rates.find,
    log,
    storeOf: (channel, numbered) => openStore({ db, clock }, channel, numbered),
    callbackUrlOf: (channel) => `${config.baseUrl}/callbacks/${channel}`,
  }
}

/** Counts how channels answer, for the database and for Prometheus. */
function counting({ count }: ChannelHealth, { channel: observe }: Metrics, kind: CallKind) {
  return (channel: string, outcome: HealthOutcome, ms: number) => {
    count(channel, outcome, ms)
    observe(channel, kind, outcome, ms / 1000)
  }
}
