// The entry point. Opens the database, the sandbox and the gateway, and closes them in reverse order.
// See docs/decisions/0184-counterparties-by-address.md.
import { startSandboxFor } from '../../sandbox/start-for-gateway.ts'
import { demoFile } from '../operator/demo/demo-file.ts'
import { shiftedClock, systemClock } from '../platform/base/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { openLog } from '../platform/runtime/log.ts'
import { misspeltSettings } from '../platform/runtime/misspelt-settings.ts'
import { openDatabase } from '../platform/runtime/open-database.ts'
import { stopOnSignal } from '../platform/runtime/shutdown.ts'
import { explainFailedStart, firstSteps, readyLine } from '../platform/runtime/start-up.ts'
import { openGateway } from './gateway.ts'

const opened = new AsyncDisposableStack()
try {
  await start()
} catch (error) {
  await opened.disposeAsync()
  explainFailedStart(error)
  process.exit(1)
}

async function start(): Promise<void> {
  const settings = readConfig(process.env)
  const log = openLog(settings.logLevel)
  for (const { name, meant } of misspeltSettings(process.env))
    log.warn(`${name} has no effect; if ${meant} is meant, correct its name`)
  const database = await openDatabase(settings, (line) => log.info(line), 'gateway')
  opened.defer(database.close)
  const sandbox = await startSandboxFor(settings)
  opened.defer(sandbox.close)
  const { config } = sandbox
  const clock = config.clockFile === undefined ? systemClock : shiftedClock(config.clockFile)
  const gateway = await openGateway({ config, db: database.db, log, clock })
  opened.defer(gateway.close)
  stopOnSignal({ log, stop: () => opened.disposeAsync(), stopDatabase: database.close })
  await gateway.listen()
  console.log(readyLine(config))
  // The text goes to standard error, because programs read the log from standard output.
  if (gateway.madeDemo) console.error(firstSteps(config, demoFile(config.dataDir)))
}
