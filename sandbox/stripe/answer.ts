import type { Fields } from '../../src/platform/base/object.ts'

export type Answer = {
  readonly status: number
  readonly body: Fields
  /** If set, the caller gets no response. A `lost` request was carried out, and an `ignored` request was not. */
  readonly silence?: 'lost' | 'ignored'
}

export function done(body: Fields): Answer {
  return { status: 200, body }
}

export function problem(status: number, type: string, error: Fields): Answer {
  return { status, body: { error: { type, ...error } } }
}

export function invalid(message: string, more: Fields = {}): Answer {
  return problem(400, 'invalid_request_error', { message, ...more })
}

export function missing(kind: string): Answer {
  return problem(404, 'invalid_request_error', { code: 'resource_missing', message: `No such ${kind}` })
}
