import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Type } from 'typebox'
import { api } from '../src/interfaces/backoffice/api.ts'
import type { Route } from '../src/interfaces/backoffice/route.ts'
import { commands } from '../src/operator/cli/cli.ts'
import { optionsOf } from '../src/operator/cli/command.ts'
import { officePages } from './harness/office-pages.ts'
import { places } from './harness/office-places.ts'

const root = new URL('..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const app = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).map(read).join('\n')
const routes = globSync('src/interfaces/backoffice/*/api.ts', { cwd: root }).flatMap((path) =>
  [...read(path).matchAll(/^ {2}'((?:GET|POST|PUT|DELETE) [^']+)'/gm)].map(([, name = '']) => name),
)

test('the documents show each entry of the navigation, and only pages that exist', () => {
  const shown = read('docs/back-office-pages.md')
  const paths = [...shown.matchAll(/^\*\*.+\*\* `([^`]+)`\n\n!\[.+\]\(pictures\/[\w-]+\.png\)$/gm)].map(
    ([, path = '']) => path,
  )
  // The details of a line are shown beside its list, under the address of the list.
  const addressOf = (path: string) => path.replace(/\/:\w+\?$/, '').replace(/^\/order\/.*/, '/order')
  const entryOf = new Map(officePages.map(({ path, entry }) => [addressOf(path), entry]))
  assert.deepEqual(
    paths.filter((path) => !entryOf.has(path)),
    [],
  )
  assert.deepEqual(
    new Set(paths.map((path) => entryOf.get(path))),
    new Set(officePages.map(({ entry }) => entry)),
  )
})

/** The routes that the web app does not use yet, each with the reason. */
const unused: readonly string[] = [
  // The page of rates shows the newest one of each pair.
  'GET /rates/:from/:to',
  // The form of corrections reads the trial balance.
  'GET /books/balances',
  // The page saves a changed view anew, under its name.
  'PUT /views/:viewId',
]

test('every route is used by the web app', () => {
  assert.ok(routes.length > 200, `${routes.length} routes found`)
  assert.deepEqual(
    routes.filter((name) => !app.includes(`'${name}'`) && !app.includes(`"${name}"`)).sort(),
    [...unused].sort(),
  )
})

/**
 * The commands that the back office does not have: `listen` shows notifications in a terminal, `pay` and `trigger` are
 * samples of the merchant interface, `bridge check` tries somebody's program, and `golive` comes before there is a back
 * office to work in.
 */
const onlyCommands: readonly string[] = [
  'listen',
  'pay',
  'trigger',
  'bridge check',
  'golive',
  'golive link',
  'golive restored',
  'golive confirm',
  // Operators run this command once, after an upgrade.
  'ledger review-past',
]

test('what a command does can be done in the back office', () => {
  const names = commands.map(({ name }) => name)
  assert.deepEqual([...Object.keys(places), ...onlyCommands].sort(), names.sort())
  assert.deepEqual(
    Object.values(places)
      .map(({ route }) => route)
      .filter((route) => !routes.includes(route)),
    [],
  )
})

test('what an option says can be said in the back office', () => {
  for (const command of commands.filter(({ name }) => places[name] !== undefined)) {
    const { route, options } = places[command.name] ?? { route: '', options: {} }
    assert.deepEqual(Object.keys(options).sort(), Object.keys(optionsOf(command)).sort(), command.name)
    for (const [option, counterpart] of Object.entries(options)) {
      const complaint = `${command.name} --${option}: there is no ${JSON.stringify(counterpart)}`
      assert.ok(typeof counterpart !== 'string' || isThere(route, counterpart), complaint)
    }
  }
})

/** True if the counterpart exists: a field of the route, another route, or a field of another route. */
function isThere(ofRoute: string, counterpart: string): boolean {
  const [, other, field] = /^(?:([A-Z]+ \S+) ?)?(.*)$/.exec(counterpart) ?? []
  const name = other ?? ofRoute
  const route: Route | undefined = Object.entries<Route>(api).find(([one]) => one === name)?.[1]
  if (route === undefined) return false
  return field === '' || [route.params, route.query, route.body].some((part) => hasField(part, field ?? ''))
}

function hasField(schema: unknown, path: string): boolean {
  const [name = '', ...inner] = path.split('.')
  if (!Type.IsObject(schema)) return false
  const field = schema.properties[name]
  return field !== undefined && (inner.length === 0 || hasField(field, inner.join('.')))
}
