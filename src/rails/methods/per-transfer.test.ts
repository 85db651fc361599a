import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkIdentification } from './per-transfer.ts'

function ruleFor(type: string, number: string): string | undefined {
  const problem = checkIdentification({
    customerIdentificationType: type,
    customerIdentification: number,
  })
  if (problem !== undefined) assert.equal(problem.field, 'customerIdentification')
  return problem?.rule
}

test('each kind of document has its own form', () => {
  for (const [type, number] of [
    ['00', '41552384'],
    ['01', '001234567'],
    ['02', '20100070970'],
    ['02', '20512333797'],
    ['03', 'AB123456'],
  ] as const)
    assert.equal(ruleFor(type, number), undefined, `${type} ${number}`)
})

test('a number of another form is refused', () => {
  for (const [type, number, rule] of [
    ['00', '4155238', /8 digits of an identity card/],
    ['00', '4155238X', /8 digits of an identity card/],
    ['01', '1234567', /foreigner's card/],
    ['02', '2010007097', /tax number/],
    ['02', '30100070970', /tax number/],
    ['03', 'AB 12345', /passport/],
  ] as const)
    assert.match(ruleFor(type, number) ?? '', rule, `${type} ${number}`)
})

test('of ten tax numbers that differ only in the last digit, one is valid', () => {
  const valid = Array.from({ length: 10 }, (_, digit) => ruleFor('02', `2010007097${digit}`)).filter(
    (rule) => rule === undefined,
  )
  assert.equal(valid.length, 1)
})

test('missing numbers and unknown kinds are ignored', () => {
  assert.equal(checkIdentification({}), undefined)
  assert.equal(checkIdentification({ customerIdentificationType: '00' }), undefined)
  assert.equal(checkIdentification({ customerIdentification: 'x' }), undefined)
  assert.equal(ruleFor('00', ''), undefined)
  assert.equal(ruleFor('constructor', 'x'), undefined)
})
