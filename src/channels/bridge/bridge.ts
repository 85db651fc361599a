// Our own protocol: signed JSON over HTTP to a bridge, a program that speaks to the rail (docs/bridge-protocol.md). Settings:
// "url" and "secret"; see each method's folder for more.
import { SettingError } from '../../errors/catalogue.ts'
import type { Channel } from '../contract.ts'
import { httpSettings } from '../http-settings.ts'
import type { Method } from '../method.ts'
import { type BankOperation, createBankRail } from '../payout/bank-rail.ts'
import type { PayoutRail } from '../payout/contract.ts'
import type { Protocol } from '../protocol.ts'
import { addressSetting, type ChannelSettings, type ChannelTools, textSetting } from '../settings.ts'
import { httpTransport, type Transport } from '../transport.ts'
import { checkBridge } from './check-bridge.ts'
import { connectors } from './connectors.ts'
import { fetchStatement } from './fetch-statement.ts'

type Operation = BankOperation | 'ping' | 'statement'

export const bridge: Protocol = (settings, tools) => {
  const { clock, timeoutMs } = tools
  const secret = textSetting(settings, 'secret')
  const url = addressSetting(settings, 'url')
  const transport = httpTransport<Operation>({ url, secret, clock, http: httpSettings(settings) })
  const rail = settings.payoutKinds.length === 0 ? undefined : railOf(settings, tools, transport)
  return {
    channels: settings.methods.map((method) => connect(settings, method, tools)),
    ...(rail && { rail }),
    check: (signal) => checkBridge(transport, settings, signal),
    statement: (day) => fetchStatement({ transport, timeoutMs }, day),
  }
}

function connect(settings: ChannelSettings, method: Method, tools: ChannelTools): Channel {
  const connector = connectors[method]
  if (connector !== undefined) return connector(settings, tools)
  throw new SettingError(`channel ${settings.name}: the protocol bridge does not serve ${method}`)
}

function railOf(
  settings: ChannelSettings,
  { clock, timeoutMs, callbackUrlOf }: ChannelTools,
  transport: Transport<BankOperation>,
): PayoutRail {
  const { name, payoutKinds: kinds } = settings
  const secret = textSetting(settings, 'secret')
  const callbackUrl = callbackUrlOf?.(name)
  return createBankRail({
    name,
    kinds,
    transport,
    secret,
    timeoutMs,
    clock,
    ...(callbackUrl !== undefined && { callbackUrl }),
  })
}
