// The gateway that the shops of these tests use: a process in sandbox, with its demo merchant.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Settings, Tollgate } from '../../sdk/src/entry.ts'
import { type Installation, openInstallation } from '../../test/gateway-process.ts'
import { cloneDatabase } from '../../test/harness.ts'

export type Gateway = {
  readonly settings: Settings & { readonly key: string }
  readonly webhookSecret: string
  /** The merchant's own view of its orders. */
  readonly merchant: Tollgate
  readonly installation: Installation
  close(): Promise<void>
}

/** A minute of the notifications' schedule takes two seconds. */
const MINUTE_MS = '2000'

export async function openGateway(): Promise<Gateway> {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_MINUTE_MS: MINUTE_MS })
  const { account } = await installation.start()
  const { baseUrl, merNo, key, site } = account
  const settings = { baseUrl, merNo, key, site }
  const { webhookSecret } = JSON.parse(readFileSync(join(installation.dataDir, 'demo.json'), 'utf8'))
  return {
    settings,
    webhookSecret,
    merchant: new Tollgate(settings),
    installation,
    async close() {
      await installation.remove()
      await database.drop()
    },
  }
}
