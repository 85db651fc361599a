// Registers the table of routes. Before the body of a call is read, the session must have the access that the route
// requires. Calls other than GET must also come from our own pages.
import { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Caller } from '../../../people/roles/caller.ts'
import type { Browser } from '../../../people/sessions/begin-session.ts'
import { requireRecentFactor } from '../../../people/sessions/begin-session.ts'
import type { Sessions } from '../../../people/sessions/find-session.ts'
import { OperatorRefusal, Refusal } from '../../../platform/errors/catalogue.ts'
import { domainText, type FieldText } from '../../../platform/errors/page-texts.ts'
import { atField, type FieldProblems, Problem } from '../../../platform/errors/problem.ts'
import { Overloaded } from '../../../platform/postgres/batch.ts'
import { OUTAGE_SECONDS, outageOf } from '../../../platform/postgres/outages.ts'
import type { Download, Route, Routes } from '../route.ts'
import { DIGITS, NOT_EMPTY } from '../schemas.ts'
import { type Cookie, readCookie } from './cookie.ts'
import { compileLazily } from './lazy-compilers.ts'

export type ApiDeps = {
  /** The origins whose pages may call the API. The first is the gateway's public address. */
  readonly origins: readonly string[]
  readonly cookie: Cookie
  readonly deviceCookie: Cookie
  readonly routes: Routes
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly sessions: Sessions
  now(): Date
}

/** A handler of any route. The compiler checks the types of each handler at its declaration. */
export type AnyHandler = (call: never) => Promise<unknown>

const BODY_BYTES = 65_536
declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

export function registerApi(scope: FastifyInstance, deps: ApiDeps): void {
  compileLazily(scope)
  scope.setErrorHandler(sendProblem)
  // JSON is the only content type. A form on another site can send multipart or urlencoded bodies, but not JSON. Files
  // are sent inside the JSON as base64.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    scope.getDefaultJsonParser('error', 'ignore'),
  )
  for (const [name, route] of Object.entries(deps.routes)) register(scope, deps, name, route)
  scope.all('/*', () => {
    throw new Problem('not-found', 'There is no such address.')
  })
}

function register(scope: FastifyInstance, deps: ApiDeps, name: string, route: Route): void {
  const [method = '', url = ''] = name.split(' ')
  const handler = deps.handlers[name]
  if (handler === undefined) throw new Error(`${name} has no handler`)
  scope.route({
    method,
    url,
    bodyLimit: route.bodyLimit ?? BODY_BYTES,
    schema: {
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: closed(route.body) }),
      ...(route.reply !== 'file' && { response: { 200: route.reply } }),
    },
    onRequest: async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      checkOrigin(deps, request)
      await admit(deps, route, request)
    },
    // `unless-dry-run` is checked here and not in onRequest, because only the body says whether the call is a dry run.
    preHandler: async ({ caller, body }) => {
      if (route.dangerous === 'unless-dry-run' && caller !== undefined && !isDryRun(body))
        requireRecentFactor(caller.factorAt, deps.now())
    },
    handler: async (request, reply) => {
      const call = {
        caller: request.caller,
        params: request.params,
        query: request.query,
        body: request.body,
        browser: browserOf(deps, request, reply),
      }
      const result = await handler(call as never)
      return route.reply === 'file' ? sendFile(reply, result as Download) : result
    },
  })
}

/**
 * Closes the schema of a body: fields that the schema does not list are removed before a handler sees the body.
 * Otherwise, if a handler merges the body with values of the address or the session, such a field could replace one of
 * these values. Objects inside the body stay open, because no handler merges their fields.
 */
function closed(body: TSchema): TSchema {
  return 'type' in body && body.type === 'object' ? { additionalProperties: false, ...body } : body
}

/**
 * Refuses calls other than GET from other origins. SameSite=Strict alone is not enough, because it admits other ports
 * and subdomains.
 */
function checkOrigin({ origins }: ApiDeps, request: FastifyRequest): void {
  if (request.method === 'GET') return
  if (!origins.includes(request.headers.origin ?? ''))
    throw new Problem('foreign-origin', `Open the back office at ${origins[0]}/backoffice and try again.`)
}

