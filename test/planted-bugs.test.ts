// The bugs that the simulation must find stay applicable as the code changes. `npm run simulate:prove` checks that the
// simulation finds them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bugs } from '../simulation/bugs/all.ts'
import { applyEdit, type Bug } from '../simulation/bugs/bug.ts'

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8')

/** Returns the changed text of each file that the bug changes. */
function planted({ edits }: Bug): Map<string, string> {
  const texts = new Map<string, string>()
  for (const edit of edits) texts.set(edit.file, applyEdit(texts.get(edit.file) ?? read(edit.file), edit))
  return texts
}

test('planted bugs have names of their own', () => {
  assert.equal(new Set(bugs.map(({ name }) => name)).size, bugs.length)
})

for (const bug of bugs) {
  test(`${bug.name} can be planted`, () => {
    for (const [file, text] of planted(bug)) {
      assert.match(file, /^src\/.*\.ts$/, 'a bug is one of the program')
      assert.notEqual(text, read(file))
      assert.doesNotThrow(() => stripTypeScriptTypes(text), `${file} is no longer TypeScript`)
    }
  })
}
