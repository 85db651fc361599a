import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeptText, keepText, releaseText } from './kept-text.ts'

function read({ slab, start, end }: KeptText): string {
  return slab.bytes.toString('utf8', start, end)
}

test('a kept text stays as it is while slabs are used again for others', () => {
  const kept = new Map<string, KeptText>()
  for (let made = 0; made < 20_000; made++) {
    const text = `${made} – ${'✓'.repeat((made * 37) % 400)}`
    kept.set(text, keepText(text))
    // Every third text is never released.
    if (kept.size < 300) continue
    const [oldest, second] = kept
    for (const [name, one] of [oldest, second].filter((found) => found !== undefined)) {
      assert.equal(read(one), name)
      kept.delete(name)
      if (made % 3 > 0) releaseText(one)
      else kept.set(name, one)
    }
  }
  for (const [text, one] of kept) assert.equal(read(one), text)
})

test('a text that is longer than a slab has its own', () => {
  const text = 'x'.repeat(100_000)
  const one = keepText(text)
  assert.equal(read(one), text)
  releaseText(one)
  assert.equal(read(keepText('after')), 'after')
})
