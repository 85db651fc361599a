// The questions of a form. A group of questions looks like one field.

import { countries } from '../../../platform/pages/countries.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import type { Problem } from '../../../platform/pages/translations/en.ts'
import type { AskedField } from '../../../rails/methods/traits.ts'
import type { CheckoutView, FormState, MethodChoice } from '../view.ts'
import { acceptedBrands, type BrandMarks } from './brand-marks.ts'

export type Question = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly problem?: Problem | undefined
  readonly hint?: string | undefined
  readonly maxLength?: number
  readonly type?: 'text' | 'email' | 'tel'
  readonly numeric?: boolean
  readonly decimal?: boolean
  readonly optional?: boolean
  /** The values of another field that make this field optional. */
  readonly optionalWhere?: AskedField['optionalWhere'] | undefined
  readonly autocomplete?: string | undefined
  readonly choices?: readonly { readonly value: string; readonly label: string }[] | undefined
  readonly half?: boolean
  /** The check that the script makes when the payer leaves the field. */
  readonly check?: 'cardNo' | 'cardExpiry' | 'cardSecurityCode'
  readonly marks?: BrandMarks
  /** True if the browser keeps the entered value for the form that is shown after a decline. */
  readonly kept?: boolean
}

export function group(questions: readonly Question[], { words }: Translation): Html {
  return html`<div class="group">${questions.map((question) => cell(question, words))}</div>`
}

type Words = Translation['words']

function cell(question: Question, words: Words): Html {
  const { id, label, problem, half, hint, marks } = question
  const control = question.choices === undefined ? input(question) : select(question, words)
  return html`<div class="cell${half && ' half'}">
<label for="${id}">${label}</label>
${control}${marks && brandMarks(id, marks)}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<p class="problem" id="${id}-problem">${problem && words.problems[problem]}</p>
</div>`
}

function brandMarks(id: string, { label, pictures }: BrandMarks): Html {
  return html`<span class="brands" role="img" id="${id}-brands" aria-label="${label}">${pictures}</span>`
}

function input(question: Question): Html {
  const {
    value = '',
    maxLength = 255,
    type = 'text',
    numeric,
    decimal,
    autocomplete = 'off',
    check,
    marks,
    kept,
  } = question
  return html`<input type="${type}"${named(question)} value="${value}" maxlength="${maxLength}" autocomplete="${autocomplete}"${
    numeric && html` inputmode="numeric"`
  }${decimal && html` inputmode="decimal"`}${check && html` data-check="${check}"`}${kept && html` data-kept`}${
    // The style sheet recognises an empty field by the blank placeholder.
    marks && html` placeholder=" "`
  }>`
}

function select(question: Question, words: Words): Html {
  const { value = '', choices = [], autocomplete, kept } = question
  const options = [{ value: '', label: words.choose.pick }, ...choices].map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
  )
  return html`<select${named(question)}${autocomplete && html` autocomplete="${autocomplete}"`}${kept && html` data-kept`}>${options}</select>`
}

/**
 * Returns the attributes of a control. The element of the problem is always named, because the script may put a problem
 * there later.
 */
function named({ id, name, optional, optionalWhere, problem, hint, marks }: Question): Html {
  const described = [marks && `${id}-brands`, hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(' ')
  const isRequired = optional !== true && optionalWhere === undefined
  return html` id="${id}" name="${name}"${isRequired && html` required`}${
    optionalWhere &&
    html` data-decided-by="${optionalWhere.field}" data-optional-in="${optionalWhere.values.join(' ')}"`
  }${problem && html` aria-invalid="true"`} aria-describedby="${described}"`
}

/** Returns the texts of problems for the script. The server uses the same texts. */
export function problemMessages({ words }: Translation): string {
  const { missing, invalid, email, cardNumber, expiry, expired, securityCode, securityCodeInFront } =
    words.problems
  const card = { cardNumber, expiry, expired, securityCode, securityCodeInFront }
  return JSON.stringify({ missing, invalid, email, ...card })
}

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
    kept: asked.personal !== true,
    ...optionalRule(asked, choice),
  }))
}

/** Returns `optionalWhere` if another question of the form decides whether the field is needed. */
function optionalRule(
  { optionalWhere }: AskedField,
  { asks }: MethodChoice,
): Pick<Question, 'optionalWhere'> {
  return asks.some(({ name }) => name === optionalWhere?.field) ? { optionalWhere } : {}
}

/**
 * Returns the choices of a field. Country names are in the page's language. Other choices are translated if a
 * translation exists.
 */
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

// The questions for card data. If the form is shown again, the expiry date is filled in, but never the card number or
// the security code.

export function cardQuestions(
  accepted: CheckoutView['cardBrands'],
  translation: Translation,
  { values, problems }: FormState,
): readonly Question[] {
  const { words } = translation
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
      marks: acceptedBrands(accepted, translation),
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
