// What a route refuses with. The web app translates the codes and the sentences that it knows, and shows the others as they are.
import type { DomainText, FieldText } from './field-texts.ts'

const statuses = {
  invalid: 422,
  'not-signed-in': 401,
  'factor-needed': 401,
  'not-allowed': 403,
  'foreign-origin': 403,
  'not-found': 404,
  /** Somebody else changed it meanwhile. */
  conflict: 409,
  /** The use case refuses, and says why. */
  refused: 409,
  'too-large': 413,
  'not-json': 415,
  'too-many': 429,
  failed: 500,
  overloaded: 503,
} as const

export type ProblemCode = keyof typeof statuses

/** By field, what to do about it. */
export type FieldProblems = Readonly<Record<string, FieldText | DomainText>>

/** As a client reads them. */
export type FieldMessages = Readonly<Record<string, string>>

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly fields: FieldMessages | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, message: string, fields?: FieldProblems, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.fields = fields && messagesOf(fields)
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return statuses[this.code]
  }

  toJSON() {
    const { code, message, fields, retryAfterSeconds } = this
    return { problem: { code, message, fields, retryAfterSeconds } }
  }
}

function messagesOf(fields: FieldProblems): FieldMessages {
  const messages = Object.entries(fields).map(([name, text]) => {
    return [name, typeof text === 'string' ? text : text.domain]
  })
  return Object.fromEntries(messages)
}

/** A problem at one field. */
export function atField(name: string, text: FieldText | DomainText): Problem {
  return new Problem('invalid', typeof text === 'string' ? text : text.domain, { [name]: text })
}
