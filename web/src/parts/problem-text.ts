// A refusal in the person's language.
import { Refusal } from '../api/refusal.ts'
import type { Words } from '../words/en.ts'

export function problemText(error: unknown, words: Words): string {
  if (!(error instanceof Refusal)) return words.problems.failed ?? ''
  return words.problems[error.code] ?? words.fieldText(error.message)
}
