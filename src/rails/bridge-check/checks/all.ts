import { type Check, NotChecked } from '../check.ts'
import { cardChecks } from './cards.ts'
import { disputeChecks } from './disputes.ts'
import { envelopeChecks } from './envelope.ts'
import { laterFields } from './later-fields.ts'
import { paymentChecks } from './payments.ts'
import { payoutChecks } from './payouts.ts'
import { refundingChecks } from './refunding.ts'
import { statement } from './statement.ts'

/**
 * Rule 4: a final outcome never changes. This check runs last, because many faults appear only some time after the
 * first answer.
 */
const finals: Check = {
  name: 'final',
  title: 'keeps what was final: paid payments and decided payouts are the same at the end of the run',
  todo: 'Give a transfer one id for good, the rail\'s own, so that a second report of it changes nothing; and write nothing over a final "status". Only "succeeded" may become "returned".',
  needs: ['lookup'],
  async run({ finals: all }) {
    if (all.length === 0) throw new NotChecked('Nothing became final in this run.')
    for (const askAgain of all) await askAgain()
  },
}

/** All checks, in the order in which they run. If a check relies on another one, the other one runs first. */
export const allChecks: readonly Check[] = [
  ...envelopeChecks,
  ...paymentChecks,
  ...refundingChecks,
  ...cardChecks,
  ...payoutChecks,
  laterFields,
  ...disputeChecks,
  statement,
  finals,
]
