// Decides which sites may show a page in a frame: only the approved websites of the merchant, and localhost in sandbox.
// Browsers send Sec-Fetch-Dest: iframe when they load a frame. Without this header, no site may frame the page.
//
// A wallet's page is never opened in a frame. Instead, our page sends its own address to the shop's page, which opens
// that address in the whole window. Therefore no message can lead a payer to another address. The page of a bank's
// challenge opens in a frame inside our page. Therefore the shop's page neither knows the bank's address nor has to
// allow it.
import type { FastifyRequest } from 'fastify'

export function isFramed({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-dest'] === 'iframe'
}

/**
 * A website that may be written into the content security policy. Websites are also checked when they are entered. This
 * second check rejects any text that could end a directive of the policy.
 */
const hostSource = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/

/** The maximum length of all sources together, in characters. Proxies refuse headers of more than about 8 kB. */
const MAX_CHARACTERS = 4_000

/**
 * Returns the sources for the page's frame-ancestors. A website without a port matches every port, as in the check of
 * the Referer. In sandbox, localhost and plain http are allowed as well. A source with http also matches https.
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
