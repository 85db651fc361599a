import { isObject } from '../../../platform/base/object.ts'
import { type Connect, type NamedSettings, textSetting } from '../../contract/settings.ts'
import { base64In, objectIn, publicKeyOfSpki, timeIn } from '../../toolkit/wallet-token.ts'
import { createWalletChannel } from '../bridge/wallet/wallet-channel.ts'
import { privateKeysSetting, readSetting, walletSettings } from '../bridge/wallet/wallet-settings.ts'
import { type GooglePayKeys, openGooglePayToken, type RootKey } from './token.ts'

/**
 * Settings in addition to the shared wallet settings: "recipientId" (gateway:… or merchant:…), "privateKeys", whose
 * public keys Google has, and "rootKeys", the JSON of Google's root signing keys.
 */
export const connectGooglePay: Connect = (settings, tools) => {
  const keys: GooglePayKeys = {
    recipientId: textSetting(settings, 'recipientId'),
    rootKeys: readSetting(settings, 'rootKeys', () => rootKeysOf(settings)),
    privateKeys: privateKeysSetting(settings),
  }
  return createWalletChannel({
    ...walletSettings(settings, tools),
    ...tools,
    method: 'google_pay',
    label: 'Google Pay',
    openToken: (text, { merNo }) => openGooglePayToken(text, keys, merNo, tools.clock.now()),
  })
}

/** Returns Google's root keys for ECv2. Keys for other protocols, which the setting also contains, are ignored. */
function rootKeysOf(settings: NamedSettings): RootKey[] {
  const { keys } = objectIn(settings, 'rootKeys')
  const ours = (Array.isArray(keys) ? keys : []).filter(
    (key) => isObject(key) && key.protocolVersion === 'ECv2',
  )
  if (ours.length === 0) throw new Error('no root key of this protocol')
  return ours.map((key) => ({
    key: publicKeyOfSpki(base64In(key, 'keyValue')),
    expiresAt: timeIn(key, 'keyExpiration'),
  }))
}
