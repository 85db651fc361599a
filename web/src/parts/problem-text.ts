// The text of a refusal in the person's language.
import { Refusal } from '../api/refusal.ts'
import { fieldTextWords } from '../words/field-text.ts'
import { problemsWords } from '../words/problems.ts'
import { useWords } from '../words/use-words.tsx'

export function useProblemText(): (error: unknown) => string {
  const problems = useWords(problemsWords)
  const fieldText = useWords(fieldTextWords)
  return (error) => {
    if (!(error instanceof Refusal)) return problems.failed ?? ''
    return problems[error.code] ?? fieldText(error.message)
  }
}
