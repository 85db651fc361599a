import { httpSettings } from '../http-settings.ts'
import { addressSetting, type Connect, textSetting } from '../settings.ts'
import { createPixApi } from './pix-api.ts'
import { createPixChannel } from './pix-channel.ts'

/** Settings: url, clientId, clientSecret, pixKey, payeeName, payeeCity, webhookSecret; optionally tokenUrl. */
export const connectPix: Connect = (settings, { clock, timeoutMs }) => {
  const url = addressSetting(settings, 'url')
  const tokenUrl = 'tokenUrl' in settings ? addressSetting(settings, 'tokenUrl') : `${url}/oauth/token`
  const text = (name: string) => textSetting(settings, name)
  const credentials = { clientId: text('clientId'), clientSecret: text('clientSecret') }
  return createPixChannel({
    name: settings.name,
    api: createPixApi({ url, tokenUrl, ...credentials, clock, http: httpSettings(settings) }),
    payee: { pixKey: text('pixKey'), payeeName: text('payeeName'), payeeCity: text('payeeCity') },
    webhookSecret: text('webhookSecret'),
    timeoutMs,
    clock,
  })
}
