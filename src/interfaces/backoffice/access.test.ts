// Calls every route except signing out as every built-in role, and checks that only the table of permissions decides.
// Also calls the routes that an owner may call as the owner of another merchant, who must get nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { oneOfEach, secrets } from '../../../test/builders/one-of-each.ts'
import {
  type BackOffice,
  openBackOffice,
  openLiveOffice,
  type Person,
  type RouteKey,
} from '../../../test/harness/back-office.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { operatorAt } from '../../../test/harness/operator.ts'
import { sampleOf, type Values } from '../../../test/harness/sample-input.ts'
import {
  merchantRoles,
  operatorRoles,
  PLATFORM,
  permissionsIn,
  permissionsOfRole,
} from '../../people/roles/permissions.ts'
import { api } from './api.ts'
import type { Route } from './route.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

const routeOf = (name: RouteKey): Route => api[name]
const names = Object.keys(api) as RouteKey[]
const everybody: readonly string[] = ['public', 'password-given', 'signed-in']

type Part = 'params' | 'query' | 'body'

const fieldsOf = (name: RouteKey, part: Part): readonly string[] => {
  const schema: { readonly properties?: object } = routeOf(name)[part] ?? {}
  return Object.keys(schema.properties ?? {})
}

/** Values for the fields `role` and `permissions`. Every company has the role `viewer`. */
const harmless = { role: 'viewer', permissions: ['orders.read'] }

function inputOf(name: RouteKey, values: Values) {
  const parts = (['params', 'query', 'body'] as const).filter((part) => routeOf(name)[part] !== undefined)
  const sent = (part: Part) => (part === 'body' ? { ...values, ...harmless } : values)
  return Object.fromEntries(parts.map((part) => [part, sampleOf(routeOf(name)[part] ?? {}, sent(part))]))
}

// This test must be the first, because the tests by role also call routes as the demo shop's owner and change its keys.
test("a person of another merchant gets nothing of a merchant's rows, by their ids or by its number", async () => {
  const ids = await oneOfEach(office)
  const other = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
  const made = await other.run('merchant', 'create', '--name', 'Other', '--site', 'other.example')
  const stranger = await office.person(Number(made.merNo), 'owner')
  const hidden = [...Object.values(ids), ...Object.values(secrets), 'hidden.example', 'Demo Shop']
  const open: readonly string[] = ['signed-in', ...(permissionsOfRole(Number(made.merNo), 'owner') ?? [])]
  const walked = names.filter((name) => open.includes(routeOf(name).access))
  const owner = await office.person(office.demo.merNo, 'owner')
  for (const name of walked) {
    const [, area = ''] = /^\w+ \/([\w-]+)/.exec(name) ?? []
    const own = Object.entries(ids).map(([key, id]) => [key.replace(`${area}.`, ''), id])
    // A line of a payout run may name a saved beneficiary.
    const lines = [{ beneficiary: ids.beneficiaryId }]
    const values = { ...Object.fromEntries(own), lines, currency: 'USD', amount: '1.00' }
    for (const param of fieldsOf(name, 'params'))
      assert.ok(param in values, `${name}: oneOfEach has no ${param}`)
    const isNamed = (part: Part) => fieldsOf(name, part).includes('merNo')
    const asks = [
      values,
      ...(isNamed('query') || isNamed('body') ? [{ ...values, merNo: office.demo.merNo }] : []),
    ]
    if (name.startsWith('GET ')) {
      const isFound = async () => (await owner.attempt(name, inputOf(name, values))).status === 200
      assert.ok(await eventually(isFound), `${name}: its own merchant gets it`)
    }
    for (const asked of asks) {
      const input = inputOf(name, asked)
      const { status, reply, problem } = await stranger.attempt(name, input)
      const says = `${name} ${JSON.stringify(input)}: ${status} ${problem?.message}`
      if (fieldsOf(name, 'params').length > 0 || 'merNo' in asked)
        assert.ok(status === 403 || status === 404, says)
      const sent = JSON.stringify(input)
      const answer = JSON.stringify(reply ?? problem)
      for (const text of hidden.filter((one) => !sent.includes(one)))
        assert.ok(!answer.includes(text), `${says}: ${answer}`)
    }
  }
})

/**
 * True if the call is refused for lack of a permission or a session. The call has no input, because access is checked
 * before the input.
 */
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

type Mode = Parameters<typeof permissionsIn>[0]

async function walk(person: Person, mode: Mode, merNo: number, role: string): Promise<void> {
  const granted: ReadonlySet<string> = permissionsIn(mode, permissionsOfRole(merNo, role) ?? [])
  for (const name of names.filter((one) => one !== 'DELETE /session')) {
    const { access } = routeOf(name)
    const isOpen = everybody.includes(access) || granted.has(access)
    assert.equal(await isTurnedAway(person, name), !isOpen, `${mode}: ${name}`)
  }
}

for (const [kind, roles] of [['merchant', merchantRoles] as const, ['operator', operatorRoles] as const])
  for (const role of Object.keys(roles))
    test(`a ${kind}'s ${role} gets exactly the routes of the role's permissions`, async () => {
      const merNo = kind === 'operator' ? PLATFORM : office.demo.merNo
      await walk(await office.person(merNo, role), 'sandbox', merNo, role)
    })

test('in live a developer gets no route to the key, and an operator of no role does', async () => {
  const live = await openLiveOffice()
  try {
    await walk(await live.person(office.demo.merNo, 'developer'), 'live', office.demo.merNo, 'developer')
    await walk(await live.operator(), 'live', PLATFORM, 'admin')
  } finally {
    await live.close()
  }
  const holders = Object.entries(merchantRoles).filter(([, own]) => own.some((one) => one === 'keys.secret'))
  assert.deepEqual(
    holders.map(([role]) => role),
    ['owner'],
  )
  for (const own of Object.values(operatorRoles))
    assert.ok(!own.some((one: string) => one === 'keys.secret' || one === 'keys.edit'))
})
