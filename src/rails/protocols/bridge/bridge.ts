// Our own protocol: signed JSON over HTTP to a bridge, a program that speaks to the rail (docs/bridge-protocol.md). Settings:
// "url" and "secret"; see each method's folder for more.
import { isObject } from '../../base/object.ts'
import { SettingError } from '../../errors/catalogue.ts'
import { alarmsOf } from '../alarms.ts'
import type { Channel } from '../contract.ts'
import { httpSettings } from '../http-settings.ts'
import { type BankOperation, createBankRail } from '../payout/bank-rail.ts'
import type { PayoutRail } from '../payout/contract.ts'
import type { Protocol } from '../protocol.ts'
import { addressSetting, type ChannelSettings, type ChannelTools, textSetting } from '../settings.ts'
import { readSignedCallback } from '../signed-callback.ts'
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
  if (settings.payoutKinds.includes('coin'))
    throw new SettingError(`channel ${settings.name}: payout_coin needs the protocol evm`)
  const rail = settings.payoutKinds.length === 0 ? undefined : railOf(settings, tools, transport)
  const channels = settings.methods.map((method) => connectors[method](settings, tools))
  return {
    channels: channels.length > 1 ? channels.map((one) => asking(one, secret, tools)) : channels,
    ...(rail && { rail }),
    check: (signal) => checkBridge(transport, settings, signal),
    statement: (day) => fetchStatement({ transport, timeoutMs }, day),
  }
}

/**
 * Methods read charges in different ways, and a callback does not name its method: a transfer read as a wallet's payment would
 * lose what the payer sent too much. So with several methods it only makes us ask, which is done by the payment's own method.
 */
function asking(channel: Channel, secret: string, tools: ChannelTools): Channel {
  const { clock, storeOf } = tools
  return {
    ...channel,
    readCallback: (callback) =>
      readSignedCallback(callback, {
        secret,
        now: clock.now(),
        alarms: alarmsOf(channel.name, tools),
        async read(body) {
          const reference = referenceIn(body)
          if (reference === undefined) return undefined
          await storeOf(channel.name).write([], [reference])
          return 'asked'
        },
      }),
  }
}

/** Cards and wallet tokens name it differently. */
function referenceIn(body: unknown): string | undefined {
  const { reference, merchantReference } = isObject(body) ? body : {}
  const found = merchantReference ?? reference
  return typeof found === 'string' && /^[\w-]{1,64}$/.test(found) ? found : undefined
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
