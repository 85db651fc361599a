// All pages of the documentation. Each file is read once. A page is rendered when it is first requested, once for each
// set of values that it shows, and cached.

import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type StoredText, storeText } from '../../platform/pages/asset.ts'
import { HTML_TYPE, type Html, html } from '../../platform/pages/page.ts'
import { type Article, type Page, type PageSection, rootFrom, type Values } from './article.ts'
import { type ListedPage, sections as listed } from './contents.ts'
import { openFiles } from './files.ts'
import { loadLanguages } from './highlight.ts'
import { renderShown, type Shown } from './layout.ts'
import { headOf, passagesOf, type Surroundings, writeArticle } from './markdown.ts'
import { endpointPage, endpointPaths, endpointsPage, methodsPage } from './reference/endpoint-page.ts'
import { samplesBlock, samplesOf } from './samples.ts'
import type { Found } from './search.ts'
import { standIns } from './values.ts'

export type Site = Awaited<ReturnType<typeof openSite>>

export type SiteSettings = {
  readonly sandbox: boolean
  readonly baseUrl: string
  readonly folder: URL
}

const DEEPEST = 'a/b/c/d/e/f/g/h'

/** The maximum number of cached versions of a page: one with the demo merchant's key, and one without. */
const MOST_VERSIONS = 2

export async function openSite({ sandbox, baseUrl, folder }: SiteSettings) {
  await loadLanguages()
  const pictures = openPictures(folder)
  const files = openFiles(folder)
  const around: Surroundings = {
    pageOf: (file) => pathOfFile(file),
    downloadOf: files.pathOf,
    samples: (task, values, place) =>
      samplesBlock(samplesOf(new URL('examples/', folder), task), values, place),
    picture: pictures.find,
  }
  const indexed = standIns(sandbox, baseUrl)
  const sections: PageSection[] = []
  for (const { title, pages } of listed)
    sections.push({
      title,
      pages: await Promise.all(pages.map((page) => openPage(page, folder, around, indexed))),
    })
  sections.push({
    title: 'Endpoints',
    pages: [endpointsPage, methodsPage, ...endpointPaths.map(endpointPage)],
  })
  const pages = new Map(sections.flatMap((section) => section.pages).map((page) => [page.path, page]))
  const written = new Map<string, Written[]>()
  const show = (shown: Omit<Shown, 'sandbox' | 'sections'>) => renderShown({ ...shown, sandbox, sections })

  const start = storeText(HTML_TYPE, show({ title: 'Start', root: rootFrom(''), content: home(sections) }))
  const root = rootFrom('search')
  const search = storeText(HTML_TYPE, show({ title: 'Search', root, content: searchPage(sections, root) }))
  const missing = new Map<string, StoredText>()
  const listings = new Map<string, StoredText>()
  let passages: Promise<StoredText> | undefined

  return {
    sections,
    picture: pictures.fileOf,
    show,
    withForm(path: string, values: Values, form: Html): string | undefined {
      const page = pages.get(path)
      if (page === undefined) return undefined
      const { article } = versionOf(written, page, values)
      return show({ ...shownArticle(path, article, form), canTry: true })
    },
    stored(path: string, values: Values): StoredText | undefined {
      const page = pages.get(path)
      if (page === undefined) return undefined
      const version = versionOf(written, page, values)
      version.stored ??= storeText(HTML_TYPE, show(shownArticle(path, version.article)))
      return version.stored
    },
    /** Returns a file that readers can download, or the list of such files in a folder. */
    download(path: string): StoredText | undefined {
      const listing = files.listing(path, rootFrom(path))
      if (listing === undefined) return files.stored(path)
      const known = listings.get(path) ?? storeText(HTML_TYPE, show({ ...listing, root: rootFrom(path) }))
      listings.set(path, known)
      return known
    },
    home: () => start,
    search: () => search,
    /**
     * Returns the passages for the search in the browser. Placeholders in them are filled with values such as
     * `YOUR_KEY`, never with a real key.
     */
    passages(): Promise<StoredText> {
      passages ??= listPassages([...pages.values()])
      return passages
    },
    /**
     * Returns the page for an unknown address. Undefined if the address has more levels than `DEEPEST`, because the
     * page's relative links would be too long.
     */
    missing(from: string): StoredText | undefined {
      if (from.length > rootFrom(DEEPEST).length) return undefined
      const known = missing.get(from) ?? storeText(HTML_TYPE, show({ ...missingPage, root: from }))
      missing.set(from, known)
      return known
    },
  }
}

