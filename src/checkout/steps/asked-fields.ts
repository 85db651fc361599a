// The questions for the fields that a method needs beyond the card.
import type { AskedField } from '../../channels/traits.ts'
import { countries } from '../../pages/countries.ts'
import type { Translation } from '../../pages/language.ts'
import type { FormState } from '../form/form-state.ts'
import type { MethodChoice } from '../view.ts'
import type { Question } from './fields.ts'

const halves = /(FirstName|LastName|City|State|ZipCode|Country)$|^(coin|network)$/

export function askedQuestions(
  choice: MethodChoice,
  translation: Translation,
  formState: FormState,
): readonly Question[] {
  return choice.asks.map((asked) => ({
    id: `${choice.method}-${asked.name}`,
    name: asked.name,
    label: labelOf(translation.words.fields, asked.name, asked.name),
    value: formState.values[asked.name],
    problem: formState.problems[asked.name],
    maxLength: asked.maxLength,
    type: typeOf(asked.name),
    numeric: asked.numeric === true,
    autocomplete: asked.autocomplete,
    choices: choicesOf(asked, translation),
    half: halves.test(asked.name),
    ...optionalRule(asked, choice),
  }))
}

/** If another question decides whether the field is needed, the script and the server apply the rule. */
function optionalRule(
  { optionalWhere }: AskedField,
  { asks }: MethodChoice,
): Pick<Question, 'optionalWhere'> {
  return asks.some(({ name }) => name === optionalWhere?.field) ? { optionalWhere } : {}
}

/** Country names are in the reader's language; other choices are translated by field and value where there is a text. */
function choicesOf(asked: AskedField, { words, locale }: Translation): Question['choices'] {
  if (asked.name.endsWith('Country')) return countries(locale)
  return asked.choices?.map(({ value, label }) => ({
    value,
    label: labelOf(words.choices, `${asked.name}.${value}`, label),
  }))
}

function typeOf(name: string): 'text' | 'email' | 'tel' {
  if (/email$/i.test(name)) return 'email'
  return /phone$/i.test(name) ? 'tel' : 'text'
}

export function labelOf(words: Readonly<Record<string, string>>, key: string, fallback: string): string {
  return Object.hasOwn(words, key) ? (words[key] ?? fallback) : fallback
}
