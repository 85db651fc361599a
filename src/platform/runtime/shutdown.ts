// Graceful shutdown at SIGTERM or SIGINT: finishes the work in progress, or gives up after a while.
import type { Logger } from 'pino'

export type Shutdown = {
  readonly log: Logger
  /** Accepts nothing new, and finishes the work in progress. */
  readonly stop: () => Promise<void>
  /** Called if `stop` does not finish in time. */
  readonly stopDatabase: () => Promise<void>
}

const FORCE_AFTER_MS = 30_000
const DATABASE_STOPS_WITHIN_MS = 5_000

export function stopOnSignal(shutdown: Shutdown): void {
  let stopping = false
  const onSignal = (signal: string) => {
    // At Ctrl-C the terminal and npm send a signal each. The second signal must not interrupt the shutdown.
    if (stopping) return
    stopping = true
    stopAndExit(shutdown, signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => onSignal(signal))
}

function stopAndExit({ log, stop, stopDatabase }: Shutdown, signal: string): void {
  log.info(`${signal}: finishing the work in progress`)
  setTimeout(() => {
    log.error('could not finish in time; the next start continues the open work')
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
