// Who is at the other end: the sandbox in this process or in another, and whom the channels file names. A channel is made from
// its settings alone and does not know which; only the card issuer of a sandbox in this process is called without HTTP.
import { setTimeout as sleep } from 'node:timers/promises'
import { PAYOUT_BANK_PATH, type Sandbox, sandboxSecret, startSandbox } from '../../sandbox/server.ts'
import { isObject } from '../base/object.ts'
import { applyScope } from '../channels/apply-scope.ts'
import { createCardChannel } from '../channels/card/card-channel.ts'
import { connectors } from '../channels/connectors.ts'
import type { Channel } from '../channels/contract.ts'
import { type BankOperation, createBankRail } from '../channels/payout/bank-rail.ts'
import type { PayoutRail } from '../channels/payout/contract.ts'
import { type ChannelSettings, type ChannelTools, textSetting } from '../channels/settings.ts'
import { httpTransport, inProcessTransport } from '../channels/transport.ts'
import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { mergeChannels, parseChannels, readChannelsFile, requireSecureAddresses } from './channel-settings.ts'

/** Live has no simulated counterparties. */
export async function openSandbox(config: Config): Promise<Sandbox | undefined> {
  if (config.mode === 'live' || config.sandboxUrl !== undefined) return undefined
  const { host, dataDir, minuteMs, sandboxSecret: secret } = config
  return startSandbox({ host, dataDir, minuteMs, secret })
}

export async function openChannels(
  config: Config,
  sandbox: Sandbox | undefined,
  tools: ChannelTools,
): Promise<Channel[]> {
  const told = config.mode === 'live' ? [] : await sandboxChannels(config, sandbox)
  const named = config.channelsFile === undefined ? [] : readChannelsFile(config.channelsFile)
  if (config.mode === 'live') requireSecureAddresses(named, config.plainHttpHosts)
  return mergeChannels(told, named).map((settings) => {
    const isInProcess = sandbox !== undefined && settings.method === 'card' && told.includes(settings)
    const channel = isInProcess
      ? cardInProcess(settings, sandbox, tools)
      : connectors[settings.method](settings, tools)
    return applyScope(channel, settings)
  })
}

/** Every card payment of a benchmark goes this way. */
function cardInProcess(settings: ChannelSettings, sandbox: Sandbox, tools: ChannelTools): Channel {
  const transport = inProcessTransport(sandbox.issuer)
  const { name } = settings
  return createCardChannel({ ...tools, name, transport, secret: textSetting(settings, 'secret') })
}

async function sandboxChannels(config: Config, sandbox: Sandbox | undefined): Promise<ChannelSettings[]> {
  const { sandboxUrl: url } = config
  if (sandbox !== undefined) return parseChannels(sandbox.settings(), 'the sandbox')
  return url === undefined ? [] : askSandbox(url, secretOf(config))
}

const ASK_WITHIN_MS = 15_000
const ASK_EVERY_MS = 250

/** Both may have been started at the same moment, so it is given a while. */
async function askSandbox(url: string, secret: string): Promise<ChannelSettings[]> {
  const transport = httpTransport<'settings'>({ url, secret })
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

/** Pays out in the sandbox alone, at the bank beside the card issuer. */
export function payoutRails(config: Config, sandbox: Sandbox | undefined): PayoutRail[] {
  const url = sandbox?.url ?? config.sandboxUrl
  if (config.mode === 'live' || url === undefined) return []
  const transport = httpTransport<BankOperation>({ url: url + PAYOUT_BANK_PATH, secret: secretOf(config) })
  return [createBankRail({ transport, timeoutMs: config.channelTimeoutMs })]
}

function secretOf(config: Config): string {
  return config.sandboxSecret ?? sandboxSecret(config.dataDir)
}
