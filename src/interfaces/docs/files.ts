// The files that readers can download: the signing vectors, and the samples of each language with the files that they
// need.
import { readdirSync, readFileSync } from 'node:fs'
import { type StoredText, storeText } from '../../platform/pages/asset.ts'
import { type Html, html } from '../../platform/pages/page.ts'
import { languages } from './samples.ts'

const VECTORS = 'docs/vectors.json'
/** The names of source files. Files that the samples' tools write, such as Java classes, do not match. */
const SOURCE = /^[\w-]+\.(sh|ts|php|py|java|go|mod|json)$/

/** Serves files by their path below /docs/. Each file is read when it is first requested. */
export function openFiles(folder: URL) {
  const sources = new Map([['vectors.json', VECTORS]])
  const folders = new Map<string, { readonly title: string; readonly names: readonly string[] }>()
  for (const { folder: language, name } of languages) {
    const path = `examples/${language}`
    const names = namesIn(new URL(`${path}/`, folder))
    folders.set(path, { title: `Samples in ${name}`, names })
    for (const file of names) sources.set(`${path}/${file}`, `${path}/${file}`)
  }
  const stored = new Map<string, StoredText>()
  return {
    /** Returns the path below /docs/ of a file or folder in the repository. */
    pathOf(source: string): string | undefined {
      const path = source.replace(/\/$/, '')
      if (path === VECTORS) return 'vectors.json'
      return folders.has(path) || sources.has(path) ? path : undefined
    },
    stored(path: string): StoredText | undefined {
      const source = sources.get(path)
      if (source === undefined) return undefined
      const type = `${source === VECTORS ? 'application/json' : 'text/plain'}; charset=utf-8`
      const known = stored.get(path) ?? storeText(type, readFileSync(new URL(source, folder)))
      stored.set(path, known)
      return known
    },
    /** Returns a page's content that lists the files of a folder. */
    listing(path: string, root: string): { readonly title: string; readonly content: Html } | undefined {
      const found = folders.get(path)
      if (found === undefined) return undefined
      const { title, names } = found
      const items = names.map(
        (name) => html`<li><a href="${root}docs/${path}/${name}">${name}</a></li>
`,
      )
      const content = html`<h1>${title}</h1>
<p>Put these files into one folder. <a href="${root}docs/samples">Samples</a> says how to run them.</p>
<ul>${items}</ul>`
      return { title, content }
    },
  }
}

function namesIn(place: URL): string[] {
  try {
    return readdirSync(place)
      .filter((name) => SOURCE.test(name))
      .sort()
  } catch {
    return [] // this language has no samples
  }
}
