// Why a call did not succeed: the server's problem, or no answer at all.
import type { FieldProblems, ProblemCode } from '../../../src/backoffice/problem.ts'

export type RefusalCode = ProblemCode | 'unreachable'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly fields: FieldProblems
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, fields: FieldProblems = {}, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}
