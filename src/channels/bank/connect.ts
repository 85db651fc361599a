import type { Fields } from '../../base/object.ts'
import { alarmsOf } from '../alarms.ts'
import type { StartRequest } from '../contract.ts'
import { httpSettings } from '../http-settings.ts'
import type { Method } from '../method.ts'
import { addressSetting, type Connect, flagSetting, textSetting } from '../settings.ts'
import type { MethodTraits } from '../traits.ts'
import { httpTransport } from '../transport.ts'
import { createBankChannel } from './bank-channel.ts'
import type { Reading } from './wire.ts'

/** What a method adds to the bank protocol. */
export type BankMethod = Reading & {
  readonly method: Method
  readonly traits: MethodTraits
  readonly toOpen?: (request: StartRequest) => Fields
}

/**
 * A channel over the bank protocol needs the settings "url" and "secret". With "ownDisputes" (true) it also asks for disputes;
 * only one channel of a counterparty may.
 */
export function connectBank(bankMethod: BankMethod): Connect {
  return (settings, tools) => {
    const { name } = settings
    const { clock, timeoutMs } = tools
    const secret = textSetting(settings, 'secret')
    const url = addressSetting(settings, 'url')
    const transport = httpTransport({ url, secret, clock, http: httpSettings(settings) })
    const ownDisputes = flagSetting(settings, 'ownDisputes')
    const alarms = alarmsOf(name, tools)
    return createBankChannel({
      ...bankMethod,
      name,
      transport,
      secret,
      timeoutMs,
      alarms,
      clock,
      ownDisputes,
    })
  }
}
