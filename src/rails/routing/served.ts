// The methods that each channel serves, under the names that routes use, such as card and payout_bank.
import type { Channel } from '../contract/channel.ts'
import { type PayoutRail, payoutMethodOf } from '../contract/payout-rail.ts'
import type { ChannelSettings } from '../contract/settings.ts'

export function methodsServedBy({
  methods,
  payoutKinds,
}: Pick<ChannelSettings, 'methods' | 'payoutKinds'>): string[] {
  return [...methods, ...payoutKinds.map(payoutMethodOf)]
}

export type Served = ReadonlyMap<string, readonly string[]>

export function servedByEntries(entries: readonly ChannelSettings[]): Served {
  return new Map(entries.map((entry) => [entry.name, methodsServedBy(entry)]))
}

export function servedBy(channels: readonly Channel[], rails: readonly PayoutRail[]): Served {
  const served = [
    ...channels.map(({ name, method }) => [name, method] as const),
    ...rails.flatMap(({ name, kinds }) => kinds.map((kind) => [name, payoutMethodOf(kind)] as const)),
  ]
  const byName = Map.groupBy(served, ([name]) => name)
  return new Map([...byName].map(([name, all]) => [name, all.map(([, method]) => method)]))
}

/** Returns the reason why no payment or payout can ever use this route; undefined if the route is right. */
export function routeProblem(
  { method, channel }: { readonly method: string; readonly channel: string },
  served: Served,
): string | undefined {
  const methods = served.get(channel)
  const known = [...served.keys()].join(', ') || 'none'
  if (methods === undefined) return `there is no channel ${channel}; channels: ${known}`
  if (methods.includes(method)) return undefined
  return `channel ${channel} does not serve ${method}, but ${methods.join(', ')}`
}
