import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters as uncoloured } from 'node:util'
import { openLog, terminalLine } from './log.ts'

function linesAt(output: { readonly isTTY: boolean }) {
  const lines: string[] = []
  const log = openLog('info', { ...output, write: (text) => lines.push(text) })
  return { log, lines }
}

test('at a terminal the log has readable lines', () => {
  const { log, lines } = linesAt({ isTTY: true })
  log.info({ endpoint: '/payment', code: '00000', ms: 12 }, 'answered')
  log.warn('look at this')
  assert.equal(lines.length, 2)
  assert.match(
    uncoloured(lines[0] ?? ''),
    /^\d\d:\d\d:\d\d info {2}answered endpoint=\/payment code=00000 ms=12\n$/,
  )
  assert.match(uncoloured(lines[1] ?? ''), /^\d\d:\d\d:\d\d warn {2}look at this\n$/)
})

test('elsewhere the log is one JSON object per line', () => {
  const { log, lines } = linesAt({ isTTY: false })
  log.info({ code: '00000' }, 'answered')
  const { level, msg, code } = JSON.parse(lines[0] ?? '')
  assert.deepEqual({ level, msg, code }, { level: 30, msg: 'answered', code: '00000' })
})

test('secrets are redacted in both', () => {
  for (const isTTY of [true, false]) {
    const { log, lines } = linesAt({ isTTY })
    log.info({ cardNo: '4242424242424242', body: { sign: 'SECRET' } }, 'x')
    assert.doesNotMatch(lines.join(''), /4242424242424242|SECRET/)
  }
})

test('a card number in any text is hidden in both', () => {
  for (const isTTY of [true, false]) {
    const { log, lines } = linesAt({ isTTY })
    log.warn(
      { err: new Error('refused 4242-4242-4242-4242'), orderNo: 5555555555554444 },
      'card 378282246310005',
    )
    assert.doesNotMatch(lines.join(''), /4242-4242|5555555|378282246/)
    assert.match(lines.join(''), /\*{4}-4242/)
    assert.match(lines.join(''), /\*{11}0005/)
  }
})

test('an error has its stack below its line', () => {
  const { log, lines } = linesAt({ isTTY: true })
  log.error({ err: new TypeError('no such thing') }, 'it failed')
  const [first, second, third] = uncoloured(lines.join('')).split('\n')
  assert.match(first ?? '', /error it failed$/)
  assert.equal(second, '    TypeError: no such thing')
  assert.match(third ?? '', /^ {4}at /)
})

test('control characters from outside do not reach the terminal', () => {
  const line = JSON.stringify({
    level: 30,
    time: '2026-01-01T00:00:00Z',
    msg: 'a\u001b[2Jb\nc',
    'k\u0007': '\u009b1m',
  })
  const shown = terminalLine(line, false)
  assert.doesNotMatch(shown.trimEnd(), /\p{Cc}/u)
  assert.match(shown, /a\uFFFD\[2Jb\uFFFDc/)
  assert.equal(terminalLine('not of the log\n', true), 'not of the log\n')
})
