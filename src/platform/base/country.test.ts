import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateCodeOf } from './country.ts'

test('a state is found by its code, its name or the beginning of its name', () => {
  const found: readonly (readonly [country: string, text: string, code: string | undefined])[] = [
    ['DE', 'BY', 'BY'],
    ['DE', 'de-by', 'BY'],
    ['DE', 'Bayern', 'BY'],
    ['DE', 'baden württemberg', 'BW'],
    ['DE', 'BADEN-WURTTEMBERG', 'BW'],
    ['US', 'California', 'CA'],
    ['US', 'Virginia', 'VA'],
    ['US', 'New York', 'NY'],
    ['AU', 'NSW', 'NSW'],
    ['PE', 'Lima', 'LIM'],
    ['CN', 'Guangdong', 'GD'],
    ['BR', 'São Paulo', 'SP'],
    ['US', 'Calif.', 'CA'],
    ['US', 'D.C.', 'DC'],
    ['US', 'N. Y.', 'NY'],
    ['US', 'Washington, D.C.', 'DC'],
    ['US', 'Washington DC', 'DC'],
    ['US', 'Washington', 'WA'],
    // The result is undefined if several names begin with the text, or if no name does.
    ['US', 'New', undefined],
    ['US', 'Miss.', undefined],
    ['DE', 'Bavaria', undefined],
    ['DE', 'CA', undefined],
    ['DE', '', undefined],
    ['ZZ', 'Bayern', undefined],
    ['', 'x', undefined],
  ]
  for (const [country, text, code] of found)
    assert.equal(stateCodeOf(country, text), code, `${country} ${text}`)
})
