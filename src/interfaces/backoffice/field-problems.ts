// Turns refusals of the merchant interface into problems at the fields of a form.
import { Refusal, type RefusalCode } from '../../platform/errors/catalogue.ts'
import { atField, Problem } from '../../platform/errors/problem.ts'

export async function refusalAt<Result>(
  field: string,
  codes: readonly RefusalCode[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !codes.includes(error.code)) throw error
    throw atField(field, { domain: error.message })
  }
}

/** Returns the field that a refusal is about. Most messages name the field after a colon. */
export function fieldIn({ code, message }: Refusal): string | undefined {
  if (code === '10009') return 'merOrderNo'
  return /: ([a-z]\w+)/.exec(message)?.[1]
}

/**
 * Turns a refusal that `read` throws into a problem. If `fieldIn` finds the refused field, the problem is at that
 * field.
 */
export function fieldProblem<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const field = fieldIn(error)
    if (field === undefined) throw new Problem('invalid', error.message)
    // In a form, the currency is a separate property, not a part of `fields`.
    const at = field === 'currencyCode' ? 'currency' : `fields.${field}`
    throw new Problem('invalid', 'Check the marked fields.', { [at]: { domain: error.message } })
  }
}
