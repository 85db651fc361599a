import type { FastifyInstance } from 'fastify'

export type Form = Readonly<Record<string, string>>

/** Lets the scope parse posted forms. If a name occurs twice, the last value counts. */
export function acceptForms(scope: FastifyInstance, maxBytes: number): void {
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  )
}

export function formOf(body: unknown): Form {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
