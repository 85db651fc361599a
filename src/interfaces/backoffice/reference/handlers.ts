import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { addItem, changeItem, lookAtItem, removeItem } from '../../../platform/reference/change-list.ts'
import {
  type Item,
  isListName,
  type ListName,
  listNames,
  traitsOf,
} from '../../../platform/reference/list.ts'
import { readReference } from '../../../platform/reference/reference.ts'
import { edit, versionOf } from '../edit.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { referenceApi } from './api.ts'

export type ReferenceHandlerDeps = { readonly db: Db; readonly clock: Clock }

type Wanted = {
  readonly list: ListName
  readonly code: string
  readonly version?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly reason: string
}

export function createReferenceHandlers({ db, clock }: ReferenceHandlerDeps): Handlers<typeof referenceApi> {
  async function change(
    caller: Caller,
    what: 'add' | 'change' | 'remove',
    { list, code, version, dryRun, reason }: Wanted,
    work: (db: Db, at: Date) => Promise<unknown>,
  ) {
    const at = clock.now()
    const line = {
      merNo: PLATFORM,
      at,
      actor: actorOf(caller),
      action: `reference.${what}`,
      subject: `${list}/${code}`,
      reason,
    }
    const look = (tx: Tx) => lookAtItem(tx, list, code)
    const { changes } = await edit(db, { look, seen: version, dryRun, line }, (to) => work(to, at))
    return { changes }
  }

  return {
    async 'GET /reference-lists'() {
      const reference = await readReference(db)
      return {
        lists: listNames.map((list) => ({
          list,
          version: reference.version(list),
          items: reference.items(list).length,
          hasBic: traitsOf(list).hasBic,
        })),
      }
    },

    async 'GET /reference-items'({ query: { list, search = '', after } }) {
      const reference = await readReference(db)
      const found = reference.items(readList(list)).filter((item) => contains(item, search))
      const begin = after === undefined ? 0 : found.findIndex(({ code }) => code === after) + 1
      const page = found.slice(begin, begin + PAGE_ROWS)
      const last = begin + PAGE_ROWS < found.length ? page.at(-1) : undefined
      return { rows: page.map(toRow), ...(last && { next: last.code }) }
    },

    'POST /reference-items': ({ caller, body }) => {
      const [list, item] = [readList(body.list), itemOf(body)]
      return change(caller, 'add', { ...body, list }, (to, at) => addItem(to, { list, item, at }))
    },

    'PUT /reference-items/:code': ({ caller, params: { code }, body }) => {
      const [list, item] = [readList(body.list), itemOf({ ...body, code })]
      return change(caller, 'change', { ...body, list, code }, (to, at) => changeItem(to, { list, item, at }))
    },

    'POST /reference-items/:code/remove': ({ caller, params: { code }, body }) => {
      const list = readList(body.list)
      return change(caller, 'remove', { ...body, list, code }, (to, at) => removeItem(to, { list, code, at }))
    },
  }
}

type Given = Pick<Item, 'code' | 'name'> & { readonly bic?: string | undefined }

function itemOf({ code, name, bic = '' }: Given): Item {
  return { code, name, bic }
}

function readList(name: string): ListName {
  if (isListName(name)) return name
  throw new Problem('not-found', 'There is no such list.')
}

function contains({ code, name }: Item, search: string): boolean {
  return `${code} ${name}`.toLowerCase().includes(search.trim().toLowerCase())
}

function toRow({ code, name, bic }: Item) {
  return { code, name, bic, version: versionOf({ name, bic, listed: true }) }
}
