import { SettingError } from '../../errors/catalogue.ts'
import { httpSettings } from '../http-settings.ts'
import { keySetting } from '../key-setting.ts'
import { addressSetting, type Connect, type NamedSettings, textSetting } from '../settings.ts'
import { createWechatApi } from './wechat-api.ts'
import { createWechatChannel } from './wechat-channel.ts'

/**
 * Settings: url, mchid, appid, serial (of our certificate), privateKey, platformPublicKey (PEM), apiV3Key; mobileAppid and
 * miniProgramAppid if payers pay in a merchant's app or mini program.
 */
export const connectWechat: Connect = (settings, { clock, timeoutMs }) => {
  const url = addressSetting(settings, 'url')
  const text = (name: string) => textSetting(settings, name)
  const optionalText = (name: string) => (settings[name] === undefined ? undefined : text(name))
  const mchid = text('mchid')
  const privateKey = keySetting(settings, 'privateKey', 'private')
  const platformKey = keySetting(settings, 'platformPublicKey', 'public')
  return createWechatChannel({
    name: settings.name,
    api: createWechatApi({
      url,
      signer: { mchid, serial: text('serial'), privateKey },
      platformKey,
      clock,
      http: httpSettings(settings),
    }),
    account: {
      mchid,
      appid: text('appid'),
      mobileAppid: optionalText('mobileAppid'),
      miniProgramAppid: optionalText('miniProgramAppid'),
    },
    privateKey,
    platformKey,
    apiV3Key: apiV3Key(settings),
    unusedUrl: url,
    timeoutMs,
    clock,
  })
}

function apiV3Key(settings: NamedSettings): string {
  const key = textSetting(settings, 'apiV3Key')
  if (Buffer.byteLength(key) === 32) return key
  throw new SettingError(`channel ${settings.name}: "apiV3Key" must be 32 bytes`)
}
