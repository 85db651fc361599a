// `npm run sandbox`: runs the sandbox's counterparties as a separate process, for a gateway with TOLLGATE_SANDBOX_URL.
import { join, resolve } from 'node:path'
import { replaceSecret } from '../src/platform/base/secret-file.ts'
import { readWebAddress, WEB_ADDRESS } from '../src/platform/base/web-address.ts'
import { SettingError } from '../src/platform/errors/catalogue.ts'
import { openRehearsal } from './rehearsal.ts'
import { type SandboxOptions, startSandbox } from './server.ts'

try {
  const options = readOptions()
  const rehearsal = readRehearsal()
  const sandbox = await startSandbox({ ...options, extra: rehearsal?.mounts ?? [] })
  const lines = [`ready ${sandbox.url}`]
  if (rehearsal !== undefined) {
    const file = join(options.dataDir, 'sandbox', 'channels.json')
    replaceSecret(file, `${JSON.stringify(rehearsal.entries(sandbox.settings()), null, 2)}\n`)
    lines.push(`channels ${file}`)
  }
  console.log(lines.join('\n'))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close())
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Reads only the sandbox's settings, because a counterparty must not see the gateway's master key. */
function readOptions(): SandboxOptions {
  const { env } = process
  if (env.TOLLGATE_MODE === 'live')
    throw new SettingError('TOLLGATE_MODE is live, and the sandbox only pretends to move money')
  return {
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.TOLLGATE_DATA_DIR || './data'),
    minuteMs: whole('TOLLGATE_MINUTE_MS', 1, 3_600_000) ?? 60_000,
    secret: env.TOLLGATE_SANDBOX_SECRET || undefined,
    port: whole('TOLLGATE_SANDBOX_PORT', 0, 65_535),
    publicUrl: env.TOLLGATE_SANDBOX_PUBLIC_URL || undefined,
  }
}

function readRehearsal() {
  const text = process.env.TOLLGATE_SANDBOX_REHEARSAL_URL
  if (!text) return undefined
  const gatewayUrl = readWebAddress(text)
  if (gatewayUrl === undefined) throw new SettingError(`TOLLGATE_SANDBOX_REHEARSAL_URL ${WEB_ADDRESS}`)
  return openRehearsal(gatewayUrl)
}

function whole(name: string, least: number, most: number): number | undefined {
  const text = process.env[name]
  if (!text) return undefined
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new SettingError(`${name} must be a whole number from ${least} to ${most}`)
}
