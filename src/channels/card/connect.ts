import { addressSetting, type Connect, textSetting } from '../settings.ts'
import { httpTransport } from '../transport.ts'
import { createCardChannel } from './card-channel.ts'

export const connectCard: Connect = (settings, { clock, timeoutMs }) => {
  const secret = textSetting(settings, 'secret')
  const transport = httpTransport({ url: addressSetting(settings, 'url'), secret, clock })
  return createCardChannel({ name: settings.name, transport, secret, timeoutMs, clock })
}
