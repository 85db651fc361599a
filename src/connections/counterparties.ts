// Reads the entries of all channels: those of the sandbox at its address, and those of the channels file.
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../base/object.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import { httpTransport } from '../channels/transport.ts'
import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { mergeChannels, parseChannels, readChannelsFile, requireSecureAddresses } from './channel-settings.ts'

export async function readEntries(config: Config): Promise<ChannelSettings[]> {
  const sandbox = sandboxOf(config)
  const simulated = sandbox === undefined ? [] : await askSandbox(sandbox)
  return withFile(config, simulated)
}

type FileConfig = Pick<Config, 'channelsFile' | 'mode' | 'plainHttpHosts'>

/** The entries of the file are added to the others, or replace them. */
export function withFile(config: FileConfig, others: readonly ChannelSettings[]): ChannelSettings[] {
  const named = config.channelsFile === undefined ? [] : readChannelsFile(config.channelsFile)
  if (config.mode === 'live') requireSecureAddresses(named, config.plainHttpHosts)
  return mergeChannels(others, named)
}

type SandboxAddress = { readonly url: string; readonly secret: string }

/** Live has no simulated counterparties. */
function sandboxOf({ mode, sandboxUrl: url, sandboxSecret: secret }: Config): SandboxAddress | undefined {
  return mode === 'live' || url === undefined || secret === undefined ? undefined : { url, secret }
}

/** Whether a gateway with these settings also has channels of a sandbox that nobody else can ask for. */
export function lacksSandbox(config: Config): boolean {
  return config.mode === 'sandbox' && sandboxOf(config) === undefined
}

const ASK_WITHIN_MS = 15_000
const ASK_EVERY_MS = 250

/** Waits a while, because both may have been started at the same time. */
async function askSandbox(sandbox: SandboxAddress): Promise<ChannelSettings[]> {
  const transport = httpTransport<'settings'>(sandbox)
  const deadline = AbortSignal.timeout(ASK_WITHIN_MS)
  while (!deadline.aborted) {
    const reply = await transport('settings', {}, deadline)
    if (reply.kind === 'answer') {
      if (reply.status === 200 && isObject(reply.body))
        return parseChannels(reply.body.channels, 'TOLLGATE_SANDBOX_URL')
      throw new SettingError(`TOLLGATE_SANDBOX_URL answered ${reply.status}: check TOLLGATE_SANDBOX_SECRET`)
    }
    await sleep(ASK_EVERY_MS)
  }
  throw new SettingError('TOLLGATE_SANDBOX_URL does not answer: start it with "npm run sandbox"')
}
