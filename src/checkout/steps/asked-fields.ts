// What a method asks for beyond the card, worded for the payer.
import type { AskedField } from '../../channels/traits.ts'
import { countries } from '../../pages/countries.ts'
import type { Tongue } from '../../pages/language.ts'
import type { Filling } from '../filling.ts'
import type { MethodChoice } from '../view.ts'
import type { Question } from './fields.ts'

const halves = /(FirstName|LastName|City|State|ZipCode|Country)$|^(coin|network)$/

export function askedQuestions(choice: MethodChoice, tongue: Tongue, filling: Filling): readonly Question[] {
  return choice.asks.map((asked) => ({
    id: `${choice.method}-${asked.name}`,
    name: asked.name,
    label: labelOf(tongue.words.fields, asked.name, asked.name),
    value: filling.values[asked.name],
    problem: filling.problems[asked.name],
    maxLength: asked.maxLength,
    type: typeOf(asked.name),
    numeric: asked.numeric === true,
    autocomplete: asked.autocomplete,
    choices: choicesOf(asked, tongue),
    half: halves.test(asked.name),
    ...openness(asked, choice),
  }))
}

/** What another question decides is left open: the script and the server know the answer. */
function openness({ optionalWhere }: AskedField, { asks }: MethodChoice): Pick<Question, 'optionalWhere'> {
  return asks.some(({ name }) => name === optionalWhere?.field) ? { optionalWhere } : {}
}

/** Countries are listed in the reader's language; a choice that is no proper name is worded by its field and value. */
function choicesOf(asked: AskedField, { words, locale }: Tongue): Question['choices'] {
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

export function labelOf(words: Readonly<Record<string, string>>, key: string, otherwise: string): string {
  return Object.hasOwn(words, key) ? (words[key] ?? otherwise) : otherwise
}
