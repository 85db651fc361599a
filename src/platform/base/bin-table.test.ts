import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createBinTable, readBinTable } from './bin-table.ts'
import { maskCard } from './card-number.ts'
import { openVault } from './secret.ts'

async function tableOf(text: string) {
  const pieces = async function* () {
    yield text
  }
  return createBinTable(await readBinTable(pieces()))
}

test('the longest prefix of a card number decides', async () => {
  const table = await tableOf('bin,brand,country\n424242,visa,US\n42424242,,FR\n400000,mastercard,\n')
  assert.deepEqual(table.find('4242424242424242'), { brand: undefined, country: 'FR' })
  assert.deepEqual(table.find('4242421111111111'), { brand: 'visa', country: 'US' })
  assert.deepEqual(table.find('424242'), { brand: 'visa', country: 'US' })
  assert.equal(table.find('5555555555554444'), undefined)
})

test("a table's brand replaces that of the first digits, and its country is known", async () => {
  const table = await tableOf('bin,brand,country\n400000,elo,BR\n424242,,US\n')
  const vault = openVault(randomBytes(32))
  const masked = (number: string) => {
    const { brand, country } = maskCard(vault, number, table)
    return { brand, country }
  }
  assert.deepEqual(masked('4000000000000002'), { brand: 'elo', country: 'BR' })
  assert.deepEqual(masked('4242424242424242'), { brand: 'visa', country: 'US' })
  assert.deepEqual(masked('5555555555554444'), { brand: 'mastercard', country: undefined })
})

test('a wrong table is refused with the line', async () => {
  for (const [text, why] of [
    ['', /it is empty/],
    ['bin,brand,country\n', /it is empty/],
    ['424242,visa,US\n', /first line must be/],
    ['bin,brand,country\n4242,visa,US\n', /line 2: a BIN has/],
    ['bin,brand,country\n424242,visa,US\n424243,VISA,US\n', /line 3: a brand/],
    ['bin,brand,country\n424242,visa,usa\n', /line 2: a country/],
    ['bin,brand,country\n424242,visa,US,x\n', /line 2: there are more/],
  ] as const)
    await assert.rejects(tableOf(text), why)
})
