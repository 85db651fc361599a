// A gateway whose card channel calls the sandbox's issuer as a function. No real gateway runs like this. The benchmark
// uses it to show the cost of a payment without HTTP to an issuer.

import { join } from 'node:path'
import { createCardIssuer } from '../sandbox/card-issuer.ts'
import { openGateway } from '../src/gateway/gateway.ts'
import { systemClock } from '../src/platform/base/clock.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { openLog } from '../src/platform/runtime/log.ts'
import { openDatabase } from '../src/platform/runtime/open-database.ts'
import { stopOnSignal } from '../src/platform/runtime/shutdown.ts'
import { readyLine } from '../src/platform/runtime/start-up.ts'
import { createCardChannel } from '../src/rails/protocols/bridge/card/card-channel.ts'
import { noAlarms } from '../test/builders/no-alarms.ts'
import { inProcessTransport } from '../test/harness/in-process-transport.ts'

const config = readConfig(process.env)
const log = openLog(config.logLevel)
const database = await openDatabase(config, (line) => log.info(line), 'gateway')
const issuer = createCardIssuer({
  bookFile: join(config.dataDir, 'sandbox', 'card-issuer.sqlite'),
  acsUrl: () => `${config.baseUrl}/acs`,
  minuteMs: config.minuteMs,
  clock: systemClock,
})
const card = createCardChannel({
  transport: inProcessTransport(issuer),
  timeoutMs: config.channelTimeoutMs,
  alarms: noAlarms,
})
const gateway = await openGateway({ config, db: database.db, log, channels: [card] })
stopOnSignal({
  log,
  async stop() {
    await gateway.close()
    issuer.close()
    await database.close()
  },
  stopDatabase: database.close,
})
await gateway.listen()
console.log(readyLine(config))
