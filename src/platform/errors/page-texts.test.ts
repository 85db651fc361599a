// Every sentence at a field has a translation. The compiler checks the sentences that only the back office uses. This
// test checks the sentences that commands also print.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fieldTextWords, type Sentences, translator } from '../../../web/src/words/field-text.ts'
import { fieldTexts as sentences } from '../../../web/src/words/zh/field-texts.ts'
import { detailTexts, domainText, domainTexts, examTexts, fieldTexts, lineTexts } from './page-texts.ts'

const root = new URL('../../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** A refusal that names the field at which it is shown. */
const atField = /OperatorRefusal\(\s*(?:`([^`]+)`|'([^']+)'),\s*(?:'\w+'|field),?\s*\)/g

/** The files with sentences of `domainTexts`, and the patterns that find these sentences. */
const sources: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['src/money/risk/entry.ts', /rule: '([^']+)'/g],
  ['src/money/risk/entry.ts', /OperatorRefusal\([`']([^`']+)[`']/g],
  ['src/money/risk/change-lists.ts', /OperatorRefusal\('(this is not a card[^']+)'/g],
  [
    'src/money/risk/rule.ts',
    /(?:throw wrong\(\s*\S+,\s*[`']|^ {2}(?:methods|countries|bins): ')((?:give|name|a) [^`'{]*(?:\$\{\w+\}[^`']*)?)[`']/gm,
  ],
  ['src/interfaces/backoffice/risk/entries.ts', /OperatorRefusal\([`']([^`']+)[`']/g],
  ['src/money/merchants/keys.ts', /OperatorRefusal\(\s*[`']([^`']+)[`']/g],
  ['src/money/merchants/options.ts', /OperatorRefusal\(\s*(?:`([^`]+)`|'([^']+)')/g],
  ['src/rails/routing/served.ts', /`((?:there is no|channel) [^`]+)`/g],
  ['src/money/merchants/logo.ts', /OperatorRefusal\('([^']+)'/g],
  ['src/platform/reference/change-list.ts', /why: [`']([^`']+)[`']/g],
  ['src/money/chargebacks/open-chargeback.ts', /refuse\(\s*'\w+',\s*[`']([^`']+)[`']/g],
  ...globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, atField] as const),
]

/** Returns the texts that the groups of the pattern match, with `{}` in place of values. */
function found([path, pattern]: readonly [path: string, pattern: RegExp]): string[] {
  const texts = [...read(path).matchAll(pattern)].map(([, ...groups]) => groups.find(Boolean) ?? '')
  return texts.map((text) => text.replace(/\$\{[^}]+\}/g, '{}'))
}

const cases = sources.flatMap(found)

test('the sentences of domains are listed', () => {
  assert.ok(cases.length > 20, `${cases.length} sentences found`)
  const listed: readonly string[] = domainTexts
  // Some sentences of commands begin with the name of an option. The same sentences on pages begin with "it".
  const missing = cases
    .map((text) => domainText(text.replace(/^\{\} must/, 'it must')).domain)
    .filter((text) => !isListed(text, listed))
  assert.deepEqual(missing, [])
})

/** The rules for fields. In a message, the rule follows the field's name. */
const rules: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['src/interfaces/merchant-api/fields/rules.ts', /'((?:must|is not) [^']+)'/g],
  ['src/interfaces/merchant-api/fields/read-fields.ts', /return .*(?:`(must [^`]+)`|'(must [^']+)')/g],
  ['src/interfaces/merchant-api/fields/read-fields.ts', /breaks\(field\.name, `([^`]+)`\)/g],
]
const details: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['src/rails/toolkit/check-account.ts', /invalid\('([^']+)'\)/g],
  ['src/money/payouts/prepare-payout.ts', /refuse\('\d+', '([^']+)'\)/g],
  ['src/interfaces/backoffice/payouts/check-lines.ts', /Refusal\('\d+', '([^']+)'\)/g],
  ['src/money/refunds/refund.ts', /Refusal\('\d+', '([^']+)'\)/g],
  ['src/money/refunds/apply-refund.ts', /Refusal\('\d+', `([^`]+)`\)/g],
  ['src/money/reviews/submit-review.ts', /Refusal\('\d+', (?:`([^`]+)`|'([^']+)')\)/g],
  ['src/money/reviews/submit-review.ts', /Refusal\('\d+', (?:`([^`]+)`|'([^']+)')\)/g],
]

test('what a refusal of a payout, a refund or a file is about is listed', () => {
  const used = [...rules.flatMap(found).map((rule) => `{} ${rule}`), ...details.flatMap(found)]
  assert.deepEqual([...detailTexts].sort(), [...new Set(used)].sort())
})

const inLines: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['src/platform/base/csv.ts', /CsvError\(\w+, `([^`]+)`/g],
  ['src/platform/base/csv.ts', /super\(`([^`]+)`\)/g],
  ['src/interfaces/backoffice/payouts/check-lines.ts', /CsvError\(\w+, `([^`]+)`/g],
  ['src/interfaces/backoffice/payouts/check-lines.ts', /broken\([`']([^`']+)[`']\)/g],
  ['src/interfaces/backoffice/payouts/check-lines.ts', /`(The file [^`]+)`/g],
  ['src/rails/protocols/evm/rail.ts', /(?:return|\?|why:) (?:'([A-Z][^']+)'|`([^`]+)`|"([^"]+)")/g],
  ['src/interfaces/backoffice/bulk-refunds/check-rows.ts', /refused\(row, [`']([^`']+)[`']\)/g],
  ['src/interfaces/backoffice/bulk-refunds/check-rows.ts', /message: '([^']+)'/g],
]

