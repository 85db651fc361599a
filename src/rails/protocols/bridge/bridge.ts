// Our own protocol: signed JSON over HTTP to a bridge, a program that speaks to the rail (docs/bridge-protocol.md).
// Settings: "url", "secret", and those in the files of the methods.
import { isObject } from '../../../platform/base/object.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import type { PayoutRail } from '../../contract/payout-rail.ts'
import type { Protocol } from '../../contract/protocol.ts'
import {
  addressSetting,
  type ChannelSettings,
  type ChannelTools,
  textSetting,
} from '../../contract/settings.ts'
import { alarmsOf } from '../../toolkit/alarms.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import { httpTransport, type Transport } from '../../toolkit/transport.ts'
import { isAuthentic, readSignedCallback } from './callback.ts'
import { checkBridge } from './check-bridge.ts'
import { connectorOf } from './connectors.ts'
import { fetchStatement } from './fetch-statement.ts'
import { type BankOperation, createBankRail } from './payout/bank-rail.ts'

type Operation = BankOperation | 'ping' | 'statement'

export const bridge: Protocol = (settings, tools) => {
  const { clock, timeoutMs } = tools
  const secret = textSetting(settings, 'secret')
  const url = addressSetting(settings, 'url')
  const transport = httpTransport<Operation>({ url, secret, clock, http: httpSettings(settings) })
  if (settings.payoutKinds.includes('coin'))
    throw new SettingError(`channel ${settings.name}: payout_coin needs the protocol evm`)
  const rail = settings.payoutKinds.length === 0 ? undefined : railOf(settings, tools, transport)
  const channels = settings.methods.map((method) => connectorOf(method)(settings, tools))
  const sheetSecret = settings.walletUrl === undefined ? undefined : textSetting(settings, 'walletSecret')
  return {
    channels:
      channels.length > 1 ? channels.map((one) => asking(one, { secret, sheetSecret }, tools)) : channels,
    ...(rail && { rail }),
    check: (signal) => checkBridge(transport, settings, signal),
    statement: (day) => fetchStatement({ transport, timeoutMs }, day),
  }
}

type Secrets = { readonly secret: string; readonly sheetSecret: string | undefined }

/**
 * Makes callbacks about payments only trigger a query by the payment's own channel. An entry with several methods needs
 * this, because a callback does not name its method, and methods read charges differently. If a bank transfer were read
 * as a wallet payment, an overpayment would be lost. The bridge and the payment sheet sign with different secrets.
 */
function asking(channel: Channel, { secret, sheetSecret }: Secrets, tools: ChannelTools): Channel {
  const { clock, storeOf } = tools
  return {
    ...channel,
    readCallback: async (callback) => {
      const isOfSheet = sheetSecret !== undefined && isAuthentic(callback, sheetSecret, clock.now())
      return readSignedCallback(callback, {
        secret: isOfSheet ? sheetSecret : secret,
        paymentsOnly: isOfSheet && sheetSecret !== secret,
        now: clock.now(),
        alarms: alarmsOf(channel.name, tools),
        async read(body) {
          const reference = referenceIn(body)
          if (reference === undefined) return undefined
          await storeOf(channel.name).write([], [reference])
          return 'asked'
        },
      })
    },
  }
}

/** Returns the payment's reference. Callbacks about cards and wallet tokens name it `merchantReference`. */
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
