// A gateway whose card channel calls the sandbox's issuer as a function. No real gateway runs like this: it shows the cost of
// a payment without HTTP to an issuer.

import { join } from 'node:path'
import { createCardIssuer } from '../sandbox/card-issuer.ts'
import { systemClock } from '../src/base/clock.ts'
import { createCardChannel } from '../src/channels/card/card-channel.ts'
import { readConfig } from '../src/config.ts'
import { openGateway } from '../src/gateway.ts'
import { openLog } from '../src/runtime/log.ts'
import { openDatabase } from '../src/runtime/open-database.ts'
import { stopOnSignal } from '../src/runtime/shutdown.ts'
import { readyLine } from '../src/runtime/start-up.ts'
import { inProcessTransport } from '../test/in-process-transport.ts'
import { noAlarms } from '../test/no-alarms.ts'

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
