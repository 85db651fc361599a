// The reason why a call failed: the server's problem, or the fact that there was no answer.
import type { FieldMessages, ProblemCode } from '../../../src/platform/errors/problem.ts'

export type RefusalCode = ProblemCode | 'unreachable'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly fields: FieldMessages
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, fields: FieldMessages = {}, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}
