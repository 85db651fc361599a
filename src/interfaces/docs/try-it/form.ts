// The form "Try it" of an endpoint, with the fields of an example and their values, and below them all other fields.
import { randomBytes } from 'node:crypto'
import type { Form } from '../../../platform/pages/form.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { type Endpoint, type EndpointPath, endpoints, isEndpoint } from '../../merchant-api/endpoints.ts'
import { tablesOf } from '../../merchant-api/fields/described-tables.ts'
import type { Field, Table } from '../../merchant-api/fields/field.ts'
import { type Example, examples } from '../../merchant-api/openapi/examples.ts'
import type { Json } from '../../merchant-api/openapi/schemas.ts'
import type { Values } from '../article.ts'
import { nameInWords } from '../reference/endpoint-page.ts'

/** The prefix of the request's fields in the form. The prefix distinguishes these fields from the form's own fields. */
export const FIELD = 'f.'

export type Filled = Readonly<Record<string, string>>

const signerSets: readonly string[] = ['merNo', 'sign']

export type FormState = {
  /** The values that replace the values of the example. */
  readonly filled: Filled
  readonly result?: Html | undefined
  readonly isOpen: boolean
}

export function tryForm(target: Target, values: Values, root: string, state: FormState): Html {
  const { path, name, example, table } = target
  const { filled, result, isOpen } = state
  const start = { ...startValues(target, values), ...filled }
  const fields = table.filter((field) => !signerSets.includes(field.name))
  const isShown = (field: Field) => Object.hasOwn(example.body, field.name)
  const others = fields.filter((field) => !isShown(field))
  const { signed, signedLonger, checksReferer, body }: Endpoint = endpoints[path]
  return html`<details class="try" id="try"${isOpen && html` open`}><summary>Try it</summary>
<p>Sends a request to this sandbox and shows what was signed, sent and answered. No money moves.</p>
${chooser(target, root)}
<form method="post" action="${root}docs/try${path}#result" data-signed="${signed.join(' ')}"${signedLonger && html` data-signed-longer="${signedLonger.join(' ')}"`}>
<input type="hidden" name="example" value="${name}">
<input type="hidden" name="${FIELD}merNo" value="${values.merNo}" data-type="merNo">
<input type="hidden" name="${FIELD}sign" value="">
${signer(values, checksReferer)}
<fieldset><legend>Fields</legend>
${fields.filter(isShown).map((field) => input(field, start[field.name] ?? ''))}${body === 'multipart' && fileInput()}</fieldset>
${
  others.length > 0 &&
  html`<details><summary>All other fields</summary>
${others.map((field) => input(field, start[field.name] ?? ''))}</details>`
}
<button class="button">Send the request</button>
</form>
<div id="result" tabindex="-1">${result}</div>
</details>
`
}

function chooser({ path, name }: Target, root: string): Html | undefined {
  const names = exampleNames(path)
  if (names.length < 2) return undefined
  const options = names.map(
    (one) => html`<option value="${one}"${one === name && html` selected`}>${nameInWords(one)}</option>`,
  )
  return html`<form class="chooser" method="get" action="${root}docs/reference${path}#try">
<label for="example">Example</label>
<select id="example" name="example">${options}</select>
<button class="button quiet">Load</button>
</form>`
}

// The input for the key has no `name`. Therefore no browser sends the key, even if the form is submitted without the
// script.
function signer({ merNo, site }: Values, checksReferer: boolean): Html {
  return html`<fieldset><legend>Signed by</legend>
<label class="choice"><input type="radio" name="by" value="demo" checked> The demo merchant, ${merNo}. The gateway signs.</label>
<label class="choice"><input type="radio" name="by" value="own"> Your own merchant. This browser signs; the key is not sent. Needs JavaScript.</label>
<div class="own">
<p class="cell"><label for="own-number">Merchant number</label><input id="own-number" inputmode="numeric" autocomplete="off"></p>
${
  checksReferer &&
  html`<p class="cell"><label for="own-site">Registered website, for the Referer</label><input id="own-site" name="site" value="${site}" autocomplete="off"></p>`
}
<p class="cell tall"><label for="own-key">Merchant key, or private RSA key in PEM</label><textarea id="own-key" rows="2" autocomplete="off" spellcheck="false"></textarea></p>
</div>
</fieldset>`
}

