// The packages of the SDK and the plugins, which no registry has, and the page that lists the packages. setup.mjs packs
// the packages into the folder downloads/ of the installation (plugins/pack.ts). The first request reads all packages
// into memory.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { onceDone } from '../../platform/base/memoize.ts'
import { type StoredText, storeText } from '../../platform/pages/asset.ts'
import { HTML_TYPE, type Html, html } from '../../platform/pages/page.ts'
import { rootFrom } from './article.ts'
import { codeBlock } from './highlight.ts'
import type { Site, SiteSettings } from './site.ts'

type Package = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly file: string
  /** The names of the packages that must be installed together with this one. */
  readonly needs: readonly string[]
  readonly bytes: Buffer
}

export type Download = { readonly bytes: Buffer; readonly etag: string }

export type Downloads = { readonly page: StoredText; readonly files: ReadonlyMap<string, Download> }

/** Returns a function that reads the packages once. If reading fails, the next request reads them again. */
export function openDownloads({ baseUrl, folder }: SiteSettings, { show }: Site): () => Promise<Downloads> {
  async function open(): Promise<Downloads> {
    const listed = await readPackages(new URL('downloads/', folder))
    const content = pageOf(listed, baseUrl)
    const page = storeText(HTML_TYPE, show({ title: 'Downloads', root: rootFrom(''), content }))
    const files = new Map(
      listed.map((one) => [one.file, { bytes: one.bytes, etag: `"${hashOf(one, 'sha256', 'hex')}"` }]),
    )
    return { page, files }
  }
  return onceDone(open)
}

/** Reads the packages that setup.mjs made. Returns an empty list if setup.mjs has not run. */
async function readPackages(place: URL): Promise<Package[]> {
  const listed = await readFile(new URL('packages.json', place), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return '[]'
    },
  )
  const packages: readonly Omit<Package, 'bytes'>[] = JSON.parse(listed)
  return Promise.all(
    packages.map(async (one) => ({ ...one, bytes: await readFile(new URL(one.file, place)) })),
  )
}

function hashOf({ bytes }: Package, algorithm: 'sha256' | 'sha512', encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(bytes).digest(encoding)
}

function pageOf(packages: readonly Package[], baseUrl: string): Html {
  return html`<h1>Downloads</h1>
<p>The packages for shops in JavaScript and TypeScript. No registry has them: npm installs them from this gateway.</p>
${packages.length === 0 && html`<p>This installation has no packages yet. Its operator runs <code>node setup.mjs</code> in the installation's folder, and starts the gateway again.</p>`}
${packages.map((one) => sectionOf(one, packages, baseUrl))}
${packages.length > 0 && afterUpgrades}`
}

function sectionOf(one: Package, all: readonly Package[], baseUrl: string): Html {
  const { name, version, description, file, needs, bytes } = one
  const together = [...all.filter((other) => needs.includes(other.name)), one]
  const addresses = together.map((each) => `${baseUrl}/downloads/${each.file}`)
  const command = `npm install ${addresses.join(' \\\n  ')}`
  const rows = [
    ['File', html`<a href="./downloads/${file}">${file}</a>`],
    ['Version', html`${version}`],
    ['Size', html`${String(bytes.length)} bytes`],
    ['SHA-256', html`<code>${hashOf(one, 'sha256', 'hex')}</code>`],
    ['Integrity', html`<code>sha512-${hashOf(one, 'sha512', 'base64')}</code>`],
  ] as const
  return html`<h2 id="${file.replace(/-\d.*/, '')}">${name}</h2>
<p>${description}.</p>
${codeBlock(command, 'bash')}<dl class="fields">${rows.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>
`,
  )}</dl>
`
}

const afterUpgrades = html`<h2 id="after-an-upgrade">After an upgrade of the gateway</h2>
<p><code>package-lock.json</code> stores the integrity of a package, and a later release of the gateway serves a later
package. So that a shop can be installed again at any time, download the file, put it into the shop's repository, and
install it from there: <code>npm install ./packages/FILE</code>. Compare its SHA-256 with this page.</p>`
