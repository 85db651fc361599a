import type { Check } from '../check.ts'
import { cancellingChecks, declined } from './cancelling.ts'
import { cardChecks } from './cards.ts'
import { disputeChecks } from './disputes.ts'
import { envelopeChecks } from './envelope.ts'
import { finals } from './finals.ts'
import { laterFields } from './later-fields.ts'
import { openingChecks } from './opening.ts'
import { payingChecks } from './paying.ts'
import { payoutChecks } from './payouts.ts'
import { refundingChecks } from './refunding.ts'
import { statement } from './statement.ts'

/** In the order in which they run: what later ones rely on comes first. */
export const allChecks: readonly Check[] = [
  ...envelopeChecks,
  ...openingChecks,
  ...cancellingChecks,
  ...payingChecks,
  declined,
  ...refundingChecks,
  ...cardChecks,
  ...payoutChecks,
  laterFields,
  ...disputeChecks,
  statement,
  finals,
]
