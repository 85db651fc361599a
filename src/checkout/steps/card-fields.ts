// The card as one group of fields. What the payer typed is kept, but neither number nor security code is ever written back.
import type { Tongue } from '../../pages/language.ts'
import type { Filling } from '../filling.ts'
import type { Question } from './fields.ts'
import { cardBrands } from './marks.ts'

export function cardQuestions({ words }: Tongue, { values, problems }: Filling): readonly Question[] {
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
