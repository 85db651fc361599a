// The only file that starts anything: settings, database, gateway; and the orderly end of all three.

import { type Config, readConfig } from './config.ts'
import { demoFile } from './demo/demo-file.ts'
import { SettingError } from './errors/catalogue.ts'
import { openGateway } from './gateway.ts'
import { openLog } from './runtime/log.ts'
import { openDatabase } from './runtime/open-database.ts'

const FORCE_AFTER_MS = 30_000
const LAST_CHANCE_MS = 5_000

try {
  await start()
} catch (error) {
  explain(error)
  process.exit(1)
}

/** What an operator can put right is a sentence; only a fault of ours shows where it came from. */
function explain(error: unknown): void {
  const isDebugging = process.env.TOLLGATE_LOG_LEVEL === 'debug'
  if (!(error instanceof SettingError) || isDebugging) console.error(error)
  else console.error(`Tollgate does not start: ${error.message.replace(/\.$/, '')}.`)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const database = await openDatabase(config, (line) => log.info(line), 'gateway')
  const gateway = await openGateway({ config, db: database.db, log }).catch(async (error) => {
    await database.close()
    throw error
  })
  const stop = stopOnce(async () => {
    await gateway.close()
    await database.close()
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
  await gateway.listen().catch(async (error: Error) => {
    await gateway.close()
    await database.close()
    throw error
  })
  console.log(`ready: ${config.mode} gateway at ${config.baseUrl}`)
  // To standard error: programs that read the log from standard output have no use for it.
  if (gateway.madeDemo) console.error(nextSteps(config))

  /** Ctrl-C reaches us from the terminal and from npm: the second signal must not cut the first one's work short. */
  function stopOnce(work: () => Promise<void>): (signal: string) => void {
    let stopping = false
    return (signal) => {
      if (stopping) return
      stopping = true
      log.info(`${signal}: finishing what is under way`)
      setTimeout(() => {
        log.error('could not finish in time; what is open is found at the next start')
        // The embedded database is ours to stop even then, if it will.
        setTimeout(() => process.exit(1), LAST_CHANCE_MS).unref()
        database.close().finally(() => process.exit(1))
      }, FORCE_AFTER_MS).unref()
      work().then(
        () => process.exit(0),
        (error: Error) => {
          log.error({ err: error }, 'could not stop in order')
          process.exit(1)
        },
      )
    }
  }
}

function nextSteps({ baseUrl, dataDir }: Config): string {
  return `
This sandbox is new. What to do next:

  See what runs here      ${baseUrl}
  Make a payment          npm run --silent tollgate -- pay
  See every command       npm run --silent tollgate -- --help
  Send your own requests  README.md shows how; the demo merchant's keys are in ${demoFile(dataDir)}

Commands go into a second shell, in this folder and with the same settings. Ctrl-C ends the gateway; its data stays in ${dataDir}
`
}
