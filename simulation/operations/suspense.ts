// Operators accept money in suspense for its order, or return it to its channel. At times two operators decide at once,
// or an operator decides about money that was decided before.
import { isObject } from '../../src/platform/base/object.ts'
import type { Actor, Operation } from '../operation.ts'
import { command } from './command.ts'
import { officeCall, reason, someOf } from './office-call.ts'

const NAME = 'decide about suspense'
type Decision = 'accept' | 'return'

const decided = new WeakMap<Actor['world'], string[]>()

export const decideSuspense: Operation = {
  name: NAME,
  weight: 9,
  async run(actor) {
    const { random, world } = actor
    const before = decided.get(world) ?? []
    decided.set(world, before)
    const id = random.chance(0.3) ? random.pick(before) : await pickHeld(actor)
    if (id === undefined) return
    before.push(id)
    const count = random.chance(0.4) ? 2 : 1
    const people = someOf([undefined, ...world.office.operators], actor).slice(0, count)
    await Promise.all(people.map((person) => decide(actor, person, id)))
  },
}

async function pickHeld(actor: Actor): Promise<string | undefined> {
  const listed = await command(actor, 'list suspense', 'suspense', 'suspense', 'list')
  const items = listed.kind === 'done' && Array.isArray(listed.json) ? listed.json.filter(isObject) : []
  const item = actor.random.pick(items)
  return item === undefined ? undefined : String(item.suspenseId)
}

/** Decides in the back office, or by a command if no person is given. */
async function decide(
  actor: Actor,
  person: Actor['world']['office']['operators'][number] | undefined,
  id: string,
): Promise<void> {
  const as: Decision = actor.random.chance(0.6) ? 'accept' : 'return'
  const by = `${NAME}: ${as}`
  const about = `suspense ${id}`
  if (person === undefined) return void (await command(actor, by, about, 'suspense', as, id, '--why', reason))
  const input = { params: { suspenseId: id }, body: { reason } }
  await (as === 'accept'
    ? officeCall(actor, by, about, person, 'POST /suspense/:suspenseId/accept', input)
    : officeCall(actor, by, about, person, 'POST /suspense/:suspenseId/return', input))
}
