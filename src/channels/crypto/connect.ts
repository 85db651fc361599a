import { isObject } from '../../base/object.ts'
import { SettingError } from '../../errors/catalogue.ts'
import { connectBank } from '../bank/connect.ts'
import type { Connect, NamedSettings } from '../settings.ts'
import { addressBookSetting } from './address-setting.ts'
import { type Network, networks } from './coin.ts'
import { depositsOf } from './deposits.ts'
import { crypto } from './method.ts'
import { actionOf, type CryptoSettings } from './quote.ts'

/** Settings: "url" and "secret" of the watcher, "xpub", and "confirmations", the required confirmations per network. */

export const connectCrypto: Connect = (settings, tools) => {
  const ours: CryptoSettings = { addresses: addressBookSetting(settings), confirmations: depthsOf(settings) }
  const connect = connectBank({
    method: 'crypto',
    traits: crypto,
    reports: 'deposits',
    toOpen: ({ details: { coin, network } }) => ({ coin, network }),
    actionOf: (charge) => actionOf(charge, ours),
    depositsOf: (charge) => depositsOf(charge, ours),
  })
  return connect(settings, tools)
}

function depthsOf(settings: NamedSettings): Record<Network, number> {
  const { confirmations } = settings
  const depth = (network: Network) => {
    const value = isObject(confirmations) ? confirmations[network] : undefined
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
    throw new SettingError(
      `channel ${settings.name}: "confirmations" must have a number for ${networks.join(' and ')}`,
    )
  }
  return { ERC20: depth('ERC20'), POLYGON: depth('POLYGON') }
}
