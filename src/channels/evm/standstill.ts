// A node that stands still answers every call, and knows nothing of what was paid since. What it says about blocks is right; that
// there is no newer one is not.
import type { Clock } from '../../base/clock.ts'
import type { EvmSettings } from './evm-settings.ts'
import { RpcFailure } from './json-rpc.ts'
import type { Head } from './nodes.ts'

const MINUTE_MS = 60_000

/** A failure if the head is older than the settings allow. */
export function findStandstill(
  { quietMinutes }: Pick<EvmSettings, 'quietMinutes'>,
  { number, at }: Head,
  clock: Clock,
): RpcFailure | undefined {
  if (clock.now().getTime() - at.getTime() <= quietMinutes * MINUTE_MS) return undefined
  return new RpcFailure(
    'unavailable',
    `the chain stands at block ${number} of ${at.toISOString()}: check the nodes, of which one may lag behind`,
  )
}
