// An error response to the web app. The web app translates the sentences of page-texts.ts and shows other sentences
// unchanged.
import type { DomainText, FieldText } from './page-texts.ts'

const statuses = {
  invalid: 422,
  'not-signed-in': 401,
  'factor-needed': 401,
  'not-allowed': 403,
  'foreign-origin': 403,
  'not-found': 404,
  /** The data has changed since the caller read it. */
  conflict: 409,
  refused: 409,
  'too-large': 413,
  'not-json': 415,
  'too-many': 429,
  failed: 500,
  overloaded: 503,
  /** The database cannot be used. If the commit of a change was in progress, the change may have been made. */
  outage: 503,
} as const

export type ProblemCode = keyof typeof statuses

export type FieldProblems = Readonly<Record<string, FieldText | DomainText>>

export type FieldMessages = Readonly<Record<string, string>>

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly fields: FieldMessages | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, message: string, fields?: FieldProblems, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.fields =
      fields && Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, plainText(text)]))
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

function plainText(text: FieldText | DomainText): string {
  return typeof text === 'string' ? text : text.domain
}

export function atField(name: string, text: FieldText | DomainText): Problem {
  return new Problem('invalid', plainText(text), { [name]: text })
}
