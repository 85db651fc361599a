// One question of a form: its label, its input and its problem, in a cell of a group that looks like one field.
import type { AskedField } from '../../channels/traits.ts'
import type { Translation } from '../../pages/language.ts'
import { type Html, html } from '../../pages/page.ts'
import type { Problem } from '../../pages/translations/en.ts'

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
  /** Digits with a decimal point. */
  readonly decimal?: boolean
  readonly optional?: boolean
  /** Optional if another field of the form has one of these values. */
  readonly optionalWhere?: AskedField['optionalWhere'] | undefined
  readonly autocomplete?: string | undefined
  readonly choices?: readonly { readonly value: string; readonly label: string }[] | undefined
  /** Half a row wide on wide screens. */
  readonly half?: boolean
  /** The check that the script runs when the payer leaves the field. */
  readonly check?: 'cardNo' | 'cardExpiry' | 'cardSecurityCode'
  readonly mark?: Html
}

export function group(questions: readonly Question[], { words }: Translation): Html {
  return html`<div class="group">${questions.map((question) => cell(question, words))}</div>`
}

type Words = Translation['words']

function cell(question: Question, words: Words): Html {
  const { id, label, problem, half, hint, mark } = question
  const control = question.choices === undefined ? input(question) : select(question, words)
  return html`<div class="cell${half && ' half'}">
<label for="${id}">${label}</label>
${control}${mark}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<p class="problem" id="${id}-problem">${problem && words.problems[problem]}</p>
</div>`
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
  } = question
  return html`<input type="${type}"${named(question)} value="${value}" maxlength="${maxLength}" autocomplete="${autocomplete}"${
    numeric && html` inputmode="numeric"`
  }${decimal && html` inputmode="decimal"`}${check && html` data-check="${check}"`}>`
}

function select(question: Question, words: Words): Html {
  const { value = '', choices = [], autocomplete } = question
  const options = [{ value: '', label: words.choose.pick }, ...choices].map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
  )
  return html`<select${named(question)}${autocomplete && html` autocomplete="${autocomplete}"`}>${options}</select>`
}

/** The element for the problem always exists, so that the script can fill it. */
function named({ id, name, optional, optionalWhere, problem, hint }: Question): Html {
  const described = [hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(' ')
  const isRequired = optional !== true && optionalWhere === undefined
  return html` id="${id}" name="${name}"${isRequired && html` required`}${
    optionalWhere &&
    html` data-decided-by="${optionalWhere.field}" data-optional-in="${optionalWhere.values.join(' ')}"`
  }${problem && html` aria-invalid="true"`} aria-describedby="${described}"`
}

/** For the script, so that it shows the same texts as the server. */
export function problemMessages({ words }: Translation): string {
  const { missing, invalid, email, cardNumber, expiry, expired, securityCode, securityCodeInFront } =
    words.problems
  const card = { cardNumber, expiry, expired, securityCode, securityCodeInFront }
  return JSON.stringify({ missing, invalid, email, ...card })
}
