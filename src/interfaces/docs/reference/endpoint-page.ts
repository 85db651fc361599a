// The reference page of one endpoint. The page is made from the same tables that check the endpoint's requests.
import { currencyOf, withdrawTypes } from '../../../money/payouts/payout.ts'
import { assert, type Code, catalogue } from '../../../platform/errors/catalogue.ts'
import { translationOf } from '../../../platform/pages/language.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { isMethod, methodNames, methods, wordsOf } from '../../../rails/methods/methods.ts'
import { type Endpoint, type EndpointPath, endpoints, isEndpoint } from '../../merchant-api/endpoints.ts'
import { sharedFields, tablesOf } from '../../merchant-api/fields/described-tables.ts'
import type { Table } from '../../merchant-api/fields/field.ts'
import { answers, answersOf, notificationFields } from '../../merchant-api/fields/sent-fields.ts'
import { addresses, operations, summaries } from '../../merchant-api/openapi/document.ts'
import { examples } from '../../merchant-api/openapi/examples.ts'
import { type Article, type Heading, type Page, type Passage, rootFrom, type Values } from '../article.ts'
import { jsonBlock } from '../highlight.ts'
import { exampleAnswers } from './example-answers.ts'
import { fieldList, joined, placedFields } from './field-list.ts'

/** Returns the page of an endpoint. Its path is `reference` followed by the endpoint's path. */
export function endpointPage(path: EndpointPath): Page {
  const [, , summary] = operations[path]
  const page = `reference${path}`
  return {
    path: page,
    title: path,
    summary: `${summary}.`,
    write: (values) => ({
      title: `POST ${path}`,
      summary: `${summary}.`,
      ...headed(partsOf(path, values, rootFrom(page))),
    }),
    passages: () => passagesOf(path),
  }
}

function partsOf(path: EndpointPath, values: Values, root: string): Part[] {
  const endpoint: Endpoint = endpoints[path]
  return [
    part('request', 'Request', html`${headers(endpoint, root)}${requestFields(path, endpoint, values)}`),
    ...choiceParts(path, endpoint, values),
    part('response', 'Response', responseOf(path)),
    ...notificationParts(endpoint, root),
    part('errors', 'Errors', errorTable(endpoint, root)),
  ]
}

function headers({ body, signed, signedLonger, checksReferer, chosenBy }: Endpoint, root: string): Html {
  const media = body === 'json' ? 'application/json' : 'multipart/form-data'
  return html`<dl class="fields">
<div><dt><code>Content-Type</code></dt><dd><code>${media}</code></dd></div>
${
  checksReferer &&
  html`<div><dt><code>Referer</code> <span class="required">required</span></dt><dd>A page of one of the merchant's registered websites. A server sets the header itself.</dd></div>`
}
${
  chosenBy?.in === 'header' &&
  html`<div><dt><code>${chosenBy.name}</code></dt><dd>The method; see below. Without it the payment is by card.</dd></div>`
}
</dl>
<p>An <a href="${root}docs/signing">MD5 signature</a> covers ${joined(signed.map(code))} and the key, in this order.${
    signedLonger && html` With <code>${signedLonger.at(-1)}</code> it may cover that as the last field, too.`
  }</p>
`
}

function code(text: string): Html {
  return html`<code>${text}</code>`
}

function requestFields(path: EndpointPath, endpoint: Endpoint, values: Values): Html {
  const tables = tablesOf(endpoint)
  const only = tables.get('')
  if (only === undefined) {
    const shared = sharedFields([...tables.values()].map(({ table }) => table))
    return html`<p>These fields are the same for all; the sections below add to them.</p>
${fieldList(shared, 'received')}`
  }
  const shown = Object.keys(examples[path]).map((name) => exampleOf(path, name, values))
  return html`${fieldList(only.table, 'received')}${fileField(endpoint)}${shown}`
}

function fileField({ body }: Endpoint): Html | undefined {
  return body === 'json'
    ? undefined
    : html`<dl class="fields"><div><dt><code>file</code> <span class="soft">part of the form</span> <span class="required">required</span></dt><dd>The content of the file.</dd></div></dl>
`
}

function choiceParts(path: EndpointPath, endpoint: Endpoint, values: Values): Part[] {
  const tables = tablesOf(endpoint)
  if (tables.has('')) return []
  const shared = sharedFields([...tables.values()].map(({ table }) => table))
  return [...tables].map(([name, { table, values: chosen, currencies }]) => {
    const own = ownFields(table, shared)
    const how = chosen.filter((value) => value !== '').map(code)
    return part(
      name,
      nameInWords(name),
      html`<p>${chooserInWords(endpoint)} ${how.length === 0 ? 'is left out' : joined(how)}. ${
        currencies === undefined ? 'All currencies.' : `Currencies: ${currencies.join(', ')}.`
      }</p>
