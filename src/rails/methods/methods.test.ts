import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, translationOf } from '../../platform/pages/language.ts'
import { wordsOf } from './methods.ts'

test('a wallet without words of its own has a name and an advice in every language', () => {
  for (const language of languages) {
    const { words } = translationOf(language)
    assert.ok(!Object.hasOwn(words.methods, 'google_pay'), language)
    const { name, advice } = wordsOf('google_pay', words)
    assert.equal(name, 'Google Pay', language)
    assert.match(advice, /Google Pay/, language)
  }
  const { words } = translationOf('zh')
  assert.deepEqual(wordsOf('unionpay', words), { name: '银联', advice: '前往银联确认，然后返回本页。' })
})
