import { Refusal } from '../../errors/catalogue.ts'
import { Problem } from '../problem.ts'

/** The field that a refusal is about: most messages name it behind the colon. */
export function fieldIn({ code, message }: Refusal): string | undefined {
  if (code === '10009') return 'merOrderNo'
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
    // The form asks for the currency outside of the fields of the interface.
    const at = field === 'currencyCode' ? 'currency' : `fields.${field}`
    throw new Problem('invalid', 'Check the marked fields.', { [at]: { domain: error.message } })
  }
}
