// The list of endpoints, and the methods with the values that choose them.

import { currencyOf, withdrawTypes } from '../../../money/payouts/payout.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { methodNames, methods } from '../../../rails/methods/methods.ts'
import { type EndpointPath, endpoints, isEndpoint } from '../../merchant-api/endpoints.ts'
import { operations } from '../../merchant-api/openapi/document.ts'
import { type Article, type Page, rootFrom } from '../article.ts'
import { headed, nameInWords, part } from './endpoint-page.ts'
import { joined } from './field-list.ts'

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
