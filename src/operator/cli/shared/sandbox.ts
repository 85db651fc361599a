// The sandbox behind the running gateway. It is another program: a command knows it by its address, as the gateway does.
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
  /** The amount in minor units. By default the full amount. */
  readonly amount?: string
}

const TIMEOUT_MS = 15_000

/** Lets the counterparty of a channel do what a payer or a bank would do. */
export async function simulate(config: Config, channel: string, wanted: Simulated): Promise<void> {
  const entries = await readEntries({ ...config, ...addressOf(config), channelsFile: undefined })
  const entry = entries.find(({ name }) => name === channel)
  const [url, secret] = [entry?.url, entry?.secret]
  if (typeof url !== 'string' || typeof secret !== 'string')
    throw new OperatorRefusal(`the order went to the channel ${channel}, which the sandbox does not play`)
  const call = httpTransport<'simulate'>({ url, secret })
  const reply = await call('simulate', wanted, AbortSignal.timeout(TIMEOUT_MS))
  if (reply.kind !== 'answer' || reply.status !== 200)
    throw new OperatorRefusal(`the sandbox does not play "${wanted.event}": ${whyOf(reply)}`)
}

/** A sandbox that the gateway started itself has left its port and its secret in the data folder. */
function addressOf({ sandboxUrl, sandboxSecret, dataDir, host }: Config) {
  const folder = join(dataDir, 'sandbox')
  const secret = sandboxSecret ?? readSecret(join(folder, 'card-issuer.secret'))
  const url = sandboxUrl ?? ownUrl(host, readPort(join(folder, 'port')))
  if (url !== undefined && secret !== undefined) return { sandboxUrl: url, sandboxSecret: secret }
  throw new OperatorRefusal(
    `${folder} names no sandbox: set TOLLGATE_DATA_DIR, or TOLLGATE_SANDBOX_URL and TOLLGATE_SANDBOX_SECRET, as the gateway has it`,
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
