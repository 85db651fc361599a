import type { Check } from '../check.ts'
import type { Violation } from '../witness.ts'

export const noContradiction: Check = {
  name: 'no contradiction',
  promise:
    'No answer contradicts an earlier one: a decision stays, a number is used once, a page stays the same.',
  async run({ witness, db }) {
    const findings: Violation[] = []
    for (const violation of witness.violations)
      if (!(await violation.isExcused?.(db))) findings.push(violation)
    return { compared: witness.comparisons, findings }
  },
}
