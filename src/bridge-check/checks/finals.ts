// Rule 4: final is final. Asked at the end of the run, because much goes wrong only after the first answer.
import { type Check, NotChecked } from '../check.ts'

export const finals: Check = {
  name: 'final',
  title: 'keeps what was final: paid payments and decided payouts are the same at the end of the run',
  todo: 'Give a transfer one id for good, the rail\'s own, so that a second report of it changes nothing; and write nothing over a final "status". Only "succeeded" may become "returned".',
  needs: ['lookup'],
  async run({ finals: all }) {
    if (all.length === 0) throw new NotChecked('Nothing became final in this run.')
    for (const askAgain of all) await askAgain()
  },
}
