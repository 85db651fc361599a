import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { endpoints } from '../endpoints.ts'
import {
  escapedString,
  identifierNames,
  interfaceNames,
  plainProblem,
  plainString,
  type SignedField,
  signedFields,
  stringToSign,
} from './rsa-string.ts'

const endpoint = endpoints['/refund/apply']

type Texts = Readonly<Record<string, string>>

/**
 * Returns every string that a valid signature of this body may cover. Returns no string if the body is not accepted.
 */
function acceptedStrings(body: Texts): string[] {
  const fields = fieldsOf(body)
  if (fields === undefined) return []
  return [
    ...(plainProblem(fields, endpoint) === undefined ? [plainString(fields)] : []),
    escapedString(fields),
  ]
}

function fieldsOf(body: Texts): readonly SignedField[] | undefined {
  try {
    return signedFields(body)
  } catch {
    return undefined
  }
}

/** Returns every possible reading of a string. In each reading, an "&" either begins a field or belongs to a value. */
function readingsOf(text: string): Texts[] {
  const [first = '', ...others] = text.replace(/^escaped&/, '').split('&')
  let readings: string[][] = [[first]]
  for (const piece of others)
    readings = readings.flatMap((parts) => [
      [...parts, piece],
      [...parts.slice(0, -1), `${parts.at(-1)}&${piece}`],
    ])
  const bodies = readings.filter((parts) => parts.every((part) => part.includes('='))).map(toBody)
  return [...bodies, ...bodies.map(unescaped)]
}

function toBody(parts: readonly string[]): Texts {
  return Object.fromEntries(
    parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
}

function unescaped(body: Texts): Texts {
  const plain = (text: string) => text.replaceAll('%26', '&').replaceAll('%25', '%')
  return Object.fromEntries(Object.entries(body).map(([name, text]) => [name, plain(text)]))
}

// There are only a few names and pieces, so that ambiguous texts occur often.
const names = ['a', 'b', 'escaped', 'merNo', 'merOrderNo', 'n', 'p', 'sourceAmount', 'userId', 'z']
const pieces = [
  '&',
  '=',
  '%',
  '%26',
  '%25',
  '1',
  '&b=',
  '&p=',
  '&n=',
  '&z=',
  '&sourceAmount=',
  'escaped&',
  '&sign=',
]
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join(''))
const body = fc.dictionary(fc.constantFrom(...names), text, { minKeys: 1, maxKeys: 4 })

/**
 * Returns the fields of a body that the interface has. Each value is cut before an `&name=`, because another reading
 * may begin a field there.
 */
const readOf = (texts: Texts) =>
  Object.fromEntries(
    Object.entries(texts)
      .filter(([name, text]) => interfaceNames.has(name) && text !== '')
      .map(([name, text]) => [name, text.replace(/&[A-Za-z0-9_]{1,64}=.*/, '')]),
  )

describe('the string of an RSA signature', () => {
  it('gives every field of the interface exactly one value, whatever the body contains', () => {
    let compared = 0
    const property = fc.property(body, (signed) => {
      for (const accepted of acceptedStrings(signed))
        for (const other of readingsOf(accepted)) {
          compared++
          if (acceptedStrings(other).includes(accepted))
            assert.deepEqual(readOf(other), readOf({ ...signed }), accepted)
        }
    })
    fc.assert(property, { numRuns: 1_000 })
    assert.ok(compared > 10_000, 'other readings were tried')
  })

  it('is accepted whenever any form is', () => {
    const property = fc.property(body, (signed) => {
      const accepted = acceptedStrings(signed)
      const fields = fieldsOf(signed)
      assert.ok(fields === undefined || accepted.includes(stringToSign(fields, endpoint)))
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('escapes percent signs and ampersands in values, and nothing else', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), text, (one, other) => {
      const value = `${one}${other}${one}`
      const expected = value.split('%').join('%25').split('&').join('%26')
      assert.equal(escapedString([{ name: 'a', text: value }]), `escaped&a=${expected}`)
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('finds a field of the interface after any number of others', () => {
    const others = '&a=&&%26=&merNo'.repeat(1_000)
    const problemOf = (value: string) => plainProblem([{ name: 'a', text: value }], endpoint)
    assert.equal(problemOf(others), undefined)
    for (const name of interfaceNames)
      assert.equal(problemOf(`${others}&${name}=`) !== undefined, !['sign', 'sing'].includes(name), name)
  })
})

it('derives the names of the interface from its tables', () => {
  for (const name of [
    'merNo',
    'withdrawType',
    'paymentType',
    'paymentMode',
    'amount',
    'dateLimit',
    'type',
    'info',
  ])
    assert.ok(interfaceNames.has(name), name)
  for (const alias of ['productInfo', 'products', 'billFirstName', 'applePayToken', 'vaBankId', 'coin'])
    assert.ok(interfaceNames.has(alias), alias)
  assert.ok(!interfaceNames.has('sku'), 'a name inside a field does not count')
  assert.deepEqual([...identifierNames].sort(), [
    'cardNo',
    'merOrderNo',
    'merOrderNoList',
    'merOrderNos',
    'merRefundNo',
    'refundNo',
    'tradeNo',
    'tradeNos',
  ])
})
