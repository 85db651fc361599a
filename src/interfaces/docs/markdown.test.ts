import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { html } from '../../platform/pages/page.ts'
import { headOf, passagesOf, type Surroundings, writeArticle } from './markdown.ts'
import { standIns, valuesFor } from './values.ts'

const values = standIns(true, 'http://127.0.0.1:8080')

const around: Surroundings = {
  pageOf: (file) => ({ 'docs/errors.md': 'errors', 'docs/guides/pay.md': 'pay' })[file],
  downloadOf: (file) => (file === 'docs/vectors.json' ? 'vectors.json' : undefined),
  samples: (task, _values, { shown }) => {
    const before = [...shown].join()
    shown.add(task)
    return html`[samples of ${task}, after ${before}]`
  },
  picture: (file) =>
    file === 'docs/pictures/pix.png' ? { name: 'pix.png', width: 360, height: 740 } : undefined,
}

function written(text: string, path = 'pay', shown = values): string {
  return writeArticle({ file: 'docs/guides/pay.md', text: `# Title\n\n${text}`, path }, shown, around).body
    .html
}

describe('markdown', () => {
  it('shows HTML of the source as text', () => {
    const body = written('Hi <script>alert(1)</script> <b>x</b>\n\n<img src=x onerror=alert(1)>\n')
    assert.doesNotMatch(body, /<(script|img|b)\b/)
    assert.ok(body.includes('&#60;script&#62;'))
    assert.doesNotMatch(written('```\n<script>\n```'), /<script/)
    assert.doesNotMatch(written('`<script>` and **<i>**\n\n| a |\n|---|\n| <u> |'), /<(script|i|u)>/)
  })

  it('takes the first paragraph as the summary, also if it begins with code', () => {
    const summaryOf = (text: string) => headOf(`# Title\n\n${text}\n\nMore.`).summary
    assert.equal(summaryOf('`drop-in.js` opens it.'), 'drop-in.js opens it.')
    assert.equal(summaryOf('```sh\nls\n```'), 'More.')
  })

  it('makes no link of a script', () => {
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'JaVaScript:x'])
      assert.equal(written(`[go](${href})`), '<p>go</p>\n')
  })

  it('leads from document to document as from page to page', () => {
    assert.match(written('[codes](../errors.md#all)'), /href="\.\.\/docs\/errors#all"/)
    assert.match(written('[codes](../errors.md)', 'a/b'), /href="\.\.\/\.\.\/docs\/errors"/)
    assert.match(written('[api](/openapi.json)'), /href="\.\.\/openapi\.json"/)
    assert.match(written('[site](https://example.com/x)'), /href="https:\/\/example\.com\/x"/)
    assert.match(written('[vectors](../vectors.json)', 'a/b'), /href="\.\.\/\.\.\/docs\/vectors\.json"/)
    assert.equal(written('[why](../decisions/0001-x.md)'), '<p>why</p>\n')
  })

  it('gives headings the anchors that GitHub gives them', () => {
    const article = writeArticle(
      { file: 'docs/x.md', text: '# T\n\nS.\n\n## Try `it`, now\n\n### Twice\n\n## Twice\n', path: 'x' },
      values,
      around,
    )
    assert.deepEqual(
      article.headings.map(({ id }) => id),
      ['try-it-now', 'twice', 'twice-1'],
    )
    assert.match(article.body.html, /<h2 id="try-it-now">Try <code>it<\/code>, now/)
  })

  it('replaces a paragraph that only links to a task by its samples', () => {
    const two = '[samples](../../examples/#pay)\n\n[samples](../../examples/#sign)'
    assert.equal(written(two), '[samples of pay, after ][samples of sign, after pay]')
    assert.match(written('See [samples](../../examples/#pay) too.'), /^<p>See/)
  })

  it('shows pictures with their size', () => {
    assert.match(
      written('![A code](../pictures/pix.png)'),
      /<img src="\.\.\/docs\/pictures\/pix\.png" alt="A code" width="360" height="740" loading="lazy">/,
    )
    assert.equal(written('![gone](../pictures/none.png)'), '<p>gone</p>\n')
  })

  it('fills in placeholders, and leaves unknown ones', () => {
    const gateway = { sandbox: true, isLocal: true, baseUrl: 'http://localhost:8080' }
    const demo = valuesFor(gateway, { merNo: 123, key: 'a_b_c', site: 'localhost' }, 'localhost:8080')
    const body = written('`{{merNo}}` `{{key}}` {{baseUrl}} {{other}}', 'pay', demo)
    assert.match(body, /<code>123<\/code> <code>a_b_c<\/code>/)
    assert.match(body, /http:\/\/localhost:8080/)
    assert.match(body, /\{\{other\}\}/)
  })

  it('shows a state diagram as a table', () => {
    const body = written(
      '```mermaid\nstateDiagram-v2\n  [*] --> open\n  open --> won\n  open --> lost\n  won --> [*]\n```',
    )
    assert.match(body, /<td>The start<\/td><td><code>open<\/code><\/td>/)
    assert.match(body, /<td><code>open<\/code><\/td><td><code>won<\/code>, <code>lost<\/code><\/td>/)
    assert.match(body, /<td>the end<\/td>/)
  })

  it('knows the title and the summary, and the text of each part', () => {
    const text =
      '# The `title`\n\nWhat it **is**\nfor.\n\n## Part\n\n| a | b |\n|---|---|\n| c | `d` |\n\n- e\n'
    assert.deepEqual(headOf(text), { title: 'The `title`', summary: 'What it is for.' })
    assert.deepEqual(
      passagesOf({ file: 'x.md', text, path: 'x' }, values).map(({ id, text: found }) => [id, found.trim()]),
      [
        ['', 'What it is for.'],
        ['part', 'a b c d e'],
      ],
    )
  })
})
