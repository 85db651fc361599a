// People who use the back office over HTTP, each with a session. Their calls pass the same proxy as those of payers.
import { PLATFORM } from '../../src/money/approvals/may-approve.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import {
  type Answer,
  caller,
  makePerson,
  type RouteInput,
  type RouteKey,
} from '../../test/harness/back-office.ts'
import type { Shop } from '../witness.ts'

export type OfficeAnswer<Name extends RouteKey> =
  | { readonly kind: 'done'; readonly reply: NonNullable<Answer<Name>['reply']> }
  | { readonly kind: 'refused' | 'lost'; readonly why: string }

export type Colleague = {
  readonly email: string
  /** Makes a call. A call that counts as lost may still have been carried out. */
  call<Name extends RouteKey>(name: Name, input: RouteInput<Name>): Promise<OfficeAnswer<Name>>
}

export type Office = {
  readonly operators: readonly Colleague[]
  /** Returns a merchant's owners, who have all permissions in their company. */
  ownersOf(shop: Shop): readonly Colleague[]
}

const TIMEOUT_MS = 12_000
/**
 * The maximum age of a session. Dangerous calls are refused five minutes after the sign-in. This maximum is lower,
 * because a node's clock may be ahead.
 */
const SESSION_MS = 180_000
const OPERATORS = 3
const OWNERS = 2

export async function openOffice(db: Db, baseUrl: string, shops: readonly Shop[]): Promise<Office> {
  const hire = (merNo: number, role: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => openColleague(db, baseUrl, merNo, role, at + 1)))
  const owners = new Map<number, readonly Colleague[]>()
  for (const { merNo } of shops) owners.set(merNo, await hire(merNo, 'owner', OWNERS))
  return {
    operators: await hire(PLATFORM, 'admin', OPERATORS),
    ownersOf: ({ merNo }) => owners.get(merNo) ?? [],
  }
}

async function openColleague(
  db: Db,
  baseUrl: string,
  merNo: number,
  role: string,
  no: number,
): Promise<Colleague> {
  const email = `${role}-${no}@${merNo}.example`
  const begin = await makePerson(db, merNo, role, email)
  let token = ''
  let begunAt = 0

  async function session(): Promise<string> {
    if (Date.now() - begunAt < SESSION_MS) return token
    token = await begin()
    begunAt = Date.now()
    return token
  }

  return {
    email,
    async call(name, input) {
      const late = new Promise<{ kind: 'lost'; why: string }>((resolve) => {
        setTimeout(resolve, TIMEOUT_MS, { kind: 'lost', why: 'it took too long' }).unref()
      })
      return await Promise.race([answer(name, input), late])
    },
  }

  async function answer<Name extends RouteKey>(
    name: Name,
    input: RouteInput<Name>,
  ): Promise<OfficeAnswer<Name>> {
    try {
      const person = caller(baseUrl, email, `tollgate=${await session()}`)
      const { status, reply, problem } = await person.attempt(name, input)
      if (reply !== undefined) return { kind: 'done', reply }
      const why = `${status} ${problem?.message ?? ''}`
      return { kind: status >= 500 ? 'lost' : 'refused', why }
    } catch (error) {
      return { kind: 'lost', why: error instanceof Error ? error.message : String(error) }
    }
  }
}
