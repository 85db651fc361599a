import type { Fault } from '../fault.ts'
import { pickRunning } from './pick-node.ts'

/** kill -9 of a gateway process, which starts again later. */
export const killNode: Fault = {
  name: 'kill a node',
  weight: 4,
  forMs: 2_000,
  async inject(world, random) {
    const node = pickRunning(world, random)
    await node?.kill()
    return () => node?.start()
  },
}
