import { SettingError } from '../errors/catalogue.ts'
import { checkByAsking } from './check-by-asking.ts'
import type { Method } from './method.ts'
import type { Protocol } from './protocol.ts'
import type { Connect } from './settings.ts'

/** A protocol that serves one method and no payouts. */
export function singleMethod(method: Method, connect: Connect): Protocol {
  return (settings, tools) => {
    const others = settings.methods.filter((one) => one !== method)
    if (others.length > 0 || settings.payoutKinds.length > 0)
      throw new SettingError(
        `channel ${settings.name}: the protocol ${settings.protocol} serves ${method} only`,
      )
    const channel = connect(settings, tools)
    return { channels: [channel], check: () => checkByAsking(channel, undefined) }
  }
}
