import type { Html } from '../../platform/pages/page.ts'

export type Article = {
  readonly title: string
  /** The summary as plain text. A generated page shows it below the title. */
  readonly summary: string
  readonly body: Html
  readonly headings: readonly Heading[]
}

export type Heading = { readonly id: string; readonly text: string; readonly depth: number }

export type Passage = { readonly id: string; readonly heading: string; readonly text: string }

export type Page = {
  /** The path below /docs/. */
  readonly path: string
  readonly title: string
  readonly summary: string
  write(values: Values): Article
  passages(): readonly Passage[]
}

export type PageSection = { readonly title: string; readonly pages: readonly Page[] }

/** The values that replace placeholders such as `{{baseUrl}}` and `{{merNo}}` in pages and samples. */
export type Values = {
  readonly sandbox: boolean
  readonly baseUrl: string
  readonly merNo: string
  readonly site: string
  /** The demo merchant's key. Undefined if there is no key, or if it must not be shown. */
  readonly key: string | undefined
}

/**
 * Returns the relative path to the gateway's root. Links that begin with it also work behind a proxy that adds a path.
 */
export function rootFrom(path: string): string {
  return path === '' ? './' : '../'.repeat(path.split('/').length)
}

export function rootOf({ url }: { readonly url: string }): string {
  return rootFrom(url.replace(/\?.*/, '').replace(/^\/docs\/?/, ''))
}
