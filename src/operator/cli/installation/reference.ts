import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { addItem, changeItem, removeItem } from '../../../platform/reference/change-list.ts'
import { isListName, type ListName, listNames, traitsOf } from '../../../platform/reference/list.ts'
import { findItem, readReference } from '../../../platform/reference/reference.ts'
import type { Audited, Call, Command, Result } from '../command.ts'
import { columns, plain } from '../shared/print.ts'

function readList(name: string): ListName {
  if (isListName(name)) return name
  throw new OperatorRefusal(`there is no list ${name}: operators change ${listNames.join(', ')}`)
}

const list: Command = {
  name: 'reference list',
  argument: 'LIST',
  summary: `List the items of a reference list: ${listNames.join(', ')}`,
  options: {},
  async run({ argument, tools }) {
    const name = readList(argument)
    const reference = await readReference(await tools.database())
    const [items, version] = [reference.items(name), reference.version(name)]
    const rows = items.map(({ code, name: named, bic }) => [code, plain(named), bic])
    const { title } = traitsOf(name)
    const json = { list: name, version, items: items.map((item) => shown(name, item)) }
    return { json, text: `${title}, version ${version}:\n${columns(rows)}` }
  },
}

const code = { value: 'CODE', required: true, help: 'its code on the merchant interface' } as const
const bic = { value: 'BIC', help: 'for banks of banks/vietnam: the BIC that payers see' } as const

const add: Command = {
  name: 'reference add',
  argument: 'LIST',
  summary: 'Add an item to a reference list; every node accepts it at once',
  audit: subjectOf,
  options: { code, name: { value: 'TEXT', required: true, help: 'its name, or the reason in words' }, bic },
  async run({ argument, given, tools }) {
    const name = readList(argument)
    const [code = '', itemName = '', bic = ''] = [given.text('code'), given.text('name'), given.text('bic')]
    const item = { code, name: itemName, bic }
    const version = await addItem(await tools.database(), { list: name, item, at: tools.clock.now() })
    return toResult({ list: name, version, ...shown(name, item) }, `${item.code} was added`)
  },
}

const change: Command = {
  name: 'reference change',
  argument: 'LIST',
  summary: 'Change the name or the BIC of an item; its code stays',
  audit: subjectOf,
  options: { code, name: { value: 'TEXT', help: 'the new name' }, bic: { ...bic, help: 'the new BIC' } },
  async run({ argument, given, tools }) {
    const name = readList(argument)
    const db = await tools.database()
    const wanted = given.text('code') ?? ''
    const found = await findItem(db, name, wanted)
    const item = {
      code: wanted,
      name: given.text('name') ?? found?.name ?? '',
      bic: given.text('bic') ?? found?.bic ?? '',
    }
    const version = await changeItem(db, { list: name, item, at: tools.clock.now() })
    return toResult({ list: name, version, ...shown(name, item) }, `${wanted} was changed`)
  },
}

const remove: Command = {
  name: 'reference remove',
  argument: 'LIST',
  summary: 'Remove an item: new requests may not name it, and orders that name it remain as they are',
  audit: subjectOf,
  options: { code },
  async run({ argument, given, tools }) {
    const wanted = { list: readList(argument), code: given.text('code') ?? '' }
    const version = await removeItem(await tools.database(), { ...wanted, at: tools.clock.now() })
    return toResult({ ...wanted, version }, `${wanted.code} was removed`)
  },
}

function subjectOf({ argument, given }: Pick<Call, 'argument' | 'given'>): Audited {
  return { merNo: 0, subject: `${argument}/${given.text('code') ?? ''}` }
}

function shown(list: ListName, item: { code: string; name: string; bic: string }) {
  const { bic: written, ...named } = item
  return traitsOf(list).hasBic ? { ...named, bic: written } : named
}

type Changed = { readonly list: ListName; readonly version: number; readonly code: string }

function toResult(json: Changed, what: string): Result {
  return { json, text: `${plain(what)}; ${json.list} is at version ${json.version}.` }
}

export const referenceCommands: readonly Command[] = [list, add, change, remove]
