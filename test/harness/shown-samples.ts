// The samples as the pages of a running gateway show them, for tests that run what a reader pastes.
import assert from 'node:assert/strict'

export type ShownSample = {
  /** The name of the tab, in lower case. */
  readonly language: string
  /** The name under which the page tells readers to save the code. */
  readonly file: string
  readonly code: string
  /** The commands that fetch the files that the sample needs, and run the sample. */
  readonly commands: string
}

/** Returns every sample of the documentation once. Pages that show the same sample must show the same code. */
export async function shownSamples(baseUrl: string): Promise<ShownSample[]> {
  const samples = new Map<string, ShownSample>()
  for (const path of await pathsOf(baseUrl))
    for (const sample of samplesIn(await textAt(`${baseUrl}/docs/${path}`))) {
      const name = `${sample.language}/${sample.file}`
      assert.deepEqual(samples.get(name) ?? sample, sample, `${path} shows ${name} as other pages do`)
      samples.set(name, sample)
    }
  return [...samples.values()]
}

async function pathsOf(baseUrl: string): Promise<string[]> {
  const home = await textAt(`${baseUrl}/docs`)
  return [...new Set([...home.matchAll(/href="\.\/docs\/([^"]+)"/g)].map(([, path = '']) => path))]
}

async function textAt(address: string): Promise<string> {
  const response = await fetch(address)
  assert.equal(response.status, 200, address)
  return response.text()
}

function samplesIn(page: string): ShownSample[] {
  const tabs = page.matchAll(/<section class="tab" aria-label="([^"]+)">(.*?)<\/section>/gs)
  return Array.from(tabs, ([, name = '', tab = '']) => {
    const listings = Array.from(tab.matchAll(/<pre [^>]*><code>(.*?)<\/code><\/pre>/gs), ([, text = '']) =>
      plain(text),
    )
    const [, file] = /Save this as <a [^>]*>([^<]+)<\/a>/.exec(tab) ?? []
    const [code, commands] = listings
    assert.ok(file !== undefined && code !== undefined && commands !== undefined, `${name}: ${tab}`)
    return { language: name.toLowerCase(), file, code, commands }
  })
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Returns the text that a browser copies. */
function plain(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hex: string, decimal: string, name: string) =>
      name === undefined
        ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
        : (named[name] ?? '?'),
    )
}
