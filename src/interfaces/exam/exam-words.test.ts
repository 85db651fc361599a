import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { examWords } from '../../../web/src/words/exam.ts'
import { todos } from './checklist.ts'
import { firstExercise, otherExercises } from './exercises.ts'

const all = [firstExercise, ...otherExercises]

test('every exercise has its words in the back office and its part of the guide', () => {
  const own = (field: 'title' | 'todo') => Object.fromEntries(all.map((one) => [one.name, one[field]]))
  assert.deepEqual(examWords.en.titles, own('title'))
  assert.deepEqual(examWords.en.todos, own('todo'))
  const guide = readFileSync('docs/guides/exam.md', 'utf8')
  const headings = [...guide.matchAll(/^### ([a-z-]+)$/gm)].map(([, name]) => name)
  assert.deepEqual(
    headings,
    all.map(({ name }) => name),
  )
})

test('every item of the checklist has its words in the back office', () => {
  assert.deepEqual(examWords.en.checks, todos)
})
