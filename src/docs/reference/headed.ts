// Pages that are made by code: parts with a heading, and their list of headings.
import { type Html, html } from '../../pages/page.ts'
import type { Heading } from '../article.ts'

export type Part = Heading & { readonly body: Html }

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
