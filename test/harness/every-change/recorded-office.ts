// A back office that records, by route, the smallest number of lines that a successful change wrote to the audit log.
import type { Api } from '../../../src/interfaces/backoffice/api.ts'
import type { Input } from '../../../src/interfaces/backoffice/route.ts'
import type { Answer, BackOffice, Person, RouteKey } from '../back-office.ts'

export type RecordedOffice = BackOffice & {
  /** The smallest number of lines that a change has written, by route. */
  readonly linesOf: ReadonlyMap<RouteKey, number>
}

export function recorded(office: BackOffice): RecordedOffice {
  const linesOf = new Map<RouteKey, number>()

  /** Counts only the lines by people, because workers write lines at any moment. */
  async function countLines(): Promise<number> {
    const [row] = await office.db.query<{ count: string }>({
      text: `select count(*) from audit_log where actor_kind = 'user'`,
      values: [],
    })
    return Number(row?.count)
  }

  async function watched<Name extends RouteKey>(
    person: Person,
    name: Name,
    input: Partial<Input<Api[Name]>>,
  ): Promise<Answer<Name>> {
    if (name.startsWith('GET ')) return person.attempt(name, input)
    const before = await countLines()
    const answer = await person.attempt(name, input)
    if (answer.problem === undefined) {
      const lines = (await countLines()) - before
      linesOf.set(name, Math.min(lines, linesOf.get(name) ?? lines))
    }
    return answer
  }

  const watch = (person: Person): Person => ({
    email: person.email,
    get cookie() {
      return person.cookie
    },
    attempt: (name, input) => watched(person, name, input),
    async call(name, input) {
      const { reply, problem } = await watched(person, name, input)
      if (reply === undefined) throw new Error(`${name}: ${JSON.stringify(problem)}`)
      return reply
    },
  })

  return {
    ...office,
    linesOf,
    stranger: watch(office.stranger),
    browser: () => watch(office.browser()),
    person: async (...of) => watch(await office.person(...of)),
    operator: async (role) => watch(await office.operator(role)),
  }
}
