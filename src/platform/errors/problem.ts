// A problem is an error response to the web app. The web app translates the codes and sentences that it knows, and
// shows other sentences unchanged.
import type { DomainText, FieldText } from './page-texts.ts'

const statuses = {
  invalid: 422,
  'not-signed-in': 401,
  'factor-needed': 401,
  'not-allowed': 403,
  'foreign-origin': 403,
  'not-found': 404,
  /** Somebody else has changed the data since the caller read it. */
  conflict: 409,
  /** The use case refuses, and says why. */
  refused: 409,
  'too-large': 413,
  'not-json': 415,
  'too-many': 429,
  failed: 500,
  overloaded: 503,
  /** The database cannot be used. If a commit was under way, the change may have been made. */
  outage: 503,
} as const

export type ProblemCode = keyof typeof statuses

/** The advice for each field that has a problem, by the name of the field. */
export type FieldProblems = Readonly<Record<string, FieldText | DomainText>>

/** The advice of `FieldProblems` as plain text, for the client. */
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

export function atField(name: string, text: FieldText | DomainText): Problem {
  return new Problem('invalid', typeof text === 'string' ? text : text.domain, { [name]: text })
}
