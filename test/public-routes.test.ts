// Every route of a gateway requires a signature or a session, or strangers attack it in `npm run bench:hostile`.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { everywhere, inSandbox, type PublicRow } from '../bench/hostile/public-routes.ts'
import { openGateway } from '../src/gateway/gateway.ts'
import { api } from '../src/interfaces/backoffice/api.ts'
import { isEndpoint } from '../src/interfaces/merchant-api/endpoints.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { openLog } from '../src/platform/runtime/log.ts'
import { freePort } from './harness/gateway-process.ts'
import { cloneDatabase } from './harness/harness.ts'

/** Returns the routes of a running gateway, as Fastify registers them in all scopes. */
async function routesOf(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const routes = new Set<string>()
  const watch = (message: unknown) => {
    const { fastify: app } = message as { fastify: FastifyInstance }
    app.addHook('onRoute', (route) => {
      for (const name of namesOf(route, app.supportedMethods.length)) routes.add(name)
    })
  }
  const database = await cloneDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-routes-'))
  const config = readConfig({
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_MASTER_KEY: '1'.repeat(64),
    PORT: String(await freePort()),
    ...settings,
  })
  subscribe('fastify.initialization', watch)
  try {
    const gateway = await openGateway({ config, db: database.db, log: openLog('silent') })
    await gateway.listen()
    await gateway.close()
  } finally {
    unsubscribe('fastify.initialization', watch)
    await database.drop()
    rmSync(dataDir, { recursive: true })
  }
  return [...routes]
}

/**
 * Returns the names of a route. HEAD is left out, because the handler of GET serves it. A route for every method has
 * one name.
 */
function namesOf({ method, url }: RouteOptions, allMethods: number): string[] {
  const methods = [method].flat()
  if (methods.length >= allMethods) return [`ALL ${url}`]
  return methods.filter((one) => one !== 'HEAD').map((one) => `${one} ${url}`)
}

/** True if the route requires a signature or a session, by the tables that these checks read. */
function isGuarded(route: string): boolean {
  const [method = '', url = ''] = route.split(' ')
  if (method === 'POST' && isEndpoint(url)) return true
  const office = Object.entries(api).find(([name]) => name === route.replace('/backoffice/api', ''))
  return office !== undefined && office[1].access !== 'public'
}

const attacked = (rows: Readonly<Record<string, PublicRow>>) =>
  new Set(Object.values(rows).flatMap((row) => Object.keys(row).filter((route) => route !== '*')))

const live = {
  TOLLGATE_MODE: 'live',
  TOLLGATE_BASE_URL: 'https://pay.example',
  TOLLGATE_TRUSTED_PROXIES: 'none',
}

test('bench:hostile attacks every route of a live gateway that needs neither a signature nor a session', async () => {
  const routes = (await routesOf(live)).filter((route) => !isGuarded(route))
  assert.deepEqual(routes.sort(), [...attacked(everywhere)].sort())
})

test('and every such route of a sandbox', async () => {
  const routes = (await routesOf({})).filter((route) => !isGuarded(route))
  assert.deepEqual(routes.sort(), [...attacked({ ...everywhere, ...inSandbox })].sort())
})
