// Renders Markdown to HTML. HTML in the source stays visible as text. Links between documents become links between
// pages. A paragraph that only links to ../examples/#TASK becomes the code of the task in every language.
import { dirname, join } from 'node:path'
import { Marked, type MarkedExtension, type Token, type Tokens } from 'marked'
import { escapeHtml, type Html, html } from '../../platform/pages/page.ts'
import { type Article, type Heading, type Passage, rootFrom, type Values } from './article.ts'
import { codeBlock } from './highlight.ts'
import type { ShownCode } from './samples.ts'
import { fillIn } from './values.ts'

type Source = {
  /** The path of the file in the repository. */
  readonly file: string
  readonly text: string
  /** The path of the page below /docs/. */
  readonly path: string
}

export type Surroundings = {
  pageOf(file: string): string | undefined
  /** Returns the path below /docs/ of a file that readers can download. Undefined for other files. */
  downloadOf(file: string): string | undefined
  samples(task: string, values: Values, place: { readonly shown: ShownCode; readonly root: string }): Html
  /** Returns the name and the size of one of our pictures. Undefined for any other file. */
  picture(
    file: string,
  ): { readonly name: string; readonly width: number; readonly height: number } | undefined
}

const SAMPLES = /(?:^|\/)examples\/#([\w-]+)$/

const lexer = new Marked({ gfm: true })

