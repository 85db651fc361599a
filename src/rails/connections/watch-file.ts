// Reads the channels file again and again, so that changed settings and secrets take effect without a restart. A change
// takes effect only after two rounds in a row have read the same content, because a round may read the file while it is
// being written.
import type { Logger } from 'pino'
import { type Interval, type PokedRepetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import { outageOf } from '../../platform/postgres/outages.ts'
import type { ChannelSettings } from '../contract/settings.ts'
import { withFile } from './channel-settings.ts'
import type { Connections } from './connections.ts'

export type WatchFileDeps = Interval & {
  readonly config: Config
  readonly connections: Connections
  /** Throws a SettingError if an entry contradicts the database. */
  readonly checkEntries: (entries: readonly ChannelSettings[]) => Promise<void>
  /** Called after a change took effect, with all entries in use. */
  readonly replaced?: (entries: readonly ChannelSettings[]) => void
  readonly log: Logger
}

export type ChannelsFileWatch = PokedRepetition & {
  /** Returns the file's error, because of which the old settings stay in use. Returns '' if the file has no error. */
  complaint(): string
}

export function watchChannelsFile({
  config,
  connections,
  checkEntries,
  replaced = () => {},
  log,
  everyMs,
}: WatchFileDeps): ChannelsFileWatch {
  // Entries that are not in the file come from the sandbox and stay unchanged.
  const fromFile = new Set(withFile(config, []).map(({ name }) => name))
  const others = connections.entries().filter(({ name }) => !fromFile.has(name))
  let complaint = ''
  let lastRead = ''
  let used = JSON.stringify(connections.entries())
  const rounds = repeat({
    everyMs,
    async work() {
      const entries = withFile(config, others)
      const read = JSON.stringify(entries)
      const isSettled = read === lastRead
      lastRead = read
      if (!isSettled) return
      if (read !== used) {
        await checkEntries(entries)
        const changed = connections.replace(entries)
        used = read
        replaced(entries)
        if (changed.length > 0) log.info({ channels: changed }, 'the settings of channels have changed')
      }
      complaint = ''
    },
    failed(error) {
      // While the database is down, the entries cannot be checked. So the last complaint about the file stays.
      if (outageOf(error) !== undefined) return
      const message = error instanceof SettingError ? error.message : String(error)
      if (message !== complaint)
        log.error({ why: message }, 'the channels file is wrong; the old settings stay in use')
      complaint = message
    },
  })
  return { ...rounds, complaint: () => complaint }
}
