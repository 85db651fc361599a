// A gateway whose request log is switched off and on by SIGUSR2, for `npm run bench -- --request-log`.

import { openGateway } from '../src/gateway/gateway.ts'
import { readConfig } from '../src/platform/config/config.ts'
import type { RequestLog } from '../src/platform/request-log/recorder.ts'
import { openLog } from '../src/platform/runtime/log.ts'
import { openDatabase } from '../src/platform/runtime/open-database.ts'

let isOn = true
process.on('SIGUSR2', () => {
  isOn = !isOn
})

/** While the log is off, the gateway prepares nothing for it and counts the requests as dropped. */
function withSwitch(log: RequestLog): RequestLog {
  return { ...log, hasSpace: () => isOn && log.hasSpace() }
}

const config = readConfig(process.env)
const log = openLog(config.logLevel)
const database = await openDatabase(config, () => {}, 'gateway')
const gateway = await openGateway({ config, db: database.db, log, wrapRequestLog: withSwitch })
process.once('SIGTERM', async () => {
  await gateway.close()
  await database.close()
  process.exit(0)
})
await gateway.listen()
console.log('ready')
