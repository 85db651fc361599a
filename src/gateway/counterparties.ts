// Opens the channels that the settings name: those of the sandbox at its address, and those of the channels file.
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../base/object.ts'
import { applyScope } from '../channels/apply-scope.ts'
import { connectors } from '../channels/connectors.ts'
import type { Channel } from '../channels/contract.ts'
import { type BankOperation, createBankRail } from '../channels/payout/bank-rail.ts'
import type { PayoutRail } from '../channels/payout/contract.ts'
import type { ChannelSettings, ChannelTools } from '../channels/settings.ts'
import { httpTransport } from '../channels/transport.ts'
import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { mergeChannels, parseChannels, readChannelsFile, requireSecureAddresses } from './channel-settings.ts'

export async function openChannels(config: Config, tools: ChannelTools): Promise<Channel[]> {
  const sandbox = sandboxOf(config)
  const simulated = sandbox === undefined ? [] : await askSandbox(sandbox)
  const named = config.channelsFile === undefined ? [] : readChannelsFile(config.channelsFile)
  if (config.mode === 'live') requireSecureAddresses(named, config.plainHttpHosts)
  return mergeChannels(simulated, named).map((settings) =>
    applyScope(connectors[settings.method](settings, tools), settings),
  )
}

type SandboxAddress = { readonly url: string; readonly secret: string }

/** Live has no simulated counterparties. */
function sandboxOf({ mode, sandboxUrl: url, sandboxSecret: secret }: Config): SandboxAddress | undefined {
  return mode === 'live' || url === undefined || secret === undefined ? undefined : { url, secret }
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

/** The path of the sandbox's payout bank. */
const PAYOUT_BANK_PATH = '/payout-bank'

/** Payouts go only to the sandbox's bank. */
export function payoutRails(config: Config): PayoutRail[] {
  const sandbox = sandboxOf(config)
  if (sandbox === undefined) return []
  const { url, secret } = sandbox
  const transport = httpTransport<BankOperation>({ url: url + PAYOUT_BANK_PATH, secret })
  return [createBankRail({ transport, timeoutMs: config.channelTimeoutMs })]
}
