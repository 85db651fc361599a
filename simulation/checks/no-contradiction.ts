import type { Check } from '../check.ts'

export const noContradiction: Check = {
  name: 'no contradiction',
  promise:
    'No answer contradicts an earlier one: a decision stays, a number is used once, a page stays the same.',
  async run({ witness }) {
    return { compared: witness.comparisons, findings: witness.violations }
  },
}
