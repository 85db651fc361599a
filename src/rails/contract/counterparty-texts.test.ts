import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyFault, theirReason, withoutHexKeys, withoutKeys } from './counterparty-texts.ts'

const masked: readonly (readonly [text: string, shown: string])[] = [
  ['Card 4111111111111111 has no funds', 'Card ***1111 has no funds'],
  ['4111 1111 1111 1111', '***1111'],
  ['3782-822463-10005, expired', '***0005, expired'],
  ['card 4242424242424242 123 declined', 'card *** declined'],
  ['4242 4242 4242 4242 12 30 123', '***'],
  ['4242  4242  4242  4242', '***'],
  ['4242\u00a04242\u00a04242\u00a04242', '***'],
  ['4242 - 4242 - 4242 - 4242, 4242%204242%204242%204242', '***, ***'],
  ['<cvv>123</cvv> <securityCode>123</securityCode>', '<cvv>***</cvv> <securityCode>***</securityCode>'],
  ['CVV code 123, security-code=123, CVV is 123', 'CVV code ***, security-code=***, CVV is ***'],
  ['CVV: 957', 'CVV: ***'],
  ['cvc=842&x=1', 'cvc=***&x=1'],
  ['card%5Bcvc%5D=842 card[cvc]=842', 'card%5Bcvc%5D=*** card[cvc]=***'],
  ['the security code 731 is wrong', 'the security code *** is wrong'],
  ['{"cardSecurityCode":"731"}', '{"cardSecurityCode":"***"}'],
  ['{\\"securityCode\\":\\"731\\"}', '{\\"securityCode\\":\\"***\\"}'],
  ['"cryptogram":"AgAA+/A="', '"cryptogram":"***"'],
  ['api_key=sk_test_1', 'api_key=***'],
]

test('a reason is shown without cards and what belongs to them', () => {
  for (const [text, shown] of masked) assert.equal(theirReason(text, 'Declined'), shown)
})

test('other reasons stay as they are', () => {
  for (const text of [
    'Insufficient funds',
    'CVC2 mismatch',
    'The token has expired',
    'The token is expired',
    'Error 51 of 2026-11-18',
  ])
    assert.equal(theirReason(text, 'Declined'), text)
})

test('no reason, or a whole document, is the fallback', () => {
  for (const reason of ['', undefined, 7, {}, 'x'.repeat(256)])
    assert.equal(theirReason(reason, 'Declined'), 'Declined')
})

test('keys are masked, and amounts of coin are not', () => {
  const text = 'no plan for a+key%2Fb or a+key/b: balance 1000000000000000000'
  assert.equal(
    withoutKeys(text, ['a+key%2Fb', 'a+key/b']),
    'no plan for *** or ***: balance 1000000000000000000',
  )
  assert.equal(
    withoutHexKeys(`bad key 0x${'aB'.repeat(32)} of 0x${'1'.repeat(40)}`),
    `bad key *** of 0x${'1'.repeat(40)}`,
  )
})

test('an amount has digits only, and a minus only where the caller allows one', () => {
  const fault = '"amount" is "-1250", not digits in the minor unit as text, such as "1250"'
  const reversal = { amount: '-1250', currency: 'USD' }
  assert.equal(moneyFault(reversal), fault)
  assert.equal(moneyFault(reversal, true), undefined)
  assert.equal(moneyFault({ ...reversal, amount: '1250' }), undefined)
  for (const amount of ['0', '-0', '--1250', '12.50', -1250])
    assert.match(moneyFault({ ...reversal, amount }, true) ?? '', /^"amount" is .*, not digits/)
})
