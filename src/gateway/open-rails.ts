// Opens the connections to counterparties, and the routing among them.
import { findAccount } from '../money/order-queries/find-attempts.ts'
import { isPaid } from '../money/orders/open-attempts.ts'
import { createUseToken } from '../money/payments/use-token.ts'
import type { CallKind, Metrics } from '../platform/runtime/metrics.ts'
import { readEntries } from '../rails/connections/channel-settings.ts'
import { openConnections } from '../rails/connections/connections.ts'
import type { ChannelSettings, ChannelTools } from '../rails/contract/settings.ts'
import { type ChannelHealth, type HealthOutcome, kindOf, openHealth } from '../rails/routing/health.ts'
import { openPauses } from '../rails/routing/pauses.ts'
import { createPayoutRouting } from '../rails/routing/payout-routing.ts'
import { createRouting } from '../rails/routing/routing.ts'
import { alarmsOf } from '../rails/toolkit/alarms.ts'
import { checkNumberOwners } from '../rails/toolkit/records/number-owners.ts'
import { openStore } from '../rails/toolkit/records/store.ts'
import { certificateWarnings, ignoredSettings } from '../rails/toolkit/settings/setting-warnings.ts'
import type { OpenCaches } from './open-money.ts'
import type { GatewayDeps, OpenPlatform } from './open-platform.ts'

export type OpenRails = Awaited<ReturnType<typeof openRails>>

export async function openRails(
  platform: OpenPlatform & OpenCaches,
  { channels: own }: Pick<GatewayDeps, 'channels'>,
) {
  const { config, db, log, clock, metrics } = platform
  const tools = toolsOf(platform)
  const pauses = await openPauses({ db, log })
  const entries = own === undefined ? await readEntries(config) : []
  const checkEntries = async (read: readonly ChannelSettings[]) => {
    await checkNumberOwners({ db, clock, accountOf: (reference) => findAccount(db, reference) }, read)
  }
  const warnOf = (read: readonly ChannelSettings[]) => {
    for (const what of ignoredSettings(read)) log.warn({ what }, 'a setting of a channel has no effect')
    for (const what of certificateWarnings(read, clock.now()))
      log.warn({ what }, 'a certificate of a channel must be replaced')
  }
  await checkEntries(entries)
  const connections = openConnections(entries, { tools, ...(own && { own }) })
  warnOf(entries)
  const { channels, rails } = connections
  const channelHealth = openHealth({ db, clock })
  const { isPaused } = pauses
  const countPayment = counting(channelHealth, metrics, 'payment')
  return {
    pauses,
    connections,
    channels,
    rails,
    channelHealth,
    /**
     * The dependencies of the worker `channels file`. Undefined without a channels file, or if the caller passed its
     * own channels.
     */
    channelsFile:
      config.channelsFile === undefined || own !== undefined
        ? undefined
        : { config, connections, checkEntries, replaced: warnOf, log },
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
    alarmsOf: (channel: string) => alarmsOf(channel, tools),
  }
}

function toolsOf(platform: OpenPlatform & OpenCaches): ChannelTools {
  const { config, db, log, clock, reference, rates, alarm } = platform
  return {
    clock,
    timeoutMs: config.channelTimeoutMs,
    isLive: config.mode === 'live',
    useToken: createUseToken({ db, clock }),
    isPaid: (attempt) => isPaid(db, attempt),
    reference,
    rateOf: rates.find,
    log,
    alarm,
    storeOf: (channel, numbered) => openStore({ db, clock }, channel, numbered),
    callbackUrlOf: (channel) => `${config.baseUrl}/callbacks/${channel}`,
  }
}

/** Counts the outcome of a call to a channel, for the database and for Prometheus. */
function counting({ count }: ChannelHealth, { channel: observe }: Metrics, kind: CallKind) {
  return (channel: string, outcome: HealthOutcome, ms: number) => {
    count(channel, outcome, ms)
    observe(channel, kind, outcome, ms / 1000)
  }
}
