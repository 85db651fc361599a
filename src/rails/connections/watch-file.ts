// Reads the channels file again when it, or a secret that it names, has changed. Credentials are renewed without a restart.
//
// A file may be read while it is being written. So a change counts once two rounds in a row have read the same.
import type { Logger } from 'pino'
import type { ChannelSettings } from '../channels/settings.ts'
import { type PokedRepetition, repeat } from '../concurrency/repeat.ts'
import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Connections } from './connections.ts'
import { withFile } from './counterparties.ts'

export type WatchFileDeps = {
  readonly config: Config
  readonly connections: Connections
  /** Throws a SettingError if an entry is wrong for what the database knows. */
  readonly checkEntries: (entries: readonly ChannelSettings[]) => Promise<void>
  /** Called with the entries that are in use now. */
  readonly replaced?: (entries: readonly ChannelSettings[]) => void
  readonly log: Logger
  readonly everyMs?: number
}

export type ChannelsFileWatch = PokedRepetition & {
  /** What is wrong with the file, while the old settings stay in use; empty if nothing is. */
  complaint(): string
}

const EVERY_MS = 5_000

export function watchChannelsFile({
  config,
  connections,
  checkEntries,
  replaced = () => {},
  log,
  everyMs = EVERY_MS,
}: WatchFileDeps): ChannelsFileWatch {
  // Those of the sandbox, which the file does not name; they stay as they were at the start.
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
      const message = error instanceof SettingError ? error.message : String(error)
      if (message !== complaint)
        log.error({ why: message }, 'the channels file is wrong; the old settings stay in use')
      complaint = message
    },
  })
  return { ...rounds, complaint: () => complaint }
}
