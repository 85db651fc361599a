import { Refusal } from '../../errors/catalogue.ts'
import { Problem } from '../problem.ts'

/** The field that a refusal is about: its message names it behind the colon. */
export function fieldIn({ message }: Refusal): string | undefined {
  return /: ([a-z]\w+)/.exec(message)?.[1]
}

/** A refusal of the interface as a problem at its field. */
export function fieldProblem<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const field = fieldIn(error)
    if (field === undefined) throw new Problem('invalid', error.message)
    throw new Problem('invalid', 'Check the marked fields.', {
      [`fields.${field}`]: { domain: error.message },
    })
  }
}
