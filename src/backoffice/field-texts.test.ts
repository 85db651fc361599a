// Every sentence at a field has a translation: the compiler checks those of the back office, this test those of the domains.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Sentences, translate } from '../../web/src/words/field-text.ts'
import { fieldTexts as sentences } from '../../web/src/words/zh/field-texts.ts'
import { zh } from '../../web/src/words/zh.ts'
import { domainText, domainTexts, fieldTexts } from './field-texts.ts'

const root = new URL('../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Where the sentences of domains stand that a page shows at a field. */
const sources: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['src/risk/entry.ts', /rule: '([^']+)'/g],
  ['src/risk/entry.ts', /OperatorRefusal\([`']([^`']+)[`']/g],
  ['src/risk/change-lists.ts', /OperatorRefusal\('(this is not a card[^']+)'/g],
  [
    'src/risk/rule.ts',
    /(?:throw wrong\(\s*\S+,\s*[`']|^ {2}(?:methods|countries|bins): ')((?:give|name|a) [^`'{]*(?:\$\{\w+\}[^`']*)?)[`']/gm,
  ],
  ['src/backoffice/risk/name-entry.ts', /OperatorRefusal\([`']([^`']+)[`']/g],
  ['src/merchants/keys.ts', /OperatorRefusal\(\s*[`']([^`']+)[`']/g],
  ['src/merchants/options.ts', /OperatorRefusal\(`([^`]+(?:203\.0\.113\.0\/24|https address))`/g],
  ['src/reference/change-list.ts', /why: [`']([^`']+)[`']/g],
]

const cases = sources.flatMap(([path, pattern]) =>
  [...read(path).matchAll(pattern)].map(([, text = '']) => ({
    path,
    text: text.replace(/\$\{[^}]+\}/g, '{}'),
  })),
)

test('the sentences of domains are listed', () => {
  assert.ok(cases.length > 20, `${cases.length} sentences found`)
  const listed: readonly string[] = domainTexts
  const missing = cases.map(({ text }) => domainText(text).domain).filter((text) => !isListed(text, listed))
  assert.deepEqual(missing, [])
})

/** The rule of a list's codes is a value of its sentence. */
function isListed(text: string, listed: readonly string[]): boolean {
  return listed.includes(text) || listed.some((one) => one.replace('has {} digits', '{}') === text)
}

test('a sentence is translated with its values, and an unknown one is shown as it is', () => {
  assert.equal(zh.fieldText('Enter at most 20 characters.'), '最多输入 20 个字符。')
  assert.equal(
    zh.fieldText('The RSA key has 512 bits: use one of 2048 bits or more.').match(/\d+/g)?.join(),
    '512,2048',
  )
  assert.equal(zh.fieldText('Enter an amount such as 12.50.'), '请输入金额，例如 12.50。')
  assert.equal(zh.fieldText('A code of banks/per has 2 digits.'), 'banks/per 的代码为 2 位数字。')
  assert.equal(zh.fieldText('Line 2: the currency is unknown.'), 'Line 2: the currency is unknown.')
})

test('a translation has as many values as its sentence, and each sentence finds its own', () => {
  const count = (text: string) => text.split('{}').length
  const known: Sentences = sentences
  for (const [english, chinese] of Object.entries(known)) {
    assert.equal(count(chinese), count(english), english)
    assert.match(chinese, /\p{Script=Han}/u, english)
    const filled = english.replaceAll('{}', '7')
    assert.equal(translate(filled, known), chinese.replaceAll('{}', '7'), english)
  }
})

test('every listed sentence is used', () => {
  const code = globSync('src/backoffice/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('field-texts.ts'))
    .map(read)
    .join('\n')
    .replace(/\$\{[^}]+\}/g, '{}')
  assert.deepEqual(
    fieldTexts.filter((text) => !code.includes(text)),
    [],
  )
})
