import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf, brandOf, hideCardNumbers, securityCodeDigits } from './card-number.ts'

test('the first digits determine the brand, also from the cache', () => {
  for (const _time of ['once', 'again']) {
    assert.equal(brandOf('4242424242424242'), 'visa')
    assert.equal(brandOf('5555555555554444'), 'mastercard')
    assert.equal(brandOf('6200000000000005'), 'unionpay')
    assert.equal(brandOf('378282246310005'), 'american-express')
    assert.equal(brandOf('9999999999999995'), 'unknown')
  }
})

test('a security code has three digits, and four on American Express', () => {
  assert.equal(securityCodeDigits('4242424242424242'), 3)
  assert.equal(securityCodeDigits('378282246310005'), 4)
  assert.equal(securityCodeDigits(''), 3)
})

test('a card number is hidden in whichever groups it is written, with all but its last four digits', () => {
  const hidden: readonly (readonly [text: string, shown: string])[] = [
    ['4242424242424242', '************4242'],
    ['4242 4242 4242 4242', '**** **** **** 4242'],
    ['3782-822463-10005', '****-******-*0005'],
    ['Amex 378282246310005.', 'Amex ***********0005.'],
    ['6205500000000000004', '***************0004'],
    ['4242\u00a04242\u00a04242\u00a04242', '****\u00a0****\u00a0****\u00a04242'],
    ['/cart?card=4242%204242%204242%204242&x', '/cart?card=****%20****%20****%204242&x'],
    ['order 7 4242-4242-4242-4242 12/30 123', 'order 7 ****-****-****-4242 12/30 123'],
    ['card4242424242424242x', 'card************4242x'],
    ['?q=card%204242424242424242', '?q=card%20************4242'],
    ['%7B%22card%22:%225555555555554444%22%7D', '%7B%22card%22:%22************4444%22%7D'],
    ['?q=%275555555555554444%27', '?q=%27************4444%27'],
    ['a%205555%205555%205555%204444', 'a%20****%20****%20****%204444'],
    ['5555%2D5555%2d5555%2D4444', '****%2D****%2d****%2D4444'],
    ['%F25555%C2%A05555%C2%A05555%C2%A04444', '%F2****%C2%A0****%C2%A0****%C2%A04444'],
    ['%25205555%25205555%2520555544%252044', '%2520****%2520****%2520****44%252044'],
    ['%205555555555554444%204242424242424242', '%20************4444%20************4242'],
    // A percent sign may stand before a card number, plain or as an escape.
    ['%5555555555554444', '%************4444'],
    ['12 %5555 5555 5555 4444', '12 %**** **** **** 4444'],
    ['%255555555555554444', '%25************4444'],
    ['%5555%205555%205555%204444', '%****%20****%20****%204444'],
    ['%20%5555555555554444', '%20%************4444'],
  ]
  for (const [text, shown] of hidden) assert.equal(hideCardNumbers(text), shown)
})

test('other numbers stay: without a check digit or a brand, of other lengths, dates, and ids of requests', () => {
  for (const text of [
    '4242424242424241',
    '9999999999999995',
    '42424242424',
    '42424242424242424242',
    '2026-11-18 13:59:49 1763474389690',
    '01931234-5678-7000-8000-424242424242',
    '%22a1931234-5678-7000-8000-424242424242%22',
    '?at=2026-11-18%2013%3A59%3A49&since=%201763474389690',
    '?to=https%3A%2F%2Fshop.example%2F100%25%20off%3Forder%3D20261118',
    '+51 1 555 0100',
    '',
  ])
    assert.equal(hideCardNumbers(text), text)
})

test('JSON with a card number as a number stays JSON', () => {
  const json = JSON.stringify({
    cardNo: 4242424242424242,
    list: [378282246310005, 1],
    text: 'a,4242424242424242,b',
    url: '?d=[%204242424242424242]&q=%224242424242424242',
  })
  const { cardNo, list, text, url } = JSON.parse(hideCardNumbers(json))
  assert.deepEqual(
    { cardNo, listed: list[0], text, url },
    {
      cardNo: 4000000000004242,
      listed: 300000000000005,
      text: 'a,4000000000004242,b',
      url: '?d=[%20************4242]&q=%22************4242',
    },
  )
})

test('a card number is found at every place of a text, and hidden before the text is cut', () => {
  for (const number of ['5555 5555 5555 4444', '%205555555555554444', '%2255555555%20%2055554444'])
    for (let before = 0; before < 40; before++) {
      const text = `${'x'.repeat(before)}${number}${'y'.repeat(30)}`
      assert.doesNotMatch(hideCardNumbers(text), /5/, text)
      assert.equal(beginningOf(text, 20), hideCardNumbers(text).slice(0, 20))
    }
})

test('JSON stays JSON when a card number is part of a number or follows an escape', () => {
  const numbers = ['-4111111111111111', '0.4111111111111111', '4111111111111111.5', '4111111111111111e3']
  for (const number of [...numbers, ' 4111111111111111 '])
    for (const json of [`{"a":${number}}`, `[1,${number},2]`]) {
      const hidden = hideCardNumbers(json)
      assert.equal(hidden.includes('411111'), false, json)
      assert.doesNotThrow(() => JSON.parse(hidden), hidden)
    }
  const hide = (text: string): unknown => JSON.parse(hideCardNumbers(JSON.stringify(text)))
  assert.equal(hide('\u00014111111111111111'), '\u0001************1111')
  assert.equal(hide('C:\\u4111111111111111'), 'C:\\u************1111')
  assert.equal(hide('\u0001%224111111111111111'), '\u0001%22************1111')
  // The digits after the escape \ud810 would be a card number of UnionPay only together with digits of the escape.
  assert.equal(hide('\ud8104111111111111'), '\ud8104111111111111')
})

test('the time for a text of nothing but card numbers grows with its length, not with its square', () => {
  const began = process.cpuUsage()
  assert.equal(hideCardNumbers('4   '.repeat(128_000)).includes('4   '.repeat(12)), false)
  for (const text of ['4%20', '%20', '%25', '25', '4%2', '%4242424242424242'])
    hideCardNumbers(text.repeat(8_000))
  assert.ok(process.cpuUsage(began).user < 10_000_000)
})

test('a text of nothing but short numbers takes little time', () => {
  const began = process.cpuUsage()
  hideCardNumbers('4 '.repeat(4_000))
  assert.ok(process.cpuUsage(began).user < 1_000_000)
})
