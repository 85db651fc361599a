import { SettingError } from '../../errors/catalogue.ts'
import { alarmsOf } from '../alarms.ts'
import { httpSettings } from '../http-settings.ts'
import { addressSetting, type Connect, type NamedSettings, textSetting } from '../settings.ts'
import type { AskedField } from '../traits.ts'
import { httpTransport } from '../transport.ts'
import { createCardChannel } from './card-channel.ts'
import { billingAsks, isBillingField } from './method.ts'

export const connectCard: Connect = (settings, tools) => {
  const { clock, timeoutMs } = tools
  const secret = textSetting(settings, 'secret')
  const url = addressSetting(settings, 'url')
  const transport = httpTransport({ url, secret, clock, http: httpSettings(settings) })
  return createCardChannel({
    name: settings.name,
    transport,
    secret,
    timeoutMs,
    alarms: alarmsOf(settings.name, tools),
    clock,
    asks: asksSetting(settings),
  })
}

/** Further billing fields that the page asks for, by their names in the interface. */
function asksSetting({ name, payerFields = [] }: NamedSettings): readonly AskedField[] {
  const isList = Array.isArray(payerFields) && payerFields.every((field) => isBillingField(String(field)))
  if (!isList) throw new SettingError(`channel ${name}: "payerFields" must be a list of billing fields`)
  return billingAsks(payerFields)
}
