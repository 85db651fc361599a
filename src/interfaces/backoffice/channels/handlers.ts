import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Checked } from '../../../rails/contract/protocol.ts'
import { type ChannelSettings, settingNames } from '../../../rails/contract/settings.ts'
import { readHealth } from '../../../rails/routing/health.ts'
import { listPauses, pauseChannel, resumeChannel } from '../../../rails/routing/pauses.ts'
import type { PayoutRails } from '../../../rails/routing/payout-routing.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { servedBy as methodsByChannel } from '../../../rails/routing/served.ts'
import { listFailingWork } from '../../../rails/toolkit/records/watch-worker.ts'
import type { Handlers } from '../route.ts'
import type { channelsApi } from './api.ts'

export type ChannelsDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Channels
  readonly rails: PayoutRails
  readonly channelEntries: () => readonly ChannelSettings[]
  readonly checkChannel: (name: string) => Promise<Checked> | undefined
}

const HOUR_MS = 3_600_000

export function createChannelsHandlers(deps: ChannelsDeps): Handlers<typeof channelsApi> {
  const { db, clock, channels, rails } = deps
  const withLine = (caller: Caller, action: string, channel: string, reason: string) =>
    audited(db, { merNo: 0, at: clock.now(), actor: actorOf(caller), action, subject: channel, reason })

  return {
    async 'GET /channels'() {
      const pauses = new Map((await listPauses(db)).map((row) => [row.channel, row]))
      const health = await readHealth(db, new Date(clock.now().getTime() - HOUR_MS))
      const failing = new Map((await listFailingWork(db, clock.now())).map((one) => [one.channel, one]))
      const entries = new Map(deps.channelEntries().map((entry) => [entry.name, entry]))
      return {
        channels: namesOf(deps).map((name) => {
          const paused = pauses.get(name)
          const fails = failing.get(name)
          const entry = entries.get(name)
          const { calls = 0, byOutcome, meanMs } = health.get(name) ?? {}
          return {
            name,
            protocol: entry?.protocol ?? null,
            settings: entry === undefined ? [] : settingNames(entry),
            ...servedBy(deps, name),
            paused: paused
              ? { since: paused.paused_at.toISOString(), by: paused.paused_by, reason: paused.reason }
              : null,
            workFails: fails ? { since: fails.since.toISOString(), why: fails.why } : null,
            lastHour: {
              calls,
              ...(byOutcome ?? { answered: 0, declined: 0, failed: 0, unknown: 0 }),
              meanMs: meanMs ?? null,
            },
          }
        }),
      }
    },

    async 'POST /channels/:name/pause'({ caller, params: { name }, body: { reason } }) {
      if (channels.named(name) === undefined && rails.named(name) === undefined) throw noSuchChannel()
      const pausing = { channel: name, by: caller.email, reason, at: clock.now() }
      await pauseChannel(withLine(caller, 'channel.pause', name, reason), pausing)
      return {}
    },

    async 'POST /channels/:name/check'({ params: { name } }) {
      const checked = await deps.checkChannel(name)
      if (checked === undefined) throw noSuchChannel()
      return checked
    },

    async 'POST /channels/:name/resume'({ caller, params: { name }, body: { reason } }) {
      await resumeChannel(withLine(caller, 'channel.resume', name, reason), name)
      return {}
    },
  }
}

function noSuchChannel(): Problem {
  return new Problem('not-found', 'There is no such channel.')
}

/** Returns the names of all channels and rails. Rails without a channel of the same name come last. */
export function namesOf({ channels, rails }: Pick<ChannelsDeps, 'channels' | 'rails'>): string[] {
  return [...new Set([...channels.all, ...rails.all].map(({ name }) => name))]
}

function servedBy({ channels, rails }: ChannelsDeps, name: string) {
  const own = channels.all.filter((channel) => channel.name === name)
  const rail = rails.named(name)
  const taken = [...own.map(({ traits }) => traits.currencies), ...(rail ? [rail.currencies] : [])]
  return {
    methods: [...(methodsByChannel(own, rail ? [rail] : []).get(name) ?? [])],
    canRefund: own.some(({ traits }) => traits.refundable),
    currencies: taken.includes('any') ? ('any' as const) : [...new Set(taken.flatMap((one) => [...one]))],
  }
}
