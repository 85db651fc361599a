// Walks every route with every role: the table of permissions alone decides.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person, type RouteKey } from '../../test/back-office.ts'
import { api } from './api.ts'
import { merchantRoles, operatorRoles, PLATFORM, permissionsOfRole } from './permissions.ts'
import type { Route } from './route.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

const routeOf = (name: RouteKey): Route => api[name]
const names = Object.keys(api) as RouteKey[]
const everybody: readonly string[] = ['public', 'password-given', 'signed-in']

/** Refused for lack of a permission or a session, before anything else is looked at. */
async function isTurnedAway(person: Person, name: RouteKey): Promise<boolean> {
  const { status, problem } = await person.attempt(name, {})
  const isRefused = problem?.code === 'not-allowed' || problem?.code === 'not-signed-in'
  assert.equal(isRefused, status === 401 || status === 403, `${name}: ${status} ${problem?.code}`)
  return isRefused
}

test('without a session only public routes are open', async () => {
  for (const name of names)
    assert.equal(await isTurnedAway(office.stranger, name), api[name].access !== 'public', name)
})

for (const [kind, roles] of [['merchant', merchantRoles] as const, ['operator', operatorRoles] as const])
  for (const role of Object.keys(roles))
    test(`a ${kind}'s ${role} gets exactly the routes of the role's permissions`, async () => {
      const merNo = kind === 'operator' ? PLATFORM : office.demo.merNo
      const granted: readonly string[] = permissionsOfRole(merNo, role) ?? []
      const person = await office.person(merNo, role)
      for (const name of names.filter((one) => one !== 'DELETE /session')) {
        const { access } = routeOf(name)
        const isOpen = everybody.includes(access) || granted.includes(access)
        assert.equal(await isTurnedAway(person, name), !isOpen, name)
      }
    })
