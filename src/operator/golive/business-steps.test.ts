import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { protocols } from '../../rails/protocols/protocols.ts'
import { channelPage } from './business-steps.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('every protocol has a page with its settings, and all ways to live lead to it', () => {
  const guides = {
    'docs/channels/README.md': '',
    'docs/going-live.md': 'channels/',
    'docs/operations/configure.md': '../channels/',
  }
  for (const protocol of protocols.keys()) {
    const page = channelPage(protocol)
    assert.match(read(page), /setting/i, page)
    for (const [guide, folder] of Object.entries(guides))
      assert.ok(read(guide).includes(`](${folder}${basename(page)})`), `${guide} leads to ${page}`)
  }
})
