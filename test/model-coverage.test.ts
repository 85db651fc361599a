// Every operation of the gateway that may change something is in the model of the money rules, or in a list with the
// reason why no money moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inModel, movesNoMoney } from '../model/coverage.ts'
import { operations } from '../model/operations.ts'
import { api } from '../src/interfaces/backoffice/api.ts'
import { endpoints } from '../src/interfaces/merchant-api/endpoints.ts'
import { commands } from '../src/operator/cli/cli.ts'

test('every operation is in the model, or moves no money for a reason', () => {
  // A GET of the back office changes nothing.
  const changing = Object.keys(api).filter((name) => !name.startsWith('GET '))
  const found = [
    ...Object.keys(endpoints).map((path) => `interface ${path}`),
    ...commands.map(({ name }) => `command ${name}`),
    ...changing.map((name) => `office ${name}`),
  ]
  const listed = [...Object.keys(inModel), ...Object.values(movesNoMoney).flat()]
  assert.deepEqual(
    found.filter((name) => !listed.includes(name)),
    [],
    'decide in model/coverage.ts where it belongs',
  )
  assert.deepEqual(
    listed.filter((name) => !found.includes(name)),
    [],
    'it is gone, so remove it from model/coverage.ts',
  )
  assert.equal(new Set(listed).size, listed.length, 'each is in one list')
})

test('the operations of the model that coverage.ts names exist', () => {
  const names = new Set(operations.map(({ name }) => name))
  const unknown = Object.values(inModel)
    .flat()
    .filter((name) => !names.has(name))
  assert.deepEqual(unknown, [])
})
