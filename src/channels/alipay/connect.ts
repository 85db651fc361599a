import { httpSettings } from '../http-settings.ts'
import { keySetting } from '../key-setting.ts'
import { addressSetting, type Connect, textSetting } from '../settings.ts'
import { createAlipayApi } from './alipay-api.ts'
import { createAlipayChannel } from './alipay-channel.ts'

/** Settings: url (of gateway.do), appId, privateKey (ours) and alipayPublicKey, both in PEM. */
export const connectAlipay: Connect = (settings, { clock, timeoutMs }) => {
  const privateKey = keySetting(settings, 'privateKey', 'private')
  const alipayKey = keySetting(settings, 'alipayPublicKey', 'public')
  const app = { url: addressSetting(settings, 'url'), appId: textSetting(settings, 'appId'), privateKey }
  const api = createAlipayApi({ app, alipayKey, clock, http: httpSettings(settings) })
  return createAlipayChannel({ name: settings.name, app, api, alipayKey, timeoutMs, clock })
}