type Written = { readonly values: Values; readonly article: Article; stored?: StoredText }

function versionOf(written: Map<string, Written[]>, page: Page, values: Values): Written {
  const versions = written.get(page.path) ?? []
  const known = versions.find((version) => isDeepStrictEqual(version.values, values))
  if (known !== undefined) return known
  const version = { values, article: page.write(values) }
  written.set(page.path, [version, ...versions].slice(0, MOST_VERSIONS))
  return version
}

function shownArticle(path: string, { title, summary, headings, body }: Article, form?: Html) {
  // The summary is added only to generated pages. The text of every other page already begins with its summary.
  const isGenerated = path.startsWith('reference/')
  const content = html`<h1>${title}</h1>
${isGenerated && html`<p>${summary}</p>`}
${form}${body}`
  return { title, current: path, root: rootFrom(path), headings, content }
}

async function openPage(
  { path, file }: ListedPage,
  folder: URL,
  around: Surroundings,
  indexed: Values,
): Promise<Page> {
  const source = { path, file, text: await readFile(new URL(file, folder), 'utf8') }
  return {
    path,
    ...headOf(source.text),
    write: (values) => writeArticle(source, values, around),
    passages: () => passagesOf(source, indexed),
  }
}

function pathOfFile(file: string): string | undefined {
  return listed.flatMap(({ pages }) => pages).find((page) => page.file === file)?.path
}

/** Reads the passages of one page per turn of the event loop, so that payments never wait for all pages. */
async function listPassages(pages: readonly Page[]): Promise<StoredText> {
  const listed: Found[] = []
  for (const { path, title, passages } of pages) {
    await nextTurn()
    listed.push(
      ...passages().map(({ id: anchor, heading, text }) => ({ path, anchor, title, heading, text })),
    )
  }
  return storeText('application/json; charset=utf-8', JSON.stringify(listed))
}

function home(sections: readonly PageSection[]): Html {
  return html`<h1>Documentation</h1>
<p>Everything that a shop needs to take payments with this gateway, served by the gateway itself.</p>
${listPages(sections, '')}`
}

/** Returns the page of the search. The script replaces the list of pages with the results. */
function searchPage(sections: readonly PageSection[], root: string): Html {
  return html`<h1>Search</h1>
<noscript><p>The search needs JavaScript. Without it, choose a page from this list.</p></noscript>
<div id="found" data-by="query">
${listPages(sections, root)}</div>`
}

const missingPage = {
  title: 'No such page',
  content: html`<h1>There is no such page</h1>
<p>Search for what you need, or choose a page from the contents.</p>
<div id="found" data-by="address"></div>`,
}

function listPages(sections: readonly PageSection[], root: string): readonly Html[] {
  return sections.map(
    ({ title, pages }) => html`<h2>${title}</h2>
<dl class="fields">${pages.map(
      (
        page,
      ) => html`<div><dt><a href="${root}docs/${page.path}">${page.title}</a></dt><dd>${page.summary}</dd></div>
`,
    )}</dl>
`,
  )
}

// Only the names of the pictures are kept in memory. A picture is read when it is requested.

const FOLDER = 'docs/pictures/'
/** The first 24 bytes of a PNG file contain the width and the height. */
const HEAD_BYTES = 24

type Picture = { readonly name: string; readonly width: number; readonly height: number }

function openPictures(root: URL) {
  const folder = new URL(FOLDER, root)
  const names = new Set(readdirSync(folder).filter((name) => /^[\w-]+\.png$/.test(name)))
  return {
    find(file: string): Picture | undefined {
      const name = file.startsWith(FOLDER) ? file.slice(FOLDER.length) : ''
      return names.has(name) ? { name, ...sizeOf(new URL(name, folder)) } : undefined
    },
    fileOf(name: string): URL | undefined {
      return names.has(name) ? new URL(name, folder) : undefined
    },
  }
}

/**
 * Reads the size of a picture. Pages contain the size, so that nothing moves when the browser has loaded the picture.
 */
function sizeOf(file: URL): { readonly width: number; readonly height: number } {
  const head = Buffer.alloc(HEAD_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, head, 0, HEAD_BYTES, 0)
  } finally {
    closeSync(handle)
  }
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}
