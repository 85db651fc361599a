// All pages of the documentation. Files are read once; a page is written when it is first asked for, and kept.
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { HTML_TYPE, type Html, html } from '../pages/page.ts'
import { type StoredText, storeText } from '../pages/stored-text.ts'
import { type Article, type Page, type PageSection, rootFrom, type Values } from './article.ts'
import { type ListedPage, sections as listed } from './contents.ts'
import { loadLanguages } from './highlight.ts'
import { renderShown, type Shown } from './layout.ts'
import { headOf, passagesOf, type Surroundings, writeArticle } from './markdown.ts'
import { openPictures } from './pictures.ts'
import { endpointPage } from './reference/endpoint-page.ts'
import { endpointPaths, endpointsPage, methodsPage } from './reference/overview-pages.ts'
import { samplesBlock, samplesOf } from './samples.ts'
import { openSearch } from './search.ts'
import { standIns } from './values.ts'

export type Site = Awaited<ReturnType<typeof openSite>>

export type SiteSettings = {
  readonly sandbox: boolean
  readonly baseUrl: string
  /** The folder with docs/, examples/ and sdk/; ends with a slash. */
  readonly folder: URL
}

/** Values differ by who asks: with the demo's key or without it. */
const MOST_VERSIONS = 2

export async function openSite({ sandbox, baseUrl, folder }: SiteSettings) {
  await loadLanguages()
  const pictures = openPictures(folder)
  const around: Surroundings = {
    pageOf: (file) => pathOfFile(file),
    samples: (task, values, isFirst) =>
      samplesBlock(samplesOf(new URL('examples/', folder), task), values, isFirst),
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

  return {
    sections,
    search: openSearch([...pages.values()]),
    picture: pictures.fileOf,
    show,
    /** A page with a form above its text. */
    withForm(path: string, values: Values, form: Html): string | undefined {
      const page = pages.get(path)
      if (page === undefined) return undefined
      const { article } = versionOf(written, page, values)
      return show({ ...shownArticle(path, article, form), canTry: true })
    },
    /** A whole page, ready to be sent. */
    stored(path: string, values: Values): StoredText | undefined {
      const page = pages.get(path)
      if (page === undefined) return undefined
      const version = versionOf(written, page, values)
      version.stored ??= storeText(HTML_TYPE, show(shownArticle(path, version.article)))
      return version.stored
    },
    home: () => start,
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
  // The text of other pages begins with its summary.
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

function home(sections: readonly PageSection[]): Html {
  const lists = sections.map(
    ({ title, pages }) => html`<h2>${title}</h2>
<dl class="fields">${pages.map(
      (page) => html`<div><dt><a href="docs/${page.path}">${page.title}</a></dt><dd>${page.summary}</dd></div>
`,
    )}</dl>
`,
  )
  return html`<h1>Documentation</h1>
<p>Everything that a shop needs to take payments with this gateway, served by the gateway itself.</p>
${lists}`
}
