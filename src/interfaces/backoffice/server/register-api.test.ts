import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { Type } from 'typebox'
import type { Sessions } from '../../../people/sessions/find-session.ts'
import { deviceCookie, sessionCookie } from './cookie.ts'
import { registerApi } from './register-api.ts'

const ORIGIN = 'http://localhost:8000'

test('a handler gets only the fields of the body that its route lists', async () => {
  const body = Type.Object({ name: Type.String(), filter: Type.Record(Type.String(), Type.String()) })
  const app = fastify()
  await app.register(async (scope) => {
    registerApi(scope, {
      origins: [ORIGIN],
      cookie: sessionCookie(ORIGIN),
      deviceCookie: deviceCookie(ORIGIN),
      routes: { 'POST /echo': { access: 'public', body, reply: Type.Object({ text: Type.String() }) } },
      handlers: { 'POST /echo': async (call: { body: unknown }) => ({ text: JSON.stringify(call.body) }) },
      sessions: {} as Sessions,
      now: () => new Date(),
    })
  })
  const payload = { merNo: 7, name: 'Rent', filter: { state: '5' } }
  const reply = await app.inject({ method: 'POST', url: '/echo', headers: { origin: ORIGIN }, payload })
  assert.deepEqual(JSON.parse(reply.json().text), { name: 'Rent', filter: { state: '5' } })
})
