import type { Fault } from '../fault.ts'
import { pickRunning } from './pick-node.ts'

/** A process that does not run for a while and then goes on, unaware: its leases and time-outs may be over. */
export const freezeNode: Fault = {
  name: 'freeze a node',
  weight: 6,
  forMs: 8_000,
  async inject(world, random) {
    const node = pickRunning(world, random)
    node?.freeze()
    return () => node?.thaw()
  },
}
