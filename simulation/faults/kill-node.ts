import type { Fault } from '../fault.ts'

/** kill -9 of a gateway process, which starts again later. */
export const killNode: Fault = {
  name: 'kill a node',
  weight: 4,
  forMs: 2_000,
  async inject({ nodes }, random) {
    const node = random.pick(nodes.filter((one) => one.isRunning()))
    await node?.kill()
    return () => node?.start()
  },
}