function input(field: Field, value: string): Html {
  const { name, type } = field
  const label = html`<label for="f-${name}">${name}</label>`
  const attributes = html`id="f-${name}" name="${FIELD}${name}" data-type="${type}"`
  if (type === 'object' || type === 'list')
    return html`<p class="cell tall">${label}<textarea ${attributes} rows="${value === '' ? 1 : 5}" spellcheck="false">${value}</textarea></p>
`
  const choices = type === 'boolean' ? ['true', 'false'] : field.oneOf
  if (choices !== undefined)
    return html`<p class="cell">${label}<select ${attributes}>${['', ...choices].map(
      (one) => html`<option value="${one}"${one === value && html` selected`}>${one}</option>`,
    )}</select></p>
`
  return html`<p class="cell">${label}<input ${attributes} value="${value}" autocomplete="off" spellcheck="false"></p>
`
}

function fileInput(): Html {
  return html`<p class="cell tall"><label for="file">file: its content</label><textarea id="file" name="file" rows="1" spellcheck="false">%PDF-1.7</textarea></p>
`
}

/**
 * Returns the values with which the form opens. The order number is new, or empty if the request is about an existing
 * order.
 */
function startValues({ path, example }: Target, { baseUrl }: Values): Record<string, string> {
  const shown = Object.entries(example.body).map(([name, value]) => [name, inForm(value)])
  const opensOrder = endpoints[path].does === 'pay' || endpoints[path].does === 'payout'
  return {
    ...Object.fromEntries(shown),
    merOrderNo: opensOrder ? newNumber() : '',
    tradeNo: '',
    merRefundNo: path === '/refund/apply' ? newNumber() : '',
    returnUrl: `${baseUrl}/docs`,
    notifyUrl: '',
  }
}

function newNumber(): string {
  return `TRY-${randomBytes(6).toString('hex')}`
}

export function isMadeNumber(text: string): boolean {
  return /^TRY-[0-9a-f]{12}$/.test(text)
}

function inForm(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value)
}

// An endpoint, and the example whose fields first fill the form.

export type Target = {
  readonly path: EndpointPath
  readonly name: string
  readonly example: Example
  readonly table: Table
}

/**
 * Finds the endpoint whose page has this path below /docs/reference, and the wanted example. Undefined if the endpoint
 * is unknown. If the example is unknown, the first example is used.
 */
export function targetOf(page: string, wanted: unknown): Target | undefined {
  if (!isEndpoint(page)) return undefined
  const shown = Object.entries(examples[page])
  const [name, example] = shown.find(([one]) => one === wanted) ?? shown[0] ?? []
  if (name === undefined || example === undefined) return undefined
  const tables = tablesOf(endpoints[page])
  const { table = [] } = tables.get(name) ?? tables.get('') ?? {}
  return { path: page, name, example, table }
}

function exampleNames(path: EndpointPath): string[] {
  return Object.keys(examples[path])
}

// If a text does not fit the type of its field, the text is sent unchanged, because the gateway's own refusal explains
// the problem best.

export type Body = Readonly<Record<string, unknown>>

export function bodyOf(table: Table, form: Form): Body {
  const entries = table.flatMap((field) => {
    const text = form[FIELD + field.name] ?? ''
    return text === '' ? [] : [[field.name, fieldValue(field, text)]]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the value of a field. The script try-it.js converts texts in the same way, so that it signs the same body.
 */
function fieldValue({ type }: Pick<Field, 'type'>, text: string): unknown {
  switch (type) {
    case 'text':
      return text
    case 'integer':
    case 'merNo':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'object':
    case 'list':
      return parsed(text)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
