import { audited } from '../../audit-log/audited-db.ts'
import type { Clock } from '../../base/clock.ts'
import { readHealth } from '../../channels/health.ts'
import { listPauses, pauseChannel, resumeChannel } from '../../channels/pauses.ts'
import type { Channels } from '../../channels/routing.ts'
import type { Db } from '../../postgres/db.ts'
import { actorOf, type Caller } from '../caller.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import type { channelsApi } from './api.ts'

export type ChannelsDeps = { readonly db: Db; readonly clock: Clock; readonly channels: Channels }

const HOUR_MS = 3_600_000

export function createChannelsHandlers({ db, clock, channels }: ChannelsDeps): Handlers<typeof channelsApi> {
  const withLine = (caller: Caller, action: string, channel: string, reason: string) =>
    audited(db, { merNo: 0, at: clock.now(), actor: actorOf(caller), action, subject: channel, reason })

  return {
    async 'GET /channels'() {
      const pauses = new Map((await listPauses(db)).map((row) => [row.channel, row]))
      const health = await readHealth(db, new Date(clock.now().getTime() - HOUR_MS))
      return {
        channels: channels.all.map(({ name, method, traits: { currencies, refundable } }) => {
          const paused = pauses.get(name)
          const { calls = 0, byOutcome, meanMs } = health.get(name) ?? {}
          return {
            name,
            method,
            canRefund: refundable,
            currencies: currencies === 'any' ? ('any' as const) : [...currencies],
            paused: paused
              ? { since: paused.paused_at.toISOString(), by: paused.paused_by, reason: paused.reason }
              : null,
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
      if (channels.named(name) === undefined) throw new Problem('not-found', 'There is no such channel.')
      const pausing = { channel: name, by: caller.email, reason, at: clock.now() }
      await pauseChannel(withLine(caller, 'channel.pause', name, reason), pausing)
      return {}
    },

    async 'POST /channels/:name/resume'({ caller, params: { name }, body: { reason } }) {
      await resumeChannel(withLine(caller, 'channel.resume', name, reason), name)
      return {}
    },
  }
}
