// A gateway with one fast path off, for `npm run bench -- --fast-paths`. BENCH_WITHOUT names the path. Operators can
// only switch off all fast paths.

import { openGateway } from '../src/gateway/gateway.ts'
import type { FastPaths } from '../src/platform/base/fast-paths.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { openLog } from '../src/platform/runtime/log.ts'
import { openDatabase } from '../src/platform/runtime/open-database.ts'

const settings = readConfig(process.env)
const { BENCH_WITHOUT = '' } = process.env
const fastPaths: FastPaths = { ...settings.fastPaths, ...(BENCH_WITHOUT && { [BENCH_WITHOUT]: false }) }
const config = { ...settings, fastPaths }
const log = openLog(config.logLevel)
const database = await openDatabase(config, () => {}, 'gateway')
const gateway = await openGateway({ config, db: database.db, log })
process.once('SIGTERM', async () => {
  await gateway.close()
  await database.close()
  process.exit(0)
})
await gateway.listen()
console.log('ready')
