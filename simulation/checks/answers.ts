// Interprets the gateway's answers to requests, for several checks.
import type { Answer } from '../witness.ts'

/** Returns the data of all answers that accepted the request. */
export function acceptedData(answers: readonly Answer[]): Readonly<Record<string, unknown>>[] {
  return answers.flatMap((answer) =>
    answer.kind === 'answered' && answer.code === '00000' ? [answer.data] : [],
  )
}

/** The codes for an order that exists and has failed. The order's number cannot be used again. */
const failedCodes: readonly string[] = ['99995', '99998']

/** True if the answer states that the payment or payout exists and has failed. */
export function saysFailed(answer: Answer): boolean {
  if (answer.kind !== 'answered') return false
  return failedCodes.includes(answer.code) || (answer.code === '00000' && String(answer.data.payCode) === '1')
}

/** True if the answer states that nothing was stored. After a system error (99999), something may have been stored. */
export function saysRefused(answer: Answer): boolean {
  return answer.kind === 'answered' && !['00000', '99999', ...failedCodes].includes(answer.code)
}

/** Returns the distinct texts that the answers contain in a field. */
export function textsOf(
  data: readonly Readonly<Record<string, unknown>>[],
  name: string,
): ReadonlySet<string> {
  return new Set(data.flatMap(({ [name]: value }) => (typeof value === 'string' ? [value] : [])))
}
