import type { Fault } from '../fault.ts'

/** A deployment: the new process starts beside the old one, which then finishes its work and ends. */
export const replaceNode: Fault = {
  name: 'replace a node',
  weight: 1,
  forMs: 1,
  async inject({ nodes }, random) {
    await random.pick(nodes.filter((one) => one.isRunning()))?.replace()
    return () => {}
  },
}
