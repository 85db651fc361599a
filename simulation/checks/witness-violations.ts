import type { Check } from '../check.ts'

export const witnessViolations: Check = {
  name: 'answers do not contradict each other',
  promise: 'What merchants were answered at one time agrees with what they were answered at another.',
  async run({ witness }) {
    return { compared: witness.orders.size + witness.refunds.size, findings: witness.violations }
  },
}
