// The card as one group of fields. The form keeps what the payer typed, but never the card number and security code.
import type { Translation } from '../../pages/language.ts'
import type { FormState } from '../form/form-state.ts'
import { cardBrands } from './brand-marks.ts'
import type { Question } from './fields.ts'

export function cardQuestions({ words }: Translation, { values, problems }: FormState): readonly Question[] {
  const { cardNo, cardExpiry, cardSecurityCode } = words.fields
  const numeric = { numeric: true } as const
  return [
    {
      ...numeric,
      id: 'card-cardNo',
      name: 'cardNo',
      label: cardNo,
      problem: problems.cardNo,
      maxLength: 23,
      autocomplete: 'cc-number',
      check: 'cardNo',
      mark: cardBrands,
    },
    {
      ...numeric,
      id: 'card-cardExpiry',
      name: 'cardExpiry',
      label: cardExpiry,
      value: values.cardExpiry,
      problem: problems.cardExpiry,
      maxLength: 9,
      autocomplete: 'cc-exp',
      check: 'cardExpiry',
      half: true,
    },
    {
      ...numeric,
      id: 'card-cardSecurityCode',
      name: 'cardSecurityCode',
      label: cardSecurityCode,
      problem: problems.cardSecurityCode,
      hint: words.choose.codeHint,
      maxLength: 4,
      autocomplete: 'cc-csc',
      check: 'cardSecurityCode',
      half: true,
    },
  ]
}
