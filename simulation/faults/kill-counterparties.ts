import type { Fault } from '../fault.ts'

/** All counterparties are away for a while. They keep their books. */
export const killCounterparties: Fault = {
  name: 'kill the counterparties',
  weight: 1,
  forMs: 2_000,
  async inject({ counterparties }) {
    await counterparties.kill()
    return () => counterparties.start()
  },
}
