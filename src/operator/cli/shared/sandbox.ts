// Calls the sandbox of the running gateway. A command finds the sandbox by the gateway's settings, or by the port and
// the secret that the gateway left in the data folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSecret } from '../../../platform/base/secret-file.ts'
import { hasCode } from '../../../platform/base/thrown.ts'
import type { Config } from '../../../platform/config/config.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { readEntries } from '../../../rails/connections/channel-settings.ts'
import { httpTransport, type Reply } from '../../../rails/toolkit/transport.ts'

export type Simulated = {
  readonly reference: string
  readonly event: 'pay' | 'decline' | 'return'
  /** The amount in minor units. Default: the full amount. */
  readonly amount?: string
}

const TIMEOUT_MS = 15_000

/** Lets the counterparty of a channel do what a payer or a bank would do. */
export async function simulate(config: Config, channel: string, wanted: Simulated): Promise<void> {
  const entries = await readEntries({ ...config, ...addressOf(config), channelsFile: undefined })
  const entry = entries.find(({ name }) => name === channel)
  const [url, secret] = [entry?.url, entry?.secret]
  if (typeof url !== 'string' || typeof secret !== 'string')
    throw new OperatorRefusal(`the order went to the channel ${channel}, which the sandbox does not simulate`)
  const call = httpTransport<'simulate'>({ url, secret })
  const reply = await call('simulate', wanted, AbortSignal.timeout(TIMEOUT_MS))
  if (reply.kind !== 'answer' || reply.status !== 200)
    throw new OperatorRefusal(`the sandbox did not simulate "${wanted.event}": ${whyOf(reply)}`)
}

/**
 * Returns the address and the secret of the sandbox. A sandbox that the gateway started itself has left its port and
 * its secret in the data folder.
 */
function addressOf({ sandboxUrl, sandboxSecret, dataDir, host }: Config) {
  const folder = join(dataDir, 'sandbox')
  const secret = sandboxSecret ?? readSecret(join(folder, 'card-issuer.secret'))
  const url = sandboxUrl ?? ownUrl(host, readPort(join(folder, 'port')))
  if (url !== undefined && secret !== undefined) return { sandboxUrl: url, sandboxSecret: secret }
  throw new OperatorRefusal(
    `there is no sandbox in ${folder}: set TOLLGATE_DATA_DIR, or TOLLGATE_SANDBOX_URL and TOLLGATE_SANDBOX_SECRET, to the gateway's values`,
  )
}

function ownUrl(host: string, port: string | undefined): string | undefined {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return port && `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function readPort(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function whyOf(reply: Reply): string {
  return reply.kind === 'answer' ? `it answered ${reply.status} ${JSON.stringify(reply.body)}` : reply.why
}
