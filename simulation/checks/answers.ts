// What answers to a request say, for several checks.
import type { Answer } from '../witness.ts'

/** The data of the answers that accepted it. */
export function acceptedData(answers: readonly Answer[]): Readonly<Record<string, unknown>>[] {
  return answers.flatMap((answer) =>
    answer.kind === 'answered' && answer.code === '00000' ? [answer.data] : [],
  )
}

/** The order exists, failed, and its number is used up. */
const failedCodes: readonly string[] = ['99995', '99998']

/** The request was carried out, and the payment or payout failed. */
export function saysFailed(answer: Answer): boolean {
  if (answer.kind !== 'answered') return false
  return failedCodes.includes(answer.code) || (answer.code === '00000' && String(answer.data.payCode) === '1')
}

/** Nothing was stored for this request. A system error says nothing of the kind. */
export function saysRefused(answer: Answer): boolean {
  return answer.kind === 'answered' && !['00000', '99999', ...failedCodes].includes(answer.code)
}

/** The distinct texts that a field of the answers has. */
export function textsOf(
  data: readonly Readonly<Record<string, unknown>>[],
  name: string,
): ReadonlySet<string> {
  return new Set(data.flatMap(({ [name]: value }) => (typeof value === 'string' ? [value] : [])))
}
