import { SettingError } from '../../../platform/errors/catalogue.ts'
import { type AccountKind, payoutMethodOf } from '../../contract/payout-rail.ts'
import type { ChannelSettings } from '../../contract/settings.ts'
import type { Method } from '../../methods/methods.ts'

/** Throws if the entry lists a method or a kind of account that its protocol does not serve. */
export function checkServed(
  { name, protocol, methods, payoutKinds }: ChannelSettings,
  served: readonly Method[],
  kinds: readonly AccountKind[] = [],
): void {
  if (methods.every((one) => served.includes(one)) && payoutKinds.every((one) => kinds.includes(one))) return
  const all = [...served, ...kinds.map(payoutMethodOf)]
  throw new SettingError(`channel ${name}: the protocol ${protocol} serves ${all.join(', ')} only`)
}