test('what may be wrong with a line of a file is listed', () => {
  assert.deepEqual([...lineTexts].sort(), [...new Set(inLines.flatMap(found))].sort())
})

const title = /(?:deliver|send|refuse|oneResult)\(\s*(?:'([^']+)'|"([^"]+)")/g
const ofExam: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['src/interfaces/exam/exercises.ts', title],
  ['src/interfaces/exam/exercises.ts', /^ {2}'([^']+)': \(/gm],
  ['src/interfaces/exam/exercises.ts', /\(_, at\) => `([^`]+)`/g],
  ['src/interfaces/exam/exercises.ts', /title: '(An order is paid)'|NotPossible\('([^']+)'\)/g],
  ['src/interfaces/exam/run-exercise.ts', /NotPossible\('([^']+)'\)|\? '([^']+)' : undefined/g],
  ['src/interfaces/exam/run-exam.ts', /why = `([^`]+)`/g],
  ['src/interfaces/exam/orders.ts', /(?:NotPossible|OperatorRefusal)\([`']([^`']+)[`']\)/g],
  [
    'src/interfaces/exam/run-exercise.ts',
    /`((?:Your shop|The state) [^`]+)`|'(once|not at all)'|: `(\$\{count\} times)`/g,
  ],
  ['src/interfaces/exam/exercise.ts', /shopStates = \['([^']+)', '([^']+)'/g],
  ['src/money/notifications/attempt.ts', /return `([^`]+)`/g],
  ['src/money/notifications/send.ts', /`(no answer within [^`]+)`/g],
  ['src/platform/http/client/connection-faults.ts', /^(?:const NO_\w+ =| {2}E\w+:) '([^']+)'/gm],
  ['src/interfaces/backoffice/exams/handlers.ts', /error = '([^']+)'/g],
]

test('what the exam finds, and why deliveries fail, is listed', () => {
  const states = ['open', 'paid', 'failed', 'refunded', 'charged-back']
  // A finding may end with the gateway's code and message. For the page, both together are one value.
  const used = [...ofExam.flatMap(found), ...states].map((text) => text.replace(/: \{\} \{\}$/, ': {}'))
  assert.deepEqual([...examTexts].sort(), [...new Set(used)].sort())
})

/** True if the text is listed. The code may have one value in place of `has {} digits`. */
function isListed(text: string, listed: readonly string[]): boolean {
  return listed.includes(text) || listed.some((one) => one.replace('has {} digits', '{}') === text)
}

test('a sentence is translated with its values, and an unknown one is shown as it is', () => {
  assert.equal(fieldTextWords.zh('Enter at most 20 characters.'), '最多输入 20 个字符。')
  assert.equal(
    fieldTextWords.zh('The RSA key has 512 bits: use one of 2048 bits or more.').match(/\d+/g)?.join(),
    '512,2048',
  )
  assert.equal(fieldTextWords.zh('Enter an amount such as 12.50.'), '请输入金额，例如 12.50。')
  assert.equal(fieldTextWords.zh('A code of banks/per has 2 digits.'), 'banks/per 的代码为 2 位数字。')
  assert.equal(fieldTextWords.zh('The moon is full.'), 'The moon is full.')
})

test('a refusal is translated with what it is about, and a value may be a sentence too', () => {
  const refusal = 'A parameter breaks a restriction: sourceAmount must be above zero'
  assert.equal(fieldTextWords.zh(refusal), '参数不符合限制：sourceAmount 必须大于零')
  assert.equal(fieldTextWords.zh('No conversion rate: USD to EUR'), '没有换算汇率：USD to EUR')
  assert.equal(
    fieldTextWords.zh('The file cannot be read: line 3: it has 2 cells, the first line has 5.'),
    '文件无法读取：第 3 行：有 2 个单元格，而第一行有 5 个。',
  )
  assert.equal(fieldTextWords.zh("the payment's result: answered 500"), '支付结果：响应 500')
  assert.equal(
    fieldTextWords.zh('the connection was refused: connect ECONNREFUSED 127.0.0.1:9'),
    '连接被拒绝：connect ECONNREFUSED 127.0.0.1:9',
  )
})

test('a translation has as many values as its sentence, and each sentence finds its own', () => {
  const count = (text: string) => text.split('{}').length
  const known: Sentences = sentences
  const translate = translator(known, '：')
  for (const [english, chinese] of Object.entries(known)) {
    assert.equal(count(chinese), count(english), english)
    assert.match(chinese, /\p{Script=Han}/u, english)
    const filled = english.replaceAll('{}', '7')
    assert.equal(translate(filled), chinese.replaceAll('{}', '7'), english)
  }
})

test('every listed sentence is used', () => {
  const code = globSync('src/{interfaces/backoffice,people}/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('-texts.ts'))
    .map(read)
    .join('\n')
    .replace(/\$\{[^}]+\}/g, '{}')
  assert.deepEqual(
    fieldTexts.filter((text) => !code.includes(text)),
    [],
  )
})
