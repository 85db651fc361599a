// The functions that serve the documentation. This module is loaded at the first visit, so that it costs nothing if
// nobody reads the documentation.
import type { Values } from './article.ts'
import { openDownloads } from './downloads.ts'
import { openSite, type SiteSettings } from './site.ts'
import { showEndpoint, showTry, type Try } from './try-it/show-endpoint.ts'

export type Docs = Awaited<ReturnType<typeof openDocs>>

export async function openDocs(settings: SiteSettings) {
  const site = await openSite(settings)
  return {
    ...site,
    downloads: openDownloads(settings, site),
    endpoint: (path: string, query: unknown, values: Values) => showEndpoint(site, path, query, values),
    tried: (path: string, values: Values, tried: Try) => showTry(site, path, values, tried),
  }
}
