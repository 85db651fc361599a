import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSite } from './site.ts'

const accepted = [
  ['shop.example', 'shop.example'],
  ['SHOP.Example', 'shop.example'],
  ['localhost', 'localhost'],
  ['shop.example:8443', 'shop.example:8443'],
  ['shop.example:80', 'shop.example:80'],
  ['shop.example:443', 'shop.example:443'],
  ['*.shop.example', '*.shop.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['*.BÜCHER.example', '*.xn--bcher-kva.example'],
  ['127.0.0.1:3000', '127.0.0.1:3000'],
  ['[::1]:3000', '[::1]:3000'],
] as const

for (const [typed, site] of accepted) {
  test(`${typed} is normalised to ${site}`, () => assert.equal(readSite(typed), site))
}

const refused = [
  '',
  '*',
  '*.',
  'https://shop.example',
  'shop.example/path',
  'shop.example?x',
  'user@shop.example',
  'shop .example',
  'shop.example:0',
  'shop.example:65536',
  'shop.example:',
  'shop..example',
  'shop.example.',
  'a.*.example',
  '*.127.0.0.1',
  '*.shop.example:8080',
  '%41.example',
  `${'a'.repeat(254)}.example`,
]

for (const typed of refused) {
  test(`"${typed.slice(0, 30)}" is not a website`, () => assert.equal(readSite(typed), undefined))
}
