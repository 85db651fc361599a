import type { Check } from '../check.ts'
import { bookChecks } from './books.ts'
import { cancellingChecks, declined } from './cancelling.ts'
import { cardChecks } from './cards.ts'
import { envelopeChecks } from './envelope.ts'
import { laterFields } from './later-fields.ts'
import { openingChecks } from './opening.ts'
import { payingChecks } from './paying.ts'
import { payoutChecks } from './payouts.ts'
import { refundingChecks } from './refunding.ts'

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
  ...bookChecks,
]
