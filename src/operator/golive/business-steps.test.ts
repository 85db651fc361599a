import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { protocols } from '../channels/protocols.ts'
import { channelPage } from './channel-page.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('every protocol has a page with its settings, and all ways to live lead to it', () => {
  const guides = {
    'docs/channels/README.md': 'docs/channels/',
    'docs/going-live.md': 'docs/',
    'docs/operations.md': 'docs/',
  }
  for (const protocol of protocols.keys()) {
    const page = channelPage(protocol)
    assert.match(read(page), /setting/i, page)
    for (const [guide, folder] of Object.entries(guides))
      assert.ok(read(guide).includes(`](${page.slice(folder.length)})`), `${guide} leads to ${page}`)
  }
})
