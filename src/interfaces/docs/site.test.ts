import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type Page, rootFrom } from './article.ts'
import { sections } from './contents.ts'
import { openSite, type Site } from './site.ts'
import { standIns } from './values.ts'

const folder = new URL('../../../', import.meta.url)
const values = standIns(true, 'http://127.0.0.1:8080')
let site: Site
let pages: readonly Page[]

before(async () => {
  site = await openSite({ sandbox: true, baseUrl: 'http://127.0.0.1:8080', folder })
  pages = site.sections.flatMap((section) => section.pages)
})

function textOf(path: string): string {
  return site.stored(path, values)?.text.toString() ?? assert.fail(`no page ${path}`)
}

describe('the documentation', () => {
  it('has a file for every page in the contents, and each page once', () => {
    const listed = sections.flatMap((section) => section.pages)
    assert.deepEqual(
      listed.filter(({ file }) => !existsSync(new URL(file, folder))).map(({ file }) => file),
      [],
    )
    assert.equal(new Set(pages.map(({ path }) => path)).size, pages.length)
    const reserved = pages.filter(({ path }) =>
      /^(search|passages\.json|pictures|try|sdk\/|vectors\.json|examples)/.test(path),
    )
    assert.deepEqual(reserved, [])
  })

  it('shows every page with a title, a summary and no inline style or script', () => {
    for (const { path, title, summary } of pages) {
      const page = textOf(path)
      assert.ok(title !== '' && summary !== '', path)
      assert.match(page, /<h1>[^<]/, path)
      assert.doesNotMatch(page, /<script>|<style| style=| on[a-z]+="/, path)
      assert.doesNotMatch(page, /\{\{(baseUrl|merNo|key|site)\}\}/, path)
      assert.match(page, /aria-current="page"/, path)
    }
  })

  it('leads only to pages and anchors that there are', () => {
    const anchors = new Map(pages.map(({ path }) => [`/docs/${path}`, idsIn(textOf(path))]))
    const others =
      /^\/(|docs|downloads|openapi\.(json|yaml)|reference(\/.*)?|backoffice.*|drop-in\.js|keys\/platform\.pem)$/
    const broken = pages.flatMap(({ path }) =>
      linksIn(textOf(path), path).filter(({ pathname, hash }) => {
        const ids = anchors.get(pathname)
        if (ids === undefined)
          return !others.test(pathname) && site.download(pathname.replace(/^\/docs\//, '')) === undefined
        return hash !== '' && !ids.has(hash.slice(1))
      }),
    )
    assert.deepEqual(
      broken.map(({ href }) => href),
      [],
    )
  })

  it('shows every document that a guide links to', () => {
    const listed = sections.flatMap((section) => section.pages.map(({ file }) => file))
    const hidden = listed
      .filter((file) => file.startsWith('docs/guides/'))
      .flatMap((file) => {
        const text = readFileSync(new URL(file, folder), 'utf8')
        const targets = [...text.matchAll(/\]\((?!\w+:)([^)#]+\.md)/g)].map(([, to = '']) =>
          join(dirname(file), to),
        )
        return targets.filter((to) => !listed.includes(to)).map((to) => `${file}: ${to}`)
      })
    assert.deepEqual(hidden, [])
  })

  it('shows only pictures that there are', () => {
    for (const { path } of pages)
      for (const [, source = ''] of textOf(path).matchAll(/<img src="([^"]+)"/g)) {
        const name = source.replace(`${rootFrom(path)}docs/pictures/`, '')
        assert.ok(site.picture(name), `${path}: ${source}`)
      }
    assert.equal(site.picture('../../package.json'), undefined)
  })

  it('keeps a page, and at most two versions of it', () => {
    assert.equal(site.stored('errors', values), site.stored('errors', { ...values }))
    const other = { ...values, merNo: '1' }
    const first = site.stored('errors', values)
    assert.notEqual(site.stored('errors', other), first)
    assert.equal(site.stored('errors', values), first)
    site.stored('errors', { ...values, merNo: '2' })
    site.stored('errors', { ...values, merNo: '3' })
    assert.notEqual(site.stored('errors', values), first)
  })
})

function idsIn(page: string): Set<string> {
  return new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

/** Returns the links of a page that stay within this gateway, resolved as a browser would. */
function linksIn(page: string, path: string): URL[] {
  const base = new URL(`http://gateway/docs/${path}`)
  const links = [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => new URL(href, base))
  return links.filter(({ host }) => host === base.host)
}