async function admit(deps: ApiDeps, route: Route, request: FastifyRequest): Promise<void> {
  if (route.access === 'public') return
  const token = readCookie(deps.cookie, request.headers.cookie)
  const caller = await deps.sessions.find(token, request.ip)
  if (caller === undefined || (caller.factorAt === null && route.access !== 'password-given'))
    throw new Problem('not-signed-in', 'Sign in to go on.')
  request.caller = caller
  if (!isOpenTo(caller, route.access))
    throw new Problem('not-allowed', 'Your role does not allow this. Ask somebody who may change roles.')
  if (route.dangerous === true) requireRecentFactor(caller.factorAt, deps.now())
}

function isDryRun(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true
}

function isOpenTo({ permissions }: Caller, access: Exclude<Route['access'], 'public'>): boolean {
  return access === 'signed-in' || access === 'password-given' || permissions.has(access)
}

function browserOf(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Browser {
  const { cookie, deviceCookie, sessions } = deps
  return {
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, 300),
    token: readCookie(cookie, request.headers.cookie),
    setSession: (token: string | undefined) => {
      reply.header('set-cookie', cookie.write(token))
      if (token !== undefined) sessions.began(token)
    },
    device: readCookie(deviceCookie, request.headers.cookie),
    setDevice: (token: string) => {
      reply.header('set-cookie', deviceCookie.write(token))
    },
  }
}

function sendFile(reply: FastifyReply, { name, type, content }: Download): FastifyReply {
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`)
    .send(Readable.from(content))
}

function sendProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  if (problem.code === 'failed') request.log.error({ err: error }, 'the back office failed')
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply.code(problem.status).send(problem.toJSON())
}

const OUTAGE =
  'The database cannot be used at the moment. Wait a little, look whether your change was made, and try again if it was not.'

function problemOf(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error instanceof OperatorRefusal && error.field !== undefined)
    return atField(error.field, domainText(error.message))
  if (error instanceof OperatorRefusal || error instanceof Refusal)
    return new Problem('refused', error.message)
  if (error instanceof Overloaded)
    return new Problem('overloaded', 'Too much is going on. Try again in a moment.')
  if (outageOf(error) !== undefined) return new Problem('outage', OUTAGE, undefined, OUTAGE_SECONDS)
  if (error.validation !== undefined)
    return new Problem('invalid', 'Check the marked fields.', fieldProblems(error.validation))
  if (error.statusCode === 413) return new Problem('too-large', 'That is too large.')
  if (error.statusCode === 415) return new Problem('not-json', 'Send application/json.')
  if (error.statusCode !== undefined && error.statusCode < 500) return new Problem('invalid', error.message)
  return new Problem(
    'failed',
    'Something went wrong on our side. Try again; if it stays, tell your operator.',
  )
}

type Validation = NonNullable<FastifyError['validation']>[number]

function fieldProblems(found: readonly Validation[]): FieldProblems {
  return Object.fromEntries(found.map((one) => [fieldOf(one), adviceOf(one)]))
}

function fieldOf({ instancePath, keyword, params }: Validation): string {
  const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : ''
  return `${instancePath}${missing}`.slice(1).replaceAll('/', '.')
}

function adviceOf({ keyword, params }: Validation): FieldText {
  const isEmpty = keyword === 'pattern' && params.pattern === NOT_EMPTY
  if (isEmpty || keyword === 'required' || keyword === 'minLength') return 'Enter a value.'
  if (keyword === 'format') return 'Enter a date such as 2026-01-31.'
  if (keyword === 'maxItems') return `List at most ${String(params.limit)}.`
  if (keyword === 'maxLength') return `Enter at most ${String(params.limit)} characters.`
  const isNumber = keyword === 'type' ? params.type === 'integer' : params.pattern === DIGITS
  if (isNumber) return 'Enter a whole number.'
  if (keyword === 'minimum') return `Enter a number of at least ${String(params.limit)}.`
  if (keyword === 'maximum') return `Enter a number of at most ${String(params.limit)}.`
  const isChoice = keyword === 'anyOf' || keyword === 'const' || keyword === 'enum'
  return isChoice ? 'Choose from the list.' : 'Check this value.'
}
