// The gateway that the shops of these tests use: a process in sandbox, with its demo merchant.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Settings, Tollgate } from '../../sdk/src/entry.ts'
import { openInstallation } from '../../test/harness/gateway-process.ts'
import { cloneDatabase } from '../../test/harness/harness.ts'

export type Gateway = {
  readonly settings: Settings & { readonly key: string }
  readonly webhookSecret: string
  /** The merchant's own view of its orders. */
  readonly merchant: Tollgate
  /** Runs this while the gateway is down. */
  without(act: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** A minute of the notifications' schedule takes two seconds. */
const MINUTE_MS = '2000'

export async function openGateway(): Promise<Gateway> {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_MINUTE_MS: MINUTE_MS })
  let running = await installation.start()
  const { baseUrl, merNo, key, site } = running.account
  const settings = { baseUrl, merNo, key, site }
  const { webhookSecret } = JSON.parse(readFileSync(join(installation.dataDir, 'demo.json'), 'utf8'))
  return {
    settings,
    webhookSecret,
    merchant: new Tollgate(settings),
    async without(act) {
      await running.stop()
      await act()
      running = await installation.start()
    },
    async close() {
      await installation.remove()
      await database.drop()
    },
  }
}
