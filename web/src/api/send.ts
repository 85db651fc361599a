// Sends one request to the back office's API. The types come from the API's table of routes.
import type { Api } from '../../../src/interfaces/backoffice/api.ts'
import type { Input, ReplyOf } from '../../../src/interfaces/backoffice/route.ts'
import type { Problem } from '../../../src/platform/errors/problem.ts'
import { Refusal } from './refusal.ts'

export type RouteKey = keyof Api

export type FileRoute = { [Name in RouteKey]: Api[Name]['reply'] extends 'file' ? Name : never }[RouteKey]
export type JsonRoute = Exclude<RouteKey, FileRoute>
export type ReadRoute = Extract<JsonRoute, `GET ${string}`>
export type ChangeRoute = Exclude<JsonRoute, `GET ${string}`>

export type InputOf<Name extends RouteKey> = Input<Api[Name]>
export type Reply<Name extends JsonRoute> = ReplyOf<Api[Name]>

type Parts = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

type ProblemAnswer = ReturnType<Problem['toJSON']>

const PREFIX = '/backoffice/api'

/** Returns the input, whose type depends on the route, as parts of a request. */
function partsOf(input: unknown): Parts {
  return input ?? {}
}

export function addressOf(name: RouteKey, input: unknown): string {
  const { params = {}, query = {} } = partsOf(input)
  const path = name.slice(name.indexOf(' ') + 1)
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== '') search.append(key, String(one))
  return `${PREFIX}${filled}${search.size > 0 ? `?${search}` : ''}`
}

export async function send<Name extends JsonRoute>(name: Name, input: InputOf<Name>): Promise<Reply<Name>> {
  const { body } = partsOf(input)
  const response = await reach(addressOf(name, input), {
    method: name.slice(0, name.indexOf(' ')),
    credentials: 'same-origin',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw await refusalOf(response)
  return response.json()
}

async function reach(address: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(address, options)
  } catch {
    throw new Refusal('unreachable', 'The server cannot be reached.')
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const { problem }: ProblemAnswer = await response.json()
    return new Refusal(problem.code, problem.message, problem.fields, problem.retryAfterSeconds)
  } catch {
    // The answer is not JSON from the gateway. A proxy in front of the gateway may have sent its own error page.
    return new Refusal('failed', `The server answered ${response.status}.`)
  }
}
