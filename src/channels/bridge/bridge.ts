// Our own protocol: signed JSON over HTTP to a bridge, a program that speaks to the rail. Settings: "url" and "secret"; see
// each method's folder for more.
import { SettingError } from '../../errors/catalogue.ts'
import { checkByAsking } from '../check-by-asking.ts'
import type { Channel } from '../contract.ts'
import { httpSettings } from '../http-settings.ts'
import type { Method } from '../method.ts'
import { type BankOperation, createBankRail } from '../payout/bank-rail.ts'
import type { PayoutRail } from '../payout/contract.ts'
import type { Protocol } from '../protocol.ts'
import { addressSetting, type ChannelSettings, type ChannelTools, textSetting } from '../settings.ts'
import { httpTransport } from '../transport.ts'
import { connectors } from './connectors.ts'

export const bridge: Protocol = (settings, tools) => {
  const channels = settings.methods.map((method) => connect(settings, method, tools))
  const rail = settings.payoutKinds.length === 0 ? undefined : railOf(settings, tools)
  return { channels, ...(rail && { rail }), check: () => checkByAsking(channels[0], rail) }
}

function connect(settings: ChannelSettings, method: Method, tools: ChannelTools): Channel {
  const connector = connectors[method]
  if (connector !== undefined) return connector(settings, tools)
  throw new SettingError(`channel ${settings.name}: the protocol bridge does not serve ${method}`)
}

function railOf(settings: ChannelSettings, { clock, timeoutMs }: ChannelTools): PayoutRail {
  const secret = textSetting(settings, 'secret')
  const url = addressSetting(settings, 'url')
  const transport = httpTransport<BankOperation>({ url, secret, clock, http: httpSettings(settings) })
  return createBankRail({ name: settings.name, kinds: settings.payoutKinds, transport, timeoutMs })
}
