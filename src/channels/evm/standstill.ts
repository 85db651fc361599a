// A node that stands still answers every call, and knows nothing of what was paid since. What it says about blocks is right; that
// there is no newer one is not.
import type { Clock } from '../../base/clock.ts'
import { readBlock } from './chain.ts'
import type { EvmSettings } from './evm-settings.ts'
import { RpcFailure } from './json-rpc.ts'
import type { Head } from './nodes.ts'

const MINUTE_MS = 60_000

/** A failure if the head is older than the settings allow. Throws if nodes cannot show their head: then it is none. */
export async function findStandstill(
  { quietMinutes }: Pick<EvmSettings, 'quietMinutes'>,
  head: Head,
  clock: Clock,
  signal: AbortSignal,
): Promise<RpcFailure | undefined> {
  const time = await head.reached(async (rpc) => (await readBlock(rpc, head.number, signal)).at.getTime())
  if (clock.now().getTime() - time <= quietMinutes * MINUTE_MS) return undefined
  return new RpcFailure(
    'unavailable',
    `the chain stands at block ${head.number} of ${new Date(time).toISOString()}: check the nodes, of which one may lag behind`,
  )
}
