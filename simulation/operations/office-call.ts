// Calls the back office as one of its users, and records the call.
import type { RouteInput, RouteKey } from '../../test/harness/back-office.ts'
import type { Actor } from '../operation.ts'
import type { Colleague, OfficeAnswer } from '../world/office.ts'

export const reason = 'Looked at by the simulation'

/** `by` is the operation whose result is counted. `about` is the changed subject, for the history. */
export async function officeCall<Name extends RouteKey>(
  { world }: Pick<Actor, 'world'>,
  by: string,
  about: string,
  person: Colleague,
  name: Name,
  input: RouteInput<Name>,
): Promise<OfficeAnswer<Name>> {
  const { history, witness } = world
  history.add(`${person.email} calls`, about, { name, input })
  const answer = await person.call(name, input)
  history.add(`${name} ${answer.kind}`, about, answer)
  witness.count(by, answer.kind)
  return answer
}

/** Returns all people, rotated so that a random person comes first. */
export function someOf<Person>(
  people: readonly Person[],
  { random }: Pick<Actor, 'random'>,
): readonly Person[] {
  if (people.length === 0) return []
  const at = random.below(people.length)
  return [...people.slice(at), ...people.slice(0, at)]
}
