// The conditions of a rule, in words and as the fields of a form.
import type { Reply } from '../../api/send.ts'
import type { RiskWords } from '../../words/risk.ts'
import { countedByOf } from './names.ts'

export type Rule = Reply<'GET /risk/rules'>['rules'][number]
type Conditions = Rule['conditions']

export function inWords(conditions: Conditions, { is, per }: RiskWords): string[] {
  const { above, methods, countries, issuerCountries, bins, countriesDiffer, newCardDays, velocity } =
    conditions
  return [
    above !== undefined && is.above(above),
    methods !== undefined && is.methods(methods.join(', ')),
    countries !== undefined && is.countries(countries.join(', ')),
    issuerCountries !== undefined && is.issuerCountries(issuerCountries.join(', ')),
    bins !== undefined && is.bins(bins.join(', ')),
    countriesDiffer === true && is.countriesDiffer,
    newCardDays !== undefined && is.newCardDays(newCardDays),
    velocity?.mostPayments !== undefined &&
      is.mostPayments(velocity.mostPayments, per[velocity.per], velocity.minutes),
    velocity?.mostAmount !== undefined &&
      is.mostAmount(velocity.mostAmount, per[velocity.per], velocity.minutes),
  ].filter((text) => text !== false)
}

export function fieldsOf(conditions: Conditions) {
  const { above = '', methods, countries, bins, countriesDiffer = false, newCardDays, velocity } = conditions
  const { issuerCountries } = conditions
  return {
    above,
    methods: methods?.join(', ') ?? '',
    countries: countries?.join(', ') ?? '',
    issuerCountries: issuerCountries?.join(', ') ?? '',
    bins: bins?.join(', ') ?? '',
    countriesDiffer,
    newCardDays: String(newCardDays ?? ''),
    per: velocity?.per ?? '',
    minutes: String(velocity?.minutes ?? '60'),
    mostPayments: String(velocity?.mostPayments ?? ''),
    mostAmount: velocity?.mostAmount ?? '',
  }
}

export type ConditionFields = ReturnType<typeof fieldsOf>

export function conditionsOf(fields: ConditionFields): Conditions {
  const per = countedByOf(fields.per)
  const above = fields.above.trim()
  const mostAmount = fields.mostAmount.trim()
  return {
    ...(above !== '' && { above }),
    ...(fields.methods.trim() !== '' && { methods: split(fields.methods) }),
    ...(fields.countries.trim() !== '' && { countries: split(fields.countries) }),
    ...(fields.issuerCountries.trim() !== '' && { issuerCountries: split(fields.issuerCountries) }),
    ...(fields.bins.trim() !== '' && { bins: split(fields.bins) }),
    ...(fields.countriesDiffer && { countriesDiffer: true }),
    ...(fields.newCardDays.trim() !== '' && { newCardDays: whole(fields.newCardDays) }),
    ...(per !== undefined && {
      velocity: {
        per,
        minutes: whole(fields.minutes),
        ...(fields.mostPayments.trim() !== '' && { mostPayments: whole(fields.mostPayments) }),
        ...(mostAmount !== '' && { mostAmount }),
      },
    }),
  }
}

function split(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '')
}

/** Reads a whole number. Any other text becomes 0, which the server refuses with a problem at the field. */
function whole(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
}
