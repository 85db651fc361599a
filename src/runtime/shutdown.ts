// The orderly end of a gateway at SIGTERM or SIGINT: finish what is under way, or give up after a while.
import type { Logger } from 'pino'

export type Shutdown = {
  readonly log: Logger
  /** Takes nothing new, finishes what is under way, and stops everything. */
  readonly stop: () => Promise<void>
  /** The embedded database is ours to stop even when the rest does not stop in time. */
  readonly stopDatabase: () => Promise<void>
}

const FORCE_AFTER_MS = 30_000
const DATABASE_STOPS_WITHIN_MS = 5_000

export function stopOnSignal(shutdown: Shutdown): void {
  let stopping = false
  const onSignal = (signal: string) => {
    // Ctrl-C reaches us from the terminal and from npm: the second signal must not cut the first one's work short.
    if (stopping) return
    stopping = true
    stopAndExit(shutdown, signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => onSignal(signal))
}

function stopAndExit({ log, stop, stopDatabase }: Shutdown, signal: string): void {
  log.info(`${signal}: finishing what is under way`)
  setTimeout(() => {
    log.error('could not finish in time; what is open is found at the next start')
    setTimeout(() => process.exit(1), DATABASE_STOPS_WITHIN_MS).unref()
    stopDatabase().finally(() => process.exit(1))
  }, FORCE_AFTER_MS).unref()
  stop().then(
    () => process.exit(0),
    (error: Error) => {
      log.error({ err: error }, 'could not stop in order')
      process.exit(1)
    },
  )
}
