// The layout of every page of the documentation: the search, the table of contents, the page itself, and the list of
// its headings.
import { translationOf } from '../../platform/pages/language.ts'
import { integrityOf } from '../../platform/pages/manifest.ts'
import { type Html, html } from '../../platform/pages/page.ts'
import type { Heading, Page, PageSection } from './article.ts'

export type Shown = {
  readonly title: string
  readonly sandbox: boolean
  /** The path below /docs/. Undefined for a page that is not in the table of contents. */
  readonly current?: string | undefined
  readonly root: string
  readonly sections: readonly PageSection[]
  readonly headings?: readonly Heading[]
  /** True if the page has the form "Try it". The script of this form signs requests in the browser. */
  readonly canTry?: boolean
  readonly content: Html
}

export function renderShown(shown: Shown): string {
  const { title, sandbox, root, sections, current, headings = [], canTry, content } = shown
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tollgate documentation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}assets/pay.css">
<link rel="stylesheet" href="${root}assets/docs.css">
${['docs.js', 'search.js'].map((name) => html`<script src="${root}assets/${name}" integrity="${integrityOf(name)}" defer></script>`)}
${canTry && html`<script type="module" src="${root}assets/try-it.js" integrity="${integrityOf('try-it.js')}"></script>`}
</head>
<body class="docs" data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header>
${sandbox && html`<p class="banner">${translationOf('en').words.sandbox}</p>`}
<div class="top">
<p class="name"><a href="${root}">Tollgate</a> <a href="${root}docs">Documentation</a></p>
<button class="menu" type="button" popovertarget="contents">Contents</button>
<form class="search" role="search" action="${root}docs/search">
<label for="search" class="hidden">Search the documentation</label>
<input id="search" name="q" type="search" placeholder="Search" maxlength="100" autocomplete="off" spellcheck="false">
<button>Search</button>
</form>
</div>
</header>
<div class="columns">
<nav class="contents" id="contents" aria-label="Contents" popover>
${sections.map((section) => sectionItem(section, current, root))}</nav>
<main id="content" tabindex="-1">
${content}
${current !== undefined && neighbours(sections, current, root)}
</main>
${headings.length > 1 ? onThisPage(headings) : undefined}
</div>
</body>
</html>
`
  return text
}

function sectionItem({ title, pages }: PageSection, current: string | undefined, root: string): Html {
  const items = pages.map(
    ({
      path,
      title: name,
    }) => html`<li><a href="${root}docs/${path}"${path === current && html` aria-current="page"`}>${name}</a></li>
`,
  )
  return html`<p class="list-name">${title}</p>
<ul>${items}</ul>
`
}

function onThisPage(headings: readonly Heading[]): Html {
  const items = headings.map(
    ({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>
`,
  )
  return html`<nav class="outline" aria-label="On this page"><p class="list-name">On this page</p>
<ul>${items}</ul></nav>`
}

function neighbours(sections: readonly PageSection[], current: string, root: string): Html | undefined {
  const pages = sections.flatMap((section) => section.pages)
  const at = pages.findIndex(({ path }) => path === current)
  if (at < 0) return undefined
  return html`<nav class="neighbours" aria-label="Previous and next">
${neighbour(pages[at - 1], 'Previous', root)}${neighbour(pages[at + 1], 'Next', root)}</nav>`
}

function neighbour(page: Page | undefined, which: 'Previous' | 'Next', root: string): Html | undefined {
  return (
    page &&
    html`<a class="${which.toLowerCase()}" href="${root}docs/${page.path}"><span class="soft">${which}</span>${page.title}</a>
`
  )
}
