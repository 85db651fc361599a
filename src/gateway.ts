// The whole gateway put together from a database and settings: what main starts, and what tests start many of.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Db } from './base/db.ts'
import { openVault } from './base/secret.ts'
import { createCardChannel } from './channels/card/card-channel.ts'
import { httpTransport, type IssuerTransport, inProcessTransport } from './channels/card/issuer-client.ts'
import type { Channel } from './channels/contract.ts'
import { registerChannels } from './channels/registry.ts'
import { createLinks } from './checkout/link.ts'
import { openCheckout } from './checkout/open-checkout.ts'
import type { Config } from './config.ts'
import { makeDemo } from './demo.ts'
import { createOrderQueryHandler } from './merchant-api/handle-order-query.ts'
import { createPaymentHandler } from './merchant-api/handle-payment.ts'
import { openMerchantBook } from './merchants/merchant-book.ts'
import { openPlatformKey } from './merchants/platform-key.ts'
import { openPlatformLimits } from './merchants/platform-limits.ts'
import { createMetrics } from './metrics.ts'
import { findDuplicate } from './payments/accept-payments.ts'
import { openBatches } from './payments/batches.ts'
import { countUnknown, startResolver } from './payments/worker.ts'
import { openRates } from './rates/rates.ts'
import { type Sandbox, sandboxSecret, startSandbox } from './sandbox/server.ts'

export type Gateway = {
  /** Serves from now on; the address. */
  listen(): Promise<string>
  /** Takes nothing new, finishes what is under way, and stops all that it started. */
  close(): Promise<void>
}

export type GatewayDeps = {
  readonly config: Config
  readonly db: Db
  readonly log: Logger
  readonly clock?: Clock
  readonly maxUnderWay?: number
}

/** Payments under way at once, and waiting to be accepted; beyond it callers are told to come back. */
const MAX_UNDER_WAY = 4_096

export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, db, log, clock = systemClock, maxUnderWay = MAX_UNDER_WAY } = deps
  const vault = openVault(config.masterKey)
  const platformKey = await openPlatformKey(db, vault, clock.now())
  if (config.mode === 'sandbox') await makeDemo({ db, vault, config, clock, log })
  const metrics = createMetrics()
  const merchants = await openMerchantBook({ db, vault, clock, log })
  const rates = await openRates({ db, clock, log })
  const sandbox = await openSandbox(config)
  const channels = registerChannels(cardChannels(config, sandbox, clock))
  const batches = openBatches({ db, rates }, maxUnderWay, (step, size) => metrics.batch(step, size))
  const gate = { most: maxUnderWay, underWay: 0 }
  const links = createLinks(vault, config.baseUrl)
  const alarm = (tradeNo: string, what: string) => {
    metrics.alarm()
    log.error({ tradeNo, what }, 'an outcome needs a person to look at it')
  }
  const payments = { db, batches, channels, clock, gate, alarm }
  const findMerchant = (merNo: number) => merchants.find(merNo)
  const handlePayment = createPaymentHandler({
    ...payments,
    vault,
    rates,
    platformLimits: openPlatformLimits(db, clock),
    pageUrl: links.pageUrl,
  })

  metrics.gauge('tollgate_payments_under_way', 'Payments between request and answer', () => gate.underWay)
  metrics.gauge('tollgate_accept_queue', 'Payments that wait to be accepted', () => batches.accept.depth())
  metrics.gauge('tollgate_record_queue', 'Outcomes that wait to be recorded', () => batches.record.depth())
  metrics.gauge('tollgate_unknown_outcomes', 'Attempts whose outcome is not known', () => countUnknown(db))

  let closing = false
  const app = buildApp({
    log,
    trustedProxies: config.trustedProxies,
    operation: { db, metrics, platformPublicPem: platformKey.publicPem, isClosing: () => closing },
    ...(config.role !== 'worker' && {
      front: {
        merchantApi: {
          mode: config.mode,
          clock,
          findMerchant,
          keyUsed: merchants.keyUsed,
          duplicateOf: (merNo, merOrderNo) => findDuplicate(db, merNo, merOrderNo, clock.now()),
          platformKey: platformKey.privateKey,
          handlers: { '/payment': handlePayment, '/order/query': createOrderQueryHandler({ db }) },
          observe: metrics.request,
        },
        checkout: openCheckout({
          ...payments,
          sandbox: config.mode === 'sandbox',
          links,
          platformKey: platformKey.privateKey,
          findMerchant,
        }),
      },
    }),
  })
  const resolver = config.role === 'api' ? undefined : startResolver({ ...payments, log })

  return {
    listen: () => app.listen({ host: config.host, port: config.port }),
    async close() {
      closing = true
      await app.close()
      // Whose client hung up is not known to the server any more, and is finished all the same.
      while (gate.underWay > 0) await sleep(20)
      await resolver?.stop()
      rates.close()
      await merchants.close()
      await sandbox?.close()
    },
  }
}

/** Live has no simulated counterparties. */
async function openSandbox(config: Config): Promise<Sandbox | undefined> {
  if (config.mode === 'live' || config.cardIssuerUrl !== undefined) return undefined
  const { host, dataDir, minuteMs, cardIssuerSecret: secret } = config
  return startSandbox({ host, dataDir, minuteMs, secret })
}

function cardChannels(config: Config, sandbox: Sandbox | undefined, clock: Clock): Channel[] {
  const transport = issuerTransport(config, sandbox)
  return transport === undefined
    ? []
    : [createCardChannel({ transport, timeoutMs: config.channelTimeoutMs, clock })]
}

function issuerTransport(config: Config, sandbox: Sandbox | undefined): IssuerTransport | undefined {
  if (sandbox !== undefined) return inProcessTransport(sandbox.issuer)
  if (config.cardIssuerUrl === undefined) return undefined
  const secret = config.cardIssuerSecret ?? sandboxSecret(config.dataDir)
  return httpTransport({ url: config.cardIssuerUrl, secret })
}