${own.length > 0 && fieldList(own, 'received')}${exampleOf(path, name, values)}`,
      3,
    )
  })
}

/** Returns the fields that are not in `shared`, or that are required in only one of the two tables. */
function ownFields(table: Table, shared: Table): Table {
  return table.filter((field) => {
    const same = shared.find(({ name }) => name === field.name)
    return same === undefined || same.required !== field.required
  })
}

function chooserInWords({ chosenBy }: Endpoint): Html {
  return chosenBy?.in === 'header'
    ? html`Header <code>${chosenBy.name}</code>:`
    : html`<code>${chosenBy?.name ?? ''}</code>:`
}

export function nameInWords(name: string): string {
  if (isMethod(name)) return wordsOf(name, translationOf('en').words).name
  const words = name.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function exampleOf(path: EndpointPath, name: string, values: Values): Html {
  const example = examples[path][name]
  assert(example !== undefined, 'every method has an example')
  const { checksReferer, body } = endpoints[path]
  const media = body === 'json' ? 'application/json' : 'multipart/form-data'
  const lines = [
    `POST ${path}`,
    `Content-Type: ${media}`,
    ...(checksReferer ? [`Referer: https://${values.site}/cart`] : []),
    ...(example.header ? [`paymentType: ${example.header}`] : []),
  ]
  const shown = { ...example.body, merNo: Number(values.merNo) || values.merNo, sign: '…' }
  return jsonBlock(shown, `${lines.join('\n')}\n\n`)
}

function responseOf(path: EndpointPath): Html {
  if (endpoints[path].answers === 'html')
    return html`<p>A small HTML page that leads the payer to the checkout. Pass it on as it is. A refusal is a page, too, with the code and the message.</p>
`
  const kinds = answersOf[path].map((kind) => {
    const example = { code: '00000', message: 'SUCCESS', data: exampleAnswers[kind] }
    return html`${answersOf[path].length > 1 && html`<h3>${nameInWords(kind.replace('Query', ''))}</h3>`}${fieldList(answers[kind], 'sent')}${jsonBlock(example)}`
  })
  return html`<p>HTTP 200 says only that the gateway has answered: read <code>code</code>. These are the fields of <code>data</code>; a refusal has none.</p>
${kinds}`
}

function notificationParts({ does }: Endpoint, root: string): Part[] {
  const events = addresses[does]
  if (events.length === 0) return []
  const lists = events.map(
    ([event, field]) => html`<h3>${nameInWords(event)}</h3>
<p>${summaries[event]}. Sent to <code>${field}</code>.</p>
${fieldList(notificationFields[event], 'sent')}`,
  )
  const body = html`<p>How to answer and verify them: <a href="${root}docs/notifications">Notifications</a>.</p>
${lists}`
  return [part('notifications', 'Notifications', body)]
}

function errorTable(endpoint: Endpoint, root: string): Html {
  const rows = errorsOf(endpoint).map(
    ({ code: number, message }) => html`<tr><td><code>${number}</code></td><td>${message}</td></tr>
`,
  )
  return html`<p>In the order of the checks. What to do about each: <a href="${root}docs/errors">Error codes</a>.</p>
<div class="wide" tabindex="0" role="group" aria-label="Errors"><table><thead><tr><th>Code</th><th>Message</th></tr></thead>
<tbody>${rows}</tbody></table></div>
`
}

function passagesOf(path: EndpointPath): Passage[] {
  const [, , summary] = operations[path]
  const endpoint: Endpoint = endpoints[path]
  const tables = tablesOf(endpoint)
  const sent = answersOf[path].flatMap((kind) => placedFields(answers[kind]))
  const choices = [...tables].flatMap(([name, { table, values }]) => {
    const text = `${nameInWords(name)} ${values.join(' ')}. Fields: ${namesIn(table)}`
    return name === '' ? [] : [{ id: name, heading: nameInWords(name), text }]
  })
  const fields = namesIn(
    tables.get('')?.table ?? sharedFields([...tables.values()].map(({ table }) => table)),
  )
  return [
    { id: '', heading: '', text: `${summary}. Fields: ${fields}` },
    ...choices,
    { id: 'response', heading: 'Response', text: sent.map(({ place }) => place).join(', ') },
  ]
}

function namesIn(table: Table): string {
  return placedFields(table)
    .map(({ place }) => place)
    .join(', ')
}

type Part = Heading & { readonly body: Html }

export function headed(parts: readonly Part[]): { readonly body: Html; readonly headings: Heading[] } {
  const body = html`${parts.map(
    ({ id, text, depth, body }) =>
      html`<h${depth} id="${id}">${text} <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></h${depth}>
${body}`,
  )}`
  return { body, headings: parts.map(({ id, text, depth }) => ({ id, text, depth })) }
}

export function part(id: string, text: string, body: Html, depth = 2): Part {
  return { id, text, depth, body }
}

