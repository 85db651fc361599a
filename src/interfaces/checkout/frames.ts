// Which sites may show a page in a frame: an order's merchant's approved websites, and nobody else. Browsers say by
// Sec-Fetch-Dest that they load a frame. One that does not say so is refused, as a page outside of a frame always is.
import type { FastifyRequest } from 'fastify'

export function isFramed({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-dest'] === 'iframe'
}

/** Websites are checked when they are entered. A text that could end a directive must not get this far either. */
const hostSource = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/

/** Proxies refuse headers of more than some 8 kB. */
const MAX_CHARACTERS = 4_000

/**
 * The sources of the page's frame-ancestors. A website without a port counts at every port, as it does in a Referer. In sandbox
 * shops run at localhost, too, and over plain http, which stands for https as well.
 */
export function frameAncestors(websites: readonly string[], sandbox: boolean): readonly string[] {
  const sources: string[] = []
  let characters = 0
  for (const site of sandbox ? new Set(['localhost', ...websites]) : websites) {
    if (!hostSource.test(site)) continue
    const source = `${sandbox ? 'http' : 'https'}://${site}${/:\d+$/.test(site) ? '' : ':*'}`
    characters += source.length + 1
    if (characters > MAX_CHARACTERS) break
    sources.push(source)
  }
  return sources
}