/** Returns the title and the first paragraph. The rest is not parsed. */
export function headOf(text: string): { readonly title: string; readonly summary: string } {
  const [title = '', ...more] = text.split(/\n(?:[ \t]*\n)+/)
  const first = more.find((block) => !/^\s*([#|>-]|```|!\[)/.test(block)) ?? ''
  return {
    title: title.replace(/^#\s*|\n[\s\S]*$/g, '').trim(),
    summary: plainText(lexer.lexer(first)).trim(),
  }
}

export function writeArticle(source: Source, values: Values, around: Surroundings): Article {
  const { title, summary } = headOf(source.text)
  const tokens = lexer.lexer(fillIn(source.text, values))
  const headings = headingsIn(tokens)
  const marked = new Marked({ gfm: true })
  marked.use({ renderer: rendererFor(source, values, around, headings.values()) })
  const isTitle = tokens[0]?.type === 'heading'
  const body = { html: marked.parser(isTitle ? tokens.slice(1) : tokens) }
  return { title, summary, body, headings: headings.filter(({ depth }) => depth === 2 || depth === 3) }
}

/**
 * Returns the text below each heading, for the search. Sentences come before code, because readers recognise a result
 * by its sentences.
 */
export function passagesOf({ text }: Source, values: Values): Passage[] {
  const tokens = lexer.lexer(fillIn(text, values)).slice(1)
  const headings = headingsIn(tokens).values()
  const passages: { id: string; heading: string; prose: string; code: string }[] = [
    { id: '', heading: '', prose: '', code: '' },
  ]
  for (const token of tokens) {
    const last = passages.at(-1)
    if (token.type === 'heading') {
      const { id, text: heading } = headings.next().value ?? { id: '', text: '' }
      passages.push({ id, heading, prose: '', code: '' })
    } else if (last !== undefined) {
      last[token.type === 'code' ? 'code' : 'prose'] += ` ${plainText([token])}`
    }
  }
  return passages.map(({ id, heading, prose, code }) => {
    return { id, heading, text: `${prose} ${code}`.replace(/\s+/g, ' ').trim() }
  })
}

/** Returns all headings except the title, with the anchors that GitHub gives them. */
function headingsIn(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>()
  return tokens.flatMap((token) => {
    if (token.type !== 'heading' || token.depth === 1) return []
    const text = plainText(token.tokens ?? [])
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return [{ id: count === 0 ? slug : `${slug}-${count}`, text, depth: token.depth }]
  })
}

function rendererFor(
  source: Source,
  values: Values,
  around: Surroundings,
  headings: Iterator<Heading>,
): NonNullable<MarkedExtension['renderer']> {
  const shown: ShownCode = new Set()
  return {
    html: ({ text }) => escapeHtml(text),
    code: ({ text, lang = '' }) =>
      lang === 'mermaid' ? diagramTable(text).html : codeBlock(text, lang).html,
    heading({ tokens, depth }) {
      const { id } = headings.next().value ?? { id: '' }
      const text = { html: this.parser.parseInline(tokens) }
      const { html: written } =
        html`<h${depth} id="${id}">${text} <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></h${depth}>
`
      return written
    },
    paragraph({ tokens }) {
      const task = taskOf(tokens)
      if (task === undefined) return `<p>${this.parser.parseInline(tokens)}</p>\n`
      return around.samples(task, values, { shown, root: rootFrom(source.path) }).html
    },
    link({ href, tokens }) {
      const text = { html: this.parser.parseInline(tokens) }
      const target = addressOf(href, source, around)
      return target === undefined ? text.html : html`<a href="${target}">${text}</a>`.html
    },
    image({ href, text }) {
      const picture = around.picture(join(dirname(source.file), href))
      if (picture === undefined) return escapeHtml(text)
      const { name, width, height } = picture
      return html`<img src="${rootFrom(source.path)}docs/pictures/${name}" alt="${text}" width="${width}" height="${height}" loading="lazy">`
        .html
    },
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`
    },
  }
}

function taskOf(tokens: readonly Token[]): string | undefined {
  const [only] = tokens
  if (tokens.length !== 1 || only?.type !== 'link') return undefined
  return SAMPLES.exec(String(only.href))?.[1]
}

/**
 * Returns the address of a link. Undefined if this site does not show the target, or if the scheme is neither http nor
 * https.
 */
function addressOf(href: string, { file, path }: Source, around: Surroundings): string | undefined {
  if (/^(https?:\/\/|#)/i.test(href)) return href
  if (/^[a-z][\w+.-]*:|^\/\//i.test(href)) return undefined
  const root = rootFrom(path)
  if (href.startsWith('/')) return root + href.slice(1)
  const [target = '', anchor] = href.split('#')
  const linked = join(dirname(file), target)
  const page = around.pageOf(linked) ?? around.downloadOf(linked)
  if (page === undefined) return undefined
  return `${root}docs/${page}${anchor === undefined ? '' : `#${anchor}`}`
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('')
}

function textOf(token: Token): string {
  if (token.type === 'table') return cellsOf(token).map(plainText).join(' ')
  if (token.type === 'list') return itemsOf(token).map(plainText).join(' ')
  if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
  if (token.type === 'space' || token.type === 'br') return ' '
  return 'text' in token ? String(token.text).replaceAll('\n', ' ') : ''
}

function cellsOf(table: Token): readonly Token[][] {
  if (table.type !== 'table') return []
  const { header, rows }: Tokens.Table | Tokens.Generic = table
  return [...header, ...rows.flat()].map(({ tokens }: Tokens.TableCell) => tokens)
}

function itemsOf(list: Token): readonly Token[][] {
  if (list.type !== 'list') return []
  return list.items.map(({ tokens }: Tokens.ListItem) => tokens)
}

// Shows a state diagram as a table, which needs no script. The documents contain these diagrams as mermaid, which
// GitHub draws.

function diagramTable(source: string): Html {
  const edges = [...source.matchAll(/^\s*(\S+) --> (\S+)\s*$/gm)].map(([, from = '', to = '']) => ({
    from,
    to,
  }))
  const states = [...new Set(edges.map(({ from }) => from))]
  const rows = states.map((state) => {
    const next = edges.filter(({ from }) => from === state).map(({ to }) => stateName(to))
    return html`<tr><td>${stateName(state, 'The start')}</td><td>${joined(next)}</td></tr>
`
  })
  return html`<div class="wide" tabindex="0" role="group" aria-label="Transitions"><table><thead><tr><th>From</th><th>To</th></tr></thead>
<tbody>${rows}</tbody></table></div>
`
}

/**
 * Returns the name of a state. Mermaid writes `[*]` for both the start and the end. For `[*]`, the text `open` is
 * shown.
 */
function stateName(name: string, open = 'the end'): Html {
  return name === '[*]' ? html`${open}` : html`<code>${name}</code>`
}

function joined(parts: readonly Html[]): Html {
  return { html: parts.map((part) => part.html).join(', ') }
}