// The codes of an endpoint, in the order of the checks. A test checks that every code of the catalogue belongs to at
// least one endpoint.

const limits: readonly Code[] = ['10020', '10021', '10022', '10023', '10024', '10025', '10016', '10017']

/** The codes of each kind of endpoint, in addition to the codes that all endpoints share. */
const ownCodes: Readonly<Record<Endpoint['does'], readonly Code[]>> = {
  pay: [
    ...(['10018', '10003', '10009', '10010', '10019', '10014', '10011', '10012', '10013'] as const),
    ...limits,
    ...(['99995', '99998'] as const),
  ],
  payout: [
    ...(['10018', '10003', '10009', '10105', '10013', '10019', '10014'] as const),
    ...limits,
    ...(['10104', '99998'] as const),
  ],
  refund: ['10026', '10009', '10003', '10103', '10102', '10101', '10104'],
  query: ['10026', '10019', '10014', '10108'],
  review: ['10106', '10026', '10102'],
}

export function errorsOf({ does, checksReferer, chosenBy }: Endpoint): { code: Code; message: string }[] {
  const codes: readonly Code[] = [
    ...(['99996', '10002', '10004', '10005'] as const),
    ...(checksReferer ? (['10006', '10007', '10008'] as const) : []),
    ...(['10015', '10107', '10109'] as const),
    ...(chosenBy === undefined ? [] : (['10000', '10001'] as const)),
    '99997',
    ...ownCodes[does],
    '99999',
  ]
  return codes.map((code) => ({ code, message: catalogue[code] }))
}

export const endpointPaths = Object.keys(endpoints).filter(isEndpoint)

export const endpointsPage: Page = generated({
  path: 'reference/endpoints',
  title: 'All endpoints',
  summary: 'All endpoints of the merchant interface, and its OpenAPI document.',
  parts: (root) => {
    const tags = [...new Set(endpointPaths.map((path) => operations[path][1]))]
    return [
      part(
        'openapi',
        'OpenAPI',
        html`<p>Every endpoint is called with POST. The interface is described for tools in <a href="${root}openapi.json">openapi.json</a> and
<a href="${root}openapi.yaml">openapi.yaml</a>, and its lists of codes, banks and currencies are at <a href="${root}reference">/reference</a>.</p>
`,
      ),
      ...tags.map((tag) =>
        part(
          tag.toLowerCase(),
          tag,
          endpointTable(root, (path) => operations[path][1] === tag),
        ),
      ),
    ]
  },
})

function endpointTable(root: string, isShown: (path: EndpointPath) => boolean): Html {
  const rows = endpointPaths.filter(isShown).map(
    (
      path,
    ) => html`<div><dt><a href="${root}docs/reference${path}"><code>${path}</code></a></dt><dd>${operations[path][2]}.</dd></div>
`,
  )
  return html`<dl class="fields">${rows}</dl>
`
}

export const methodsPage: Page = generated({
  path: 'reference/methods',
  title: 'Methods and kinds of payout',
  summary: 'The values that choose a pay-in method or a kind of payout, with their currencies.',
  parts: (root) => [
    part(
      'pay-in',
      'Pay-in methods',
      table(
        ['Method', 'paymentType', 'paymentMode', 'Currencies', 'Refunds'],
        methodNames().map((name) => {
          const { paymentTypes, paymentModes, currencies, refundable } = methods[name]
          const types = paymentTypes.filter((type) => type !== '')
          return [
            html`<a href="${root}docs/reference/payment#${name}">${nameInWords(name)}</a>`,
            types.length === 0 ? html`left out` : codes(types),
            codes([...paymentModes, ...types]),
            html`${currencies === 'any' ? 'all' : currencies.join(', ')}`,
            html`${refundable ? 'yes' : 'no'}`,
          ]
        }),
      ),
    ),
    part(
      'payouts',
      'Kinds of payout',
      table(
        ['Kind', 'withdrawType', 'Currencies'],
        [...withdrawTypes].map(([type, kind]) => [
          html`<a href="${root}docs/reference/payout#${kind}">${nameInWords(kind)}</a>`,
          codes([type]),
          html`${currencyOf[kind] ?? 'all'}`,
        ]),
      ),
    ),
  ],
})

function codes(values: readonly string[]): Html {
  return joined(values.map((value) => html`<code>${value}</code>`))
}

function table(names: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>
`
}

type Generated = {
  readonly path: string
  readonly title: string
  readonly summary: string
  parts(root: string): Parameters<typeof headed>[0]
}

function generated({ path, title, summary, parts }: Generated): Page {
  const write = (): Article => ({ title, summary, ...headed(parts(rootFrom(path))) })
  return {
    path,
    title,
    summary,
    write,
    passages: () => [{ id: '', heading: '', text: write().body.html.replace(/(<[^>]*>|\s)+/g, ' ') }],
  }
}
