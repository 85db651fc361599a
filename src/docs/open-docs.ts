// Everything that serves the documentation. Loaded at the first visit: a gateway whose documentation nobody reads spends
// nothing on it.
import { html } from '../pages/page.ts'
import type { Values } from './article.ts'
import { addressOf, nameOf, resultsOf } from './search-page.ts'
import { openSite, type SiteSettings } from './site.ts'
import { showEndpoint, showTry, type Try } from './try-it/show-endpoint.ts'

const MOST_SUGGESTIONS = 8

export type Docs = Awaited<ReturnType<typeof openDocs>>

export async function openDocs(settings: SiteSettings) {
  const site = await openSite(settings)
  return {
    ...site,
    endpoint: (path: string, query: unknown, values: Values) => showEndpoint(site, path, query, values),
    tried: (path: string, values: Values, tried: Try) => showTry(site, path, values, tried),

    async results(query: string): Promise<string> {
      const content = html`<h1>Search</h1>
${resultsOf(query, await site.search(query), '../')}`
      return site.show({ title: 'Search', root: '../', query, content })
    },

    async suggestions(query: string) {
      const hits = (await site.search(query)).slice(0, MOST_SUGGESTIONS)
      return hits.map((hit) => ({ name: nameOf(hit), address: addressOf(hit) }))
    },

    /** For an address without a page: what its words find. */
    async missing(address: string, root: string): Promise<string> {
      const words = address.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
      const hits = await site.search(words)
      const content = html`<h1>There is no such page</h1>
<p>Search for what you need, or choose a page from the contents.</p>
${hits.length > 0 && resultsOf(words, hits, root)}`
      return site.show({ title: 'No such page', root, query: words, content })
    },
  }
}
