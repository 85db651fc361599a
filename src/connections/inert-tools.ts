// What connections get that open no payment: those of a command, and those that only show whether their settings are right.
import type { Clock } from '../base/clock.ts'
import { openStore } from '../channels/open-store.ts'
import type { ChannelTools } from '../channels/settings.ts'
import type { Config } from '../config.ts'
import type { Db } from '../postgres/db.ts'

export type InertDeps = Pick<ChannelTools, 'reference' | 'alarm'> & {
  readonly config: Pick<Config, 'mode' | 'channelTimeoutMs' | 'baseUrl'>
  readonly db: Db
  readonly clock: Clock
}

export function inertTools({ config, db, clock, reference, alarm }: InertDeps): ChannelTools {
  return {
    isLive: config.mode === 'live',
    clock,
    timeoutMs: config.channelTimeoutMs,
    useToken: async () => false,
    isPaid: async () => false,
    reference,
    rateOf: () => undefined,
    log: { warn() {} },
    alarm,
    storeOf: (channel, numbered) => openStore({ db, clock }, channel, numbered),
    callbackUrlOf: (channel) => `${config.baseUrl}/callbacks/${channel}`,
  }
}
